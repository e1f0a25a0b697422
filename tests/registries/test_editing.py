"""Drafts are made, changed, published, copied, retired and deleted, each by one use case (acceptance G01, G06)."""

import pytest

from registries.actors import Actor
from registries.editing.contents import content_of, digest_of, publishing_faults
from registries.editing.copy_definition import copy_definition
from registries.editing.delete_draft import delete_draft
from registries.editing.make_draft import make_draft
from registries.editing.publish_definition import publish_definition
from registries.editing.retire_definition import retire_definition
from registries.editing.save_draft import save_draft
from registries.history import history_of, history_of_scope
from registries.kinds import DefinitionRow
from registries.models import (
    DataSchemaDefinition,
    DefinitionChange,
    DefinitionScope,
    OperationDefinition,
    StatusDefinition,
    StatusDefinitionSet,
)
from registries.problems import DefinitionConflictError, DefinitionsRefusedError
from tests.registries.support import SCOPE, TENANT, Row, all_rows, load, operation, schema, status_set
from tests.support.definitions import draft_of

ALICE, BOB = Actor("alice", TENANT), Actor("bob")
MALLORY = Actor("mallory", "other")
KINDS = (StatusDefinitionSet, OperationDefinition, DataSchemaDefinition)
CONTENTS: dict[type[DefinitionRow], Row] = {
    StatusDefinitionSet: status_set(),
    OperationDefinition: operation(),
    DataSchemaDefinition: schema(),
}
# A change of each kind that it can be published with.
CHANGED: dict[type[DefinitionRow], Row] = {
    StatusDefinitionSet: status_set(taskDataSchemas=["generic.result.v1"]),
    OperationDefinition: operation(maxAttempts=7),
    DataSchemaDefinition: schema(maxBytes=100),
}
ANY_KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)

pytestmark = pytest.mark.django_db


def draft(kind: type[DefinitionRow]) -> DefinitionRow:
    return make_draft(kind, draft_of(CONTENTS[kind]), TENANT, SCOPE, ALICE)


def published(kind: type[DefinitionRow]) -> DefinitionRow:
    return publish_definition(draft(kind), ALICE)


def stamp() -> str:
    return DefinitionScope.objects.get().stamp


def refused(call, *args, error=DefinitionsRefusedError, **kwargs) -> str:
    """What is said against it; nothing may have changed."""
    before = all_rows()
    with pytest.raises(error) as caught:
        call(*args, **kwargs)
    assert all_rows() == before
    return str(caught.value)


@pytest.mark.accepts("G01")
@ANY_KIND
def test_a_draft_is_made_published_and_then_frozen(kind):
    row = draft(kind)
    assert (row.state, row.published_at) == ("draft", None)
    row = publish_definition(row, BOB, seen=digest_of(row))
    assert (row.state, row.published_at is None) == ("published", False)
    words = "is published and frozen, last changed by bob; copy it to the next version"
    assert words in refused(save_draft, row, draft_of(CHANGED[kind]), ALICE, error=DefinitionConflictError)


@pytest.mark.accepts("G01")
@ANY_KIND
def test_a_copy_starts_the_next_version(kind):
    first = published(kind)
    copy = copy_definition(first, BOB)
    assert copy.state == "draft"
    first_content, content = content_of(first), content_of(copy)
    own = {"name"} if kind is DataSchemaDefinition else {"version"}
    assert {name for name in content if content[name] != first_content[name]} == own
    assert str(copy).replace("v2", "v1") == str(first)
    assert "v3" in str(copy_definition(first, BOB))


def test_a_copied_set_has_its_codes():
    copy = copy_definition(published(StatusDefinitionSet), ALICE)
    assert copy.statuses.count() == 3
    assert StatusDefinition.objects.count() == 6


@ANY_KIND
def test_a_draft_may_say_something_else(kind):
    row = save_draft(draft(kind), draft_of(CHANGED[kind]), BOB)
    assert content_of(row) == content_of(kind.objects.get())
    renamed = {DataSchemaDefinition: {"name": "other.v7"}}.get(kind, {"version": 7})
    row = save_draft(row, draft_of(CHANGED[kind]) | renamed, BOB)
    assert "7" in str(row)
    assert kind.objects.count() == 1


def test_saving_what_is_there_changes_nothing():
    row = draft(OperationDefinition)
    before = all_rows()
    assert save_draft(row, content_of(row), BOB).pk == row.pk
    assert all_rows() == before
    assert DefinitionChange.objects.count() == 1


@pytest.mark.accepts("G06")
@ANY_KIND
def test_a_draft_can_be_deleted_and_what_was_ever_published_can_not(kind):
    delete_draft(draft(kind), BOB)
    assert not kind.objects.exists()
    row = published(kind)
    assert "is published and frozen" in refused(delete_draft, row, ALICE, error=DefinitionConflictError)
    row = retire_definition(row, ALICE)
    assert "is retired and frozen" in refused(delete_draft, row, ALICE, error=DefinitionConflictError)


@ANY_KIND
def test_what_is_published_can_be_retired_once(kind):
    row = retire_definition(published(kind), BOB)
    assert (row.state, row.retired_at is None) == ("retired", False)
    assert "is retired already" in refused(retire_definition, row, ALICE, error=DefinitionConflictError)
    assert "is retired and frozen" in refused(publish_definition, row, ALICE, error=DefinitionConflictError)
    copy_definition(row, ALICE)


def test_a_draft_is_deleted_instead_of_retired():
    assert "delete it instead" in refused(retire_definition, draft(OperationDefinition), ALICE)


@ANY_KIND
def test_what_changed_meanwhile_is_not_overwritten(kind):
    row = draft(kind)
    seen = digest_of(row)
    save_draft(row, draft_of(CHANGED[kind]), BOB, seen=seen)
    words = "was changed by bob since you opened it; open it again and repeat your change"
    for attempt in (
        lambda: save_draft(row, draft_of(CONTENTS[kind]), ALICE, seen=seen),
        lambda: publish_definition(row, ALICE, seen=seen),
        lambda: delete_draft(row, ALICE, seen=seen),
    ):
        assert words in refused(attempt, error=DefinitionConflictError)


@ANY_KIND
def test_what_is_gone_is_told_of(kind):
    row = draft(kind)
    delete_draft(kind.objects.get(), BOB)
    for attempt in (
        lambda: save_draft(row, draft_of(CHANGED[kind]), ALICE),
        lambda: publish_definition(row, ALICE),
        lambda: retire_definition(row, ALICE),
        lambda: copy_definition(row, ALICE),
        lambda: delete_draft(row, ALICE),
    ):
        assert "doesn't exist any more" in refused(attempt, error=DefinitionConflictError)


@ANY_KIND
def test_another_tenants_definition_is_told_of_as_if_it_were_gone(kind):
    row = draft(kind)
    for attempt in (
        lambda: save_draft(row, draft_of(CHANGED[kind]), MALLORY),
        lambda: publish_definition(row, MALLORY),
        lambda: copy_definition(row, MALLORY),
        lambda: delete_draft(row, MALLORY),
    ):
        assert "doesn't exist any more" in refused(attempt, error=DefinitionConflictError)
    assert "tenant: is not yours" in refused(make_draft, kind, draft_of(CHANGED[kind]), TENANT, SCOPE, MALLORY)


@ANY_KIND
def test_a_key_is_taken_once(kind):
    published(kind)
    words = "exists already, in the state published; choose another version or name"
    assert words in refused(make_draft, kind, draft_of(CHANGED[kind]), TENANT, SCOPE, ALICE)
    other = copy_definition(kind.objects.get(), ALICE)
    assert words in refused(save_draft, other, draft_of(CHANGED[kind]), ALICE)


def test_a_draft_keeps_the_forms_and_publishing_the_rules():
    draft_row = draft(OperationDefinition)
    bad_form = draft_of(operation(heartbeatIntervalSeconds="often", verbose=True))
    said = refused(save_draft, draft_row, bad_form, ALICE)
    assert "heartbeatIntervalSeconds (DOCUMENT.PARSE v1): " in said
    assert "verbose (DOCUMENT.PARSE v1): is no member of definitions" in said
    bad_rule = draft_of(operation(heartbeatTimeoutSeconds=2))
    row = save_draft(draft_row, bad_rule, ALICE)
    words = "heartbeatTimeoutSeconds (DOCUMENT.PARSE v1): is 2, under three intervals; make it 45 at least"
    assert words in refused(publish_definition, row, ALICE)
    (fault,) = publishing_faults(OperationDefinition, bad_rule, TENANT, SCOPE)
    assert str(fault) == words
    paths = [fault.path for fault in publishing_faults(OperationDefinition, bad_form, TENANT, SCOPE)]
    assert paths == ["heartbeatIntervalSeconds", "verbose"]


def test_a_draft_names_a_schema_once_that_is_published():
    schema_row = draft(DataSchemaDefinition)
    named = draft_of(operation(allowedDataSchemas={"STEP_COMPLETED": ["document.parsed.v1"]}))
    row = make_draft(OperationDefinition, named, TENANT, SCOPE, ALICE)
    assert "names document.parsed.v1, which is" in refused(publish_definition, row, ALICE)
    publish_definition(schema_row, ALICE)
    publish_definition(row, ALICE)
    retire_definition(schema_row, ALICE)
    assert "names document.parsed.v1, which is" in refused(publish_definition, copy_definition(row, ALICE), ALICE)


def test_every_change_renews_the_stamp():
    stamps = []
    row = draft(OperationDefinition)
    for change in (
        lambda row: save_draft(row, draft_of(CHANGED[OperationDefinition]), ALICE),
        lambda row: publish_definition(row, ALICE),
        lambda row: retire_definition(row, ALICE),
        lambda row: copy_definition(row, ALICE),
        lambda row: delete_draft(row, ALICE),
    ):
        stamps.append(stamp())
        row = change(row)
    assert len({*stamps, stamp()}) == 6


@pytest.mark.accepts("G06")
@ANY_KIND
def test_the_history_says_who_did_what_and_when(kind):
    row = draft(kind)
    before = digest_of(row)
    row = save_draft(row, draft_of(CHANGED[kind]), BOB)
    publish_definition(row, ALICE)
    retire_definition(row, BOB)
    told = [(past.change.actor, past.change.action, past.change.state) for past in history_of(row)]
    assert told == [
        ("bob", "retired", "retired"),
        ("alice", "published", "published"),
        ("bob", "updated", "draft"),
        ("alice", "created", "draft"),
    ]
    retired, was_published, updated, created = history_of(row)
    assert (updated.change.digest_before, updated.change.digest_after) == (before, digest_of(row))
    assert len(updated.differences) == 1
    assert retired.differences == was_published.differences == ()
    assert {difference.before for difference in created.differences} == {None}
    assert [past.change.source for past in history_of(row, most=1)] == ["editor"]


def test_a_deleted_draft_keeps_its_history():
    row = draft(OperationDefinition)
    delete_draft(OperationDefinition.objects.get(), BOB)
    deleted, _ = history_of(row)
    assert (deleted.change.actor, deleted.change.action, deleted.change.digest_after) == ("bob", "deleted", None)
    assert deleted.change.content["code"] == "DOCUMENT.PARSE"
    assert ("code", "DOCUMENT.PARSE", None) in [(d.path, d.before, d.after) for d in deleted.differences]


@pytest.mark.accepts("G06")
def test_a_file_is_in_the_history_too():
    load(operations=[operation(state="draft")], sets=[status_set()])
    load(operations=[operation()], sets=[status_set()])
    told = [(c.actor, c.source, c.action, c.name) for c in DefinitionChange.objects.order_by("pk")]
    assert told == [
        ("command-line", "file", "created", "DOCUMENT_PROCESS v1"),
        ("command-line", "file", "created", "DOCUMENT.PARSE v1"),
        ("command-line", "file", "published", "DOCUMENT.PARSE v1"),
    ]
    assert [c.name for c in history_of_scope(DefinitionScope.objects.get(), most=1)] == ["DOCUMENT.PARSE v1"]


def test_a_name_that_gets_too_long_is_refused():
    row = publish_definition(
        make_draft(DataSchemaDefinition, schema(name="a" * 125 + ".v9"), TENANT, SCOPE, ALICE), ALICE
    )
    assert "name" in refused(copy_definition, row, ALICE)
