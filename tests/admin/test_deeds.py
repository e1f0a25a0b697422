"""Publishing, retiring, copying and deleting, each after a page that says what will happen (acceptance G01, G06)."""

import pytest

from registries.models import DefinitionChange, StatusDefinitionSet
from tests.admin.support import KINDS, address, draft, list_of, messages_of, operator, published, text_of
from tests.registries.support import status

ANY_KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
pytestmark = pytest.mark.django_db


def seen_on(response):
    return {f"seen-{one.row.pk}": one.seen for one in response.context["candidates"]}


@pytest.mark.accepts("G01")
@ANY_KIND
def test_a_draft_is_published_copied_and_retired_each_after_a_question(olga, kind):
    row = draft(kind)
    asked = olga.get(address(row, "publish"))
    assert "frozen for good" in text_of(asked)
    assert kind.objects.get().state == "draft"
    answer = olga.post(address(row, "publish"), seen_on(asked), follow=True)
    assert messages_of(answer)[0].endswith("is published.")
    answer = olga.post(address(row, "copy"), follow=True)
    assert messages_of(answer)[0].endswith("was made as a draft.")
    copy = kind.objects.get(state="draft")
    assert answer.context["original"] == copy
    assert olga.post(address(row, "retire"), follow=True).status_code == 200
    assert [one.state for one in kind.objects.order_by("pk")] == ["retired", "draft"]
    acts = list(DefinitionChange.objects.order_by("pk").values_list("action", "actor"))
    assert acts == [("created", "olga"), ("published", "olga"), ("created", "olga"), ("retired", "olga")]


@pytest.mark.accepts("G02")
def test_a_bad_draft_is_not_published_and_each_problem_names_its_row_and_the_remedy(olga):
    row = draft(statuses=[status("QUEUED", "PENDING", initial=True), status("LOST"), status("DONE", "SUCCEEDED")])
    asked = olga.get(address(row, "publish"))
    text = text_of(asked)
    assert "lets no task come here; name a code that tasks reach" in text
    assert "LOST" in text
    assert asked.context["ready"] == 0
    answer = olga.post(address(row, "publish"))
    assert len(messages_of(answer)) == len(asked.context["candidates"][0].faults)
    assert StatusDefinitionSet.objects.get().state == "draft"


def test_what_changed_since_the_question_is_not_published(olga, root):
    row = draft()
    asked = olga.get(address(row, "publish"))
    data = {"seen": "", "taskType": "OTHER", "version": "1", "statuses-TOTAL_FORMS": "0", "statuses-INITIAL_FORMS": "0"}
    data["seen"] = root.get(address(row)).context["seen"]
    root.post(address(row), data)
    answer = olga.post(address(row, "publish"), seen_on(asked))
    assert "was changed by root" in messages_of(answer)[0]
    assert StatusDefinitionSet.objects.get().state == "draft"


def test_actions_on_the_list_ask_first_and_skip_what_can_not_be_done(olga):
    good, bad, old = draft(), draft(version=2, statuses=[]), published(version=3)
    act = {"action": "publish_selected", "_selected_action": [good.pk, bad.pk, old.pk]}
    asked = olga.post(list_of(StatusDefinitionSet), act)
    assert asked.context["ready"] == 1
    assert "is no draft" in text_of(asked)
    assert StatusDefinitionSet.objects.filter(state="published").count() == 1
    confirmed = {**seen_on(asked), "action": "publish_selected", "_selected_action": [good.pk], "confirmed": "yes"}
    answer = olga.post(list_of(StatusDefinitionSet), confirmed, follow=True)
    assert messages_of(answer) == ["DOCUMENT_PROCESS v1 is published."]
    assert StatusDefinitionSet.objects.get(pk=bad.pk).state == "draft"


@ANY_KIND
def test_a_draft_is_deleted_and_its_history_stays(olga, kind):
    row = draft(kind)
    assert "The draft is gone" in text_of(olga.get(address(row, "delete")))
    answer = olga.post(address(row, "delete"), follow=True)
    assert messages_of(answer)[0].endswith("was deleted.")
    assert not kind.objects.exists()
    assert [change.action for change in DefinitionChange.objects.order_by("pk")] == ["created", "deleted"]


@pytest.mark.accepts("G06")
@ANY_KIND
@pytest.mark.parametrize("state", ["published", "retired"])
def test_what_was_published_is_never_deleted_however_it_is_asked_for(root, kind, state):
    row = published(kind)
    if state == "retired":
        root.post(address(row, "retire"))
    assert "stays" in text_of(root.get(address(row, "delete"))) or root.get(address(row, "delete")).status_code == 403
    root.post(address(row, "delete"), {"post": "yes"})
    act = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    root.post(list_of(kind), act)
    assert kind.objects.get().state == state


@pytest.mark.accepts("S13")
@pytest.mark.parametrize("deed", ["publish", "retire", "copy", "delete"])
@ANY_KIND
def test_each_deed_takes_its_own_right(kind, deed):
    rights = {"publish": "publish", "retire": "retire", "copy": "add", "delete": "delete"}
    row = published(kind) if deed in {"retire", "copy"} else draft(kind)
    others = {"view", "add", "change", "delete", "publish", "retire"} - {rights[deed]}
    without = operator("bob", *others)
    assert without.get(address(row, deed)).status_code == 403
    assert without.post(address(row, deed)).status_code == 403
    assert f'href="{address(row, deed)}"' not in text_of(without.get(address(row)))
    able = operator("ann", "view", rights[deed])
    assert f'href="{address(row, deed)}"' in text_of(able.get(address(row)))
    assert able.post(address(row, deed)).status_code == 302


@pytest.mark.accepts("S13")
@ANY_KIND
def test_who_may_only_view_gets_no_form_and_no_draft_is_begun(kind):
    row = draft(kind)
    viewer = operator("vera", "view")
    assert 'id="definition-form"' not in text_of(viewer.get(address(row)))
    assert viewer.post(address(row), {}).status_code == 403
    assert viewer.get(list_of(kind) + "add/").status_code == 403
    act = {"action": "publish_selected", "_selected_action": [row.pk], "confirmed": "yes"}
    viewer.post(list_of(kind), act)
    assert kind.objects.get().state == "draft"


@pytest.mark.accepts("S13")
@ANY_KIND
def test_without_any_right_a_registry_is_closed(kind):
    row = draft(kind)
    nobody = operator("nemo")
    assert nobody.get(list_of(kind)).status_code == 403
    for page in ("change", "history", "compare", "publish", "try"):
        assert nobody.get(address(row, page)).status_code == 404
