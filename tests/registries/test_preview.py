"""What a file would change is told before it does, and nothing is written (acceptance G07)."""

import pytest

from registries.actors import Actor
from registries.editing.make_draft import make_draft
from registries.editing.publish_definition import publish_definition
from registries.editing.retire_definition import retire_definition
from registries.exchange.export import export_definitions
from registries.exchange.load import load_definitions
from registries.exchange.preview import preview_import
from registries.models import DataSchemaDefinition, DefinitionChange
from registries.problems import DefinitionsRefusedError
from tests.registries.support import SCOPE, TENANT, all_rows, file, load, operation, refusals, schema, status_set

pytestmark = [pytest.mark.django_db, pytest.mark.accepts("G07")]

ALICE = Actor("alice", TENANT)


def test_everything_that_would_change_is_told_and_nothing_is_written():
    load(operations=[operation(), operation(version=2, state="draft")], sets=[status_set()])
    content = file(
        schemas=[schema()],
        sets=[status_set(state="retired")],
        operations=[operation(), operation(version=2, maxAttempts=8), operation(version=3, state="draft")],
    )
    before = all_rows()
    preview = preview_import(content, ALICE)
    assert all_rows() == before
    assert (preview.tenant, preview.authority_scope, preview.is_loadable) == (TENANT, SCOPE, True)
    told = [(one.name, one.change, one.state_before, one.state_after) for one in preview.changes]
    assert told == [
        ("document.parsed.v1", "created", None, "published"),
        ("DOCUMENT_PROCESS v1", "retired", "published", "retired"),
        ("DOCUMENT.PARSE v1", "unchanged", "published", "published"),
        ("DOCUMENT.PARSE v2", "published", "draft", "published"),
        ("DOCUMENT.PARSE v3", "created", None, "draft"),
    ]
    changed = {one.name: [(d.path, d.before, d.after) for d in one.differences] for one in preview.changes}
    assert changed["DOCUMENT.PARSE v2"] == [("maxAttempts", 3, 8)]
    assert changed["DOCUMENT_PROCESS v1"] == changed["DOCUMENT.PARSE v1"] == []
    assert ("maxBytes", None, 4096) in changed["document.parsed.v1"]


def test_problems_are_told_beside_the_changes():
    load(operations=[operation()])
    preview = preview_import(file(operations=[operation(maxAttempts=9), operation("x"), operation("A.B")]), ALICE)
    assert not preview.is_loadable
    assert [problem.path for problem in preview.problems] == ["operations[1].code", "operations[0]"]
    assert [one.name for one in preview.changes] == ["A.B v1"]


def test_what_is_loaded_is_what_was_agreed_to():
    content = file(operations=[operation()])
    preview = preview_import(content, ALICE)
    load_definitions(content, ALICE, seen_stamp=preview.stamp)
    assert DefinitionChange.objects.get().actor == "alice"
    preview = preview_import(content, ALICE)
    load(sets=[status_set()])
    with pytest.raises(DefinitionsRefusedError, match="have changed since the preview; look at it again"):
        load_definitions(content, ALICE, seen_stamp=preview.stamp)
    load_definitions(content, ALICE, seen_stamp=preview_import(content, ALICE).stamp)


@pytest.mark.parametrize("use", [preview_import, load_definitions])
def test_another_tenants_file_is_refused(use):
    with pytest.raises(DefinitionsRefusedError, match="tenant: is not yours"):
        use(file(operations=[operation()], tenant="other"), ALICE)
    assert all_rows() == []


def test_a_file_that_can_not_be_read_has_no_preview():
    with pytest.raises(DefinitionsRefusedError, match="the file is not YAML"):
        preview_import(b"{", ALICE)


def test_an_export_tells_of_retired_schemas_and_loads_again():
    row = make_draft(DataSchemaDefinition, schema(), TENANT, SCOPE, ALICE)
    assert "document.parsed.v1" not in export_definitions(TENANT, SCOPE)
    publish_definition(row, ALICE)
    load(operations=[operation(allowedDataSchemas={"STEP_COMPLETED": ["document.parsed.v1"]})])
    retire_definition(row, ALICE)
    text = export_definitions(TENANT, SCOPE)
    assert {one.change for one in preview_import(text.encode(), ALICE).changes} == {"unchanged"}
    elsewhere = text.replace(f"tenant: {TENANT}", "tenant: other").encode()
    assert {one.change for one in preview_import(elsewhere, Actor("bob")).changes} == {"created"}
    newer = operation(version=2, allowedDataSchemas={"STEP_COMPLETED": ["document.parsed.v1"]})
    assert "names document.parsed.v1" in refusals(file(schemas=[schema()], operations=[newer]))[0]
