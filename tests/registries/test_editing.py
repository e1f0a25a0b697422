"""Drafts are made, changed, published, copied, retired and deleted, each by one use case (acceptance G01, G06)."""

import pytest

from registries.actors import Actor
from registries.editing.contents import content_of, digest_of
from registries.editing.copy_definition import copy_definition
from registries.editing.make_draft import make_draft
from registries.editing.publish_definition import publish_definition
from registries.editing.save_draft import save_draft
from registries.kinds import DefinitionRow
from registries.models import (
    DataSchemaDefinition,
    DefinitionScope,
    OperationDefinition,
    StatusDefinition,
    StatusDefinitionSet,
)
from registries.problems import DefinitionConflictError, DefinitionsRefusedError
from tests.registries.support import SCOPE, TENANT, Row, all_rows, operation, schema, status_set

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


def without_state(content: Row) -> Row:
    return {name: value for name, value in content.items() if name != "state"}


def draft(kind: type[DefinitionRow]) -> DefinitionRow:
    return make_draft(kind, without_state(CONTENTS[kind]), TENANT, SCOPE, ALICE)


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
    assert words in refused(save_draft, row, without_state(CHANGED[kind]), ALICE, error=DefinitionConflictError)


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
