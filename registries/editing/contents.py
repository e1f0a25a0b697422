"""The contents of definitions as editors see them: read, judged, fingerprinted, counted on."""

from collections.abc import Iterable, Mapping
from typing import Any

from registries.exchange.form_problems import read_item
from registries.exchange.plan import problems_beside
from registries.exchange.rows import item_of
from registries.exchange.stored import find_scope, read_stored
from registries.item import BEFORE_VERSION, Key, family_and_version
from registries.items import DataSchemaItem, DefinitionItem
from registries.kinds import ITEM_OF, DefinitionRow
from registries.problems import DefinitionsRefusedError, Problem
from registries.states import State


def content_of(row: DefinitionRow) -> dict[str, Any]:
    """What a definition says, as a file spells it, without its state."""
    return item_of(row).spelled()


def digest_of(row: DefinitionRow) -> str:
    """The fingerprint of what a definition says; an editor hands it back as `seen`."""
    return item_of(row).digest()


def read_draft(kind: type[DefinitionRow], content: Mapping[str, Any]) -> DefinitionItem:
    """The definition that a draft with this content is.

    Raises:
        DefinitionsRefusedError: with every fault of its form.
    """
    item = ITEM_OF[kind]
    return read_item(item, content if item is DataSchemaItem else {**content, "state": State.DRAFT.value})


def publishing_faults(
    kind: type[DefinitionRow], content: Mapping[str, Any], tenant: str, authority_scope: str
) -> tuple[Problem, ...]:
    """Everything that would keep this content from being published now; nothing is written."""
    try:
        item = read_draft(kind, content)
    except DefinitionsRefusedError as error:
        return error.problems
    stored = read_stored(find_scope(tenant, authority_scope))
    return tuple(problem.under("", item.label) for problem in problems_beside(item, stored))


def next_version(row: DefinitionRow, taken: Iterable[Key]) -> DefinitionItem:
    """The same content, as a draft, under the version after the highest that is taken."""
    item = item_of(row)
    siblings = [_family_and_version(key) for key in taken]
    family, _ = _family_and_version(item.key)
    version = 1 + max((version for other, version in siblings if other == family), default=0)
    member: dict[str, object] = {"version": version}
    if isinstance(item, DataSchemaItem):
        member = {"name": f"{family[-1]}{BEFORE_VERSION}{version}"}
    return read_draft(type(row), item.spelled() | member)


def _family_and_version(key: Key) -> tuple[Key, int]:
    """What all versions of a definition share; of a data schema the name says both."""
    if key[0] != DataSchemaItem.kind:
        return key[:-1], int(key[-1])
    family, version = family_and_version(str(key[-1]))
    return (key[0], family), version
