"""Drafts are written in forms: what is filled in is what a file would say, and faults show where they are."""

import json

import pytest
from django.urls import reverse

from registries.editing.contents import content_of
from registries.models import DataSchemaDefinition, DefinitionChange, OperationDefinition, StatusDefinitionSet
from tests.admin.support import KINDS, address, draft, filled_in, messages_of, published, text_of
from tests.registries.support import SCOPE, TENANT

ANY_KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
pytestmark = pytest.mark.django_db


@ANY_KIND
def test_saving_what_is_shown_changes_nothing(olga, kind):
    row = draft(kind)
    before = content_of(row)
    page = olga.get(address(row))
    answer = olga.post(address(row), filled_in(page), follow=True)
    assert messages_of(answer) == [f"{answer.context['title']} is saved."]
    row = kind.objects.get()
    assert content_of(row) == before
    assert DefinitionChange.objects.count() == 1


@pytest.mark.accepts("G01")
def test_a_new_set_is_written_code_by_code(olga):
    new = reverse("admin:registries_statusdefinitionset_add")
    data = filled_in(olga.get(new), authorityScope=SCOPE, taskType="REVIEW", version="1")
    data |= {"statuses-TOTAL_FORMS": "2", "statuses-0-code": "QUEUED", "statuses-0-appliesTo": ["TASK"]}
    data |= {"statuses-0-lifecycle": "PENDING", "statuses-0-initial": "on", "statuses-0-severity": "INFO"}
    data |= {"statuses-0-terminal": "by lifecycle", "statuses-0-order": "10", "statuses-0-displayName": "en: Queued"}
    data |= {"statuses-1-code": "DONE", "statuses-1-appliesTo": ["TASK", "STEP"], "statuses-1-lifecycle": "SUCCEEDED"}
    data |= {"statuses-1-allowedFrom": "QUEUED, *", "statuses-1-severity": "SUCCESS", "statuses-1-order": "20"}
    data |= {"statuses-1-terminal": "by lifecycle", "statuses-1-colorToken": "success", "statuses-1-iconKey": "check"}
    answer = olga.post(new, data, follow=True)
    assert messages_of(answer) == ["The draft of REVIEW v1 was made."]
    row = StatusDefinitionSet.objects.select_related("scope").get()
    assert (row.scope.tenant_id, row.state) == (TENANT, "draft")
    queued, done = content_of(row)["statuses"]
    assert queued["displayName"] == {"en": "Queued"}
    assert queued["initial"]
    assert (done["appliesTo"], done["allowedFrom"]) == (["STEP", "TASK"], ["*", "QUEUED"])
    assert done["presentation"] == {"colorToken": "success", "iconKey": "check"}
    assert done["terminal"]


def test_a_code_is_taken_out(olga):
    row = draft()
    data = filled_in(olga.get(address(row)), **{"statuses-2-DELETE": "on"})
    olga.post(address(row), data)
    assert [code["code"] for code in content_of(StatusDefinitionSet.objects.get())["statuses"]] == ["DONE", "PARSING"]


def test_a_bad_code_is_told_of_in_its_own_row_and_nothing_is_saved(olga):
    row = draft()
    data = filled_in(olga.get(address(row)), **{"statuses-1-code": "no code", "version": "9"})
    answer = olga.post(address(row), data)
    wrong = answer.context["rows"].forms[1]
    assert list(wrong.errors) == ["code"]
    assert answer.context["rows"].forms[0].errors == {}
    assert "Nothing was saved" in text_of(answer)
    assert 'value="no code"' in text_of(answer)
    assert StatusDefinitionSet.objects.get().version == 1


def test_twin_codes_are_refused_by_name(olga):
    row = draft()
    data = filled_in(olga.get(address(row)), **{"statuses-1-code": "DONE", "statuses-1-appliesTo": ["TASK"]})
    assert "DONE" in str(olga.post(address(row), data).context["form"].lost[0])


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{\n  "type": "object",\n}', 3, "This is no JSON"),
        ('{"a": 1, "a": 2}', 1, "stands there twice"),
        ("[]", 1, "an object in { }"),
        ('{"a": NaN}', 1, "no number"),
        ("[" * 100_000, 1, "no JSON"),
    ],
    ids=["comma", "twin", "list", "nan", "deep"],
)
def test_bad_json_is_told_of_with_its_line(olga, text, line, words):
    row = draft(DataSchemaDefinition)
    answer = olga.post(address(row), filled_in(olga.get(address(row)), schema=text))
    (fault,) = answer.context["form"].errors["schema"]
    assert fault.startswith(f"Line {line}: ")
    assert words in fault or "too deeply" in fault
    assert DataSchemaDefinition.objects.get().json_schema["type"] == "object"


def test_what_keeps_a_schema_from_being_published_is_marked_at_its_line(olga):
    row = draft(DataSchemaDefinition, schema={"type": "object", "properties": {"a": {"type": "strng"}}})
    answer = olga.get(address(row))
    marks = json.loads(answer.context["form"].fields["schema"].widget.attrs["data-marks"])
    assert [mark["line"] for mark in marks] == [5]
    assert answer.context["faults"][0].anchor == "field-schema"


def test_what_keeps_a_set_from_being_published_leads_to_its_row(olga):
    row = draft()
    olga.post(address(row), filled_in(olga.get(address(row)), **{"statuses-0-allowedFrom": "NOWHERE"}))
    page = olga.get(address(row))
    anchors = {fault.anchor for fault in page.context["faults"]}
    assert "statuses-0" in anchors
    assert all(f'id="{anchor}"' in text_of(page) for anchor in anchors)


def test_who_comes_too_late_is_told_who_came_first_and_keeps_what_they_wrote(olga, root):
    row = draft(OperationDefinition)
    mine, theirs = olga.get(address(row)), root.get(address(row))
    root.post(address(row), filled_in(theirs, maxAttempts="7"))
    answer = olga.post(address(row), filled_in(mine, maxAttempts="5"))
    assert "was changed by root since you opened it" in messages_of(answer)[0]
    assert answer.context["form"]["maxAttempts"].value() == "5"
    assert OperationDefinition.objects.get().max_attempts == 7


@pytest.mark.accepts("G01")
@ANY_KIND
def test_the_page_of_what_is_published_has_no_form_and_takes_none(olga, kind):
    row = published(kind)
    answer = olga.get(address(row))
    assert 'id="definition-form"' not in text_of(answer)
    assert "Published and frozen" in text_of(answer)
    before = content_of(row)
    assert olga.post(address(row), {"version": "9"}).status_code == 403
    assert content_of(kind.objects.get()) == before


@pytest.mark.accepts("G08")
def test_markup_is_shown_as_text_and_kept_from_being_published(olga):
    row = draft()
    evil = "<script>alert(1)</script>"
    data = filled_in(olga.get(address(row)), **{"statuses-0-colorToken": evil, "statuses-0-displayName": f"en: {evil}"})
    olga.post(address(row), data)
    page = text_of(olga.get(address(row)))
    assert evil not in page
    assert "takes a token" in page
    olga.post(address(row, "publish"))
    assert StatusDefinitionSet.objects.get().state == "draft"


def test_the_graph_is_drawn_of_what_is_being_written(olga):
    row = draft()
    page = olga.get(address(row))
    data = filled_in(page, **{"statuses-2-code": "FINISHED", "statuses-2-displayName": "en: <Fini>"})
    drawn = text_of(olga.post(reverse("admin:registries_statusdefinitionset_graph"), data))
    assert "FINISHED" in drawn
    assert "&lt;Fini&gt;" in drawn
    assert "<svg" in drawn
    assert StatusDefinitionSet.objects.get().statuses.filter(code="FINISHED").count() == 0
