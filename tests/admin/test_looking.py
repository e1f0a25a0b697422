"""What the lists and pages tell: state, uses, last change, history, differences, and the policy that guards them."""

import re

import pytest
from django.urls import reverse

from registries.models import DataSchemaDefinition, DefinitionChange, DefinitionScope, StatusDefinitionSet
from tests.admin.support import KINDS, address, draft, list_of, operator, published, text_of
from tests.registries.support import operation, schema, status, statuses
from tests.support.cast import coordinator

pytestmark = pytest.mark.django_db
ANY_KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


@ANY_KIND
def test_the_list_tells_state_uses_and_who_changed_it_last(olga, kind, django_assert_max_num_queries):
    published(kind)
    changes = {"name": "document.parsed.v2"} if kind is DataSchemaDefinition else {"version": 2}
    draft(kind, **changes)
    olga.get(list_of(kind))
    # Session, account, profile, permissions; scopes and rows of the filters; the page and its count; uses; changes.
    with django_assert_max_num_queries(18):
        page = text_of(olga.get(list_of(kind)))
    assert "state-published" in page
    assert "state-draft" in page
    assert '<span class="who">olga</span>' in page
    only = olga.get(list_of(kind), {"state": "draft"}).context["cl"].result_list
    assert [row.state for row in only] == ["draft"]


def test_tasks_that_are_bound_are_counted(olga):
    row = published()
    coordinator().task(taskType="DOCUMENT_PROCESS")
    page = olga.get(list_of(StatusDefinitionSet))
    assert str(page.context["cl"].result_list[0].uses) == "1"
    assert "bound tasks: 1" in text_of(olga.get(address(row)))


def test_definitions_that_name_a_schema_are_counted(olga):
    row = published(DataSchemaDefinition)
    draft(taskDataSchemas=[row.name])
    assert olga.get(list_of(DataSchemaDefinition)).context["cl"].result_list[0].uses == 1


@pytest.mark.parametrize(("query", "found"), [("parsing", 1), ("DOCUMENT_PRO", 1), ("nothing", 0)])
def test_the_list_is_searched_by_type_and_code(olga, query, found):
    draft()
    page = olga.get(list_of(StatusDefinitionSet), {"q": query})
    assert len(page.context["cl"].result_list) == found
    assert ("Nothing matches this search." in text_of(page)) == (not found)


@pytest.mark.parametrize("kind", [*KINDS, DefinitionScope, DefinitionChange], ids=lambda kind: kind.__name__)
def test_an_empty_list_says_what_to_do(olga, kind):
    assert "There is nothing here yet." in text_of(olga.get(list_of(kind)))


@pytest.mark.accepts("G06")
def test_the_history_says_who_did_what_and_what_it_changed(olga, root):
    row = draft()
    data = {"taskType": "DOCUMENT_PROCESS", "version": "2", "statuses-TOTAL_FORMS": "0", "statuses-INITIAL_FORMS": "0"}
    root.post(address(row), data | {"seen": root.get(address(row)).context["seen"]})
    entries = olga.get(address(row, "history")).context["entries"]
    assert [(entry["change"].actor, entry["change"].action) for entry in entries] == [
        ("root", "updated"),
        ("olga", "created"),
    ]
    assert {one.path for one in entries[0]["differences"]} == {"version", "statuses"}
    one = reverse("admin:registries_definitionchange_change", args=[entries[0]["change"].pk])
    assert {one.path for one in olga.get(one).context["differences"]} == {"version", "statuses"}


@pytest.mark.accepts("G06")
def test_history_is_nobodys_to_edit(root):
    draft()
    change = DefinitionChange.objects.get()
    one = reverse("admin:registries_definitionchange_change", args=[change.pk])
    root.post(one, {"actor": "nobody"})
    assert root.post(reverse("admin:registries_definitionchange_delete", args=[change.pk])).status_code == 403
    assert root.get(reverse("admin:registries_definitionchange_add")).status_code == 403
    assert DefinitionChange.objects.get().actor == "olga"


def test_two_versions_are_compared_with_words_and_marks(olga):
    old = published()
    codes = [*statuses()[:1], status("PARSING", allowedFrom=["QUEUED"], order=5), status("END", "FAILED")]
    new = draft(version=2, statuses=codes)
    page = olga.get(address(new, "compare"))
    assert (page.context["before"], page.context["after"]) == (old, new)
    sorts = {one.path: one.sort for one in page.context["differences"]}
    assert sorts["statuses[DONE]"] == "removed"
    assert sorts["statuses[END]"] == "added"
    assert sorts["statuses[PARSING].order"] == "changed"
    for word in ("added", "removed", "changed"):
        assert word in text_of(page)
    back = olga.get(address(new, "compare"), {"before": new.pk, "after": old.pk})
    assert {one.path: one.sort for one in back.context["differences"]}["statuses[DONE]"] == "added"


def test_versions_of_a_schema_are_those_of_its_name(olga):
    draft(DataSchemaDefinition)
    draft(DataSchemaDefinition, name="document.parsed.v10")
    ninth = draft(DataSchemaDefinition, name="document.parsed.v9")
    draft(DataSchemaDefinition, name="another.v1")
    family = olga.get(address(ninth, "compare")).context["family"]
    assert [one["label"] for one in family] == ["document.parsed.v1", "document.parsed.v9", "document.parsed.v10"]


@pytest.mark.parametrize("page", ["list", "change", "publish", "compare", "history", "try", "import", "login"])
def test_pages_have_no_script_or_style_written_into_them_and_a_policy(olga, client, page):
    row = draft()
    paths = {"list": list_of(StatusDefinitionSet), "import": reverse("admin:registries_definitionscope_import")}
    answer = client.get(reverse("admin:login")) if page == "login" else olga.get(paths.get(page) or address(row, page))
    text = text_of(answer)
    assert re.findall(r"<script(?![^>]*src=)[^>]*>|<style|\sstyle=|\son[a-z]+=", text) == []
    assert "default-src 'none'" in answer["Content-Security-Policy"]


def test_every_field_of_a_form_has_a_help_text(olga):
    for kind in KINDS:
        page = olga.get(reverse(f"admin:registries_{kind._meta.model_name}_add"))
        forms = [page.context["form"], page.context["place"]]
        forms += [page.context["rows"].empty_form] if page.context["rows"] is not None else []
        fields = [field for form in forms for field in form if field.name != "DELETE"]
        assert [field.name for field in fields if not field.help_text] == []
        assert [field.name for field in fields if not field.label] == []


def test_the_admin_speaks_chinese(olga):
    row = draft()
    olga.cookies["django_language"] = "zh-hans"
    page = text_of(olga.get(address(row)))
    assert "保存草稿" in page
    assert "可接在其后" in page
    assert 'lang="zh-hans"' in page


def test_a_viewer_without_scopes_sees_its_registry_alone():
    published()
    viewer = operator("vera", "view_statusdefinitionset")
    assert viewer.get(list_of(StatusDefinitionSet)).status_code == 200
    assert viewer.get(list_of(DataSchemaDefinition)).status_code == 403
    assert viewer.get(list_of(DefinitionScope)).status_code == 403
    assert operation()["code"] not in text_of(viewer.get(reverse("admin:index")))
    assert schema()["name"] not in text_of(viewer.get(reverse("admin:index")))
