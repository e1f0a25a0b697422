"""A scope leaves as one file and comes back after a look at the difference, all of it or nothing (acceptance G07)."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from registries.models import DataSchemaDefinition, DefinitionChange, DefinitionScope, StatusDefinitionSet
from tests.admin.support import draft, messages_of, operator, published, text_of
from tests.registries.support import file, operation, schema, status_set

pytestmark = [pytest.mark.django_db, pytest.mark.accepts("G07")]
IMPORT = reverse("admin:registries_definitionscope_import")


def preview(client, content):
    return client.post(IMPORT, {"file": SimpleUploadedFile("scope.yaml", content)})


def agreed(page):
    return {"content": page.context["content"], "stamp": page.context["preview"].stamp}


def test_a_file_is_looked_at_then_loaded(olga):
    content = file(schemas=[schema()], sets=[status_set()], operations=[operation()])
    page = preview(olga, content)
    assert [change["name"] for change in page.context["changes"]] == [
        "document.parsed.v1",
        "DOCUMENT_PROCESS v1",
        "DOCUMENT.PARSE v1",
    ]
    assert not DefinitionScope.objects.exists()
    answer = olga.post(IMPORT, agreed(page), follow=True)
    assert messages_of(answer) == ["3 definitions were changed."]
    assert set(DefinitionChange.objects.values_list("actor", "source")) == {("olga", "file")}
    again = preview(olga, content)
    assert (again.context["changes"], again.context["unchanged"]) == ([], 3)


def test_the_preview_shows_what_differs(olga):
    draft()
    page = preview(olga, file(sets=[status_set(state="draft", taskDataSchemas=["a.v1"])]))
    (change,) = page.context["changes"]
    (difference,) = change["differences"]
    assert (difference.path, difference.sort) == ("taskDataSchemas", "changed")
    assert "updated" in str(change["badge"])


def test_one_fault_keeps_everything_out_and_is_told_with_its_place(olga):
    published()
    page = preview(olga, file(schemas=[schema()], sets=[status_set(taskDataSchemas=["nowhere.v1"])]))
    assert "is published and frozen" in text_of(page)
    assert "Load all of it" not in text_of(page)
    answer = olga.post(IMPORT, agreed(page))
    assert "is published and frozen" in " ".join(messages_of(answer))
    assert not DataSchemaDefinition.objects.exists()


def test_what_changed_since_the_preview_is_not_loaded(olga):
    page = preview(olga, file(schemas=[schema()]))
    draft()
    answer = olga.post(IMPORT, agreed(page))
    assert "have changed since the preview" in messages_of(answer)[0]
    assert not DataSchemaDefinition.objects.exists()
    olga.post(IMPORT, agreed(answer))
    assert DataSchemaDefinition.objects.exists()


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"a: [", b"apiVersion: x"], ids=["empty", "binary", "yaml", "other"]
)
def test_what_is_no_definitions_file_is_refused_with_a_reason(olga, content):
    page = preview(olga, content)
    problems = page.context.get("problems") or page.context["form"].non_field_errors() or page.context["form"].errors
    assert problems
    assert not DefinitionScope.objects.exists()


def test_a_broken_confirmation_loads_nothing(olga):
    assert olga.post(IMPORT, {"content": "no base 64!", "stamp": ""}).status_code == 200
    assert not DefinitionScope.objects.exists()


def test_the_export_is_a_file_that_changes_nothing(olga):
    olga.post(IMPORT, agreed(preview(olga, file(schemas=[schema()], sets=[status_set()]))))
    scope = DefinitionScope.objects.get()
    answer = olga.get(reverse("admin:registries_definitionscope_export", args=[scope.pk]))
    assert answer["Content-Disposition"] == 'attachment; filename="acme-content-platform.yaml"'
    assert preview(olga, answer.content).context["changes"] == []


@pytest.mark.accepts("S13")
def test_import_and_export_take_rights_of_their_own():
    scope = draft().scope
    export = reverse("admin:registries_definitionscope_export", args=[scope.pk])
    viewer = operator("vera", "view", "add", "change", "publish", "view_definitionscope")
    assert viewer.get(export).status_code == 403
    assert viewer.get(IMPORT).status_code == 403
    assert viewer.post(IMPORT, {"text": file(schemas=[schema()]).decode()}).status_code == 403
    assert "Export" not in text_of(viewer.get(reverse("admin:registries_definitionscope_change", args=[scope.pk])))
    assert operator("ed", "view_definitionscope", "export_definitions").get(export).status_code == 200
    assert operator("im", "import_definitions").get(IMPORT).status_code == 200


def test_who_may_import_alone_is_led_home_afterwards():
    importer = operator("im", "import_definitions")
    answer = importer.post(IMPORT, agreed(preview(importer, file(sets=[status_set()]))))
    assert answer["Location"] == reverse("admin:index")
    assert StatusDefinitionSet.objects.get().state == "published"
