"""What loading a file would change, and what speaks against it; nothing is written here."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext

from registries.builtin import BUILT_IN_SCHEMAS
from registries.exchange.parse import DefinitionsFile, Placed
from registries.exchange.stored import StoredDefinition
from registries.item import Key
from registries.items import DataSchemaItem, DefinitionItem, OperationItem
from registries.problems import Problem
from registries.publishing.rules import draft_problems, publishing_problems
from registries.states import State
from taskstatus.domain.idempotency import canonical_json


class Change(StrEnum):
    """What is done to one definition; no file deletes one."""

    CREATED = "created"
    UPDATED = "updated"
    PUBLISHED = "published"
    RETIRED = "retired"
    DELETED = "deleted"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Step:
    """One definition, what becomes of it, the state it comes to, and the row that it has already."""

    change: Change
    name: str
    item: DefinitionItem
    state: State
    stored: StoredDefinition | None


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a file would change, in the order of the file; to be carried out only without problems."""

    steps: tuple[Step, ...]
    problems: tuple[Problem, ...]


def make_plan(file: DefinitionsFile, stored: Mapping[Key, StoredDefinition]) -> Plan:
    """Compare the file with what the scope has, and judge what it would publish."""
    steps: list[Step] = []
    problems = [*file.problems, *_twins(file)]
    known = file.named_schemas - _schemas_in(State.RETIRED, stored) | _published_schemas(stored)
    profiles = _profiles({**_items(stored), **{placed.item.key: placed.item for placed in file.rows}}.values())
    for placed in file.rows:
        have = stored.get(placed.item.key)
        change = _change(placed.item, have)
        if isinstance(change, Change):
            steps.append(Step(change, placed.name, placed.item, _state(placed.item, have), have))
            found = _problems(placed.item, change, known, profiles)
        else:
            found = iter([change])
        problems += [problem.under(placed.path, placed.name) for problem in found]
    return Plan(tuple(steps), tuple(problems))


def _state(item: DefinitionItem, have: StoredDefinition | None) -> State:
    """What the file says; of a data schema it can't say that it is retired."""
    is_retired = have is not None and have.state is State.RETIRED
    return State.RETIRED if is_retired else item.state


def _twins(file: DefinitionsFile) -> Iterator[Problem]:
    first: dict[Key, Placed] = {}
    for placed in file.rows:
        twin = first.setdefault(placed.item.key, placed)
        if twin is not placed:
            message = gettext("is defined already by %(twin)s; keep one of them") % {"twin": twin.path}
            yield Problem(placed.path, message, placed.name)


def _published_schemas(stored: Mapping[Key, StoredDefinition]) -> frozenset[str]:
    return _schemas_in(State.PUBLISHED, stored) | frozenset(BUILT_IN_SCHEMAS)


def problems_beside(item: DefinitionItem, stored: Mapping[Key, StoredDefinition]) -> Iterator[Problem]:
    """Everything that keeps a definition from being published beside those that the scope has."""
    return publishing_problems(item, _published_schemas(stored), _profiles(_items(stored).values()))


def _profiles(items: Iterable[DefinitionItem]) -> list[OperationItem]:
    operations = (item for item in items if isinstance(item, OperationItem))
    return [item for item in operations if item.generic and item.state is State.PUBLISHED]


def _items(stored: Mapping[Key, StoredDefinition]) -> dict[Key, DefinitionItem]:
    return {key: have.item for key, have in stored.items()}


def _schemas_in(state: State, stored: Mapping[Key, StoredDefinition]) -> frozenset[str]:
    items = (have.item for have in stored.values() if have.state is state)
    return frozenset(item.name for item in items if isinstance(item, DataSchemaItem))


def _change(item: DefinitionItem, have: StoredDefinition | None) -> Change | Problem:
    """What becomes of a definition, or why nothing may."""
    if have is None:
        return Change.CREATED
    if have.state is not State.DRAFT:
        return _change_of_frozen(item, have)
    if item.state is not State.DRAFT:
        return Change.PUBLISHED
    return Change.UPDATED if item.content() != have.item.content() else Change.UNCHANGED


def _change_of_frozen(item: DefinitionItem, have: StoredDefinition) -> Change | Problem:
    """Published definitions are frozen wholly, and only ever retired (rulings 41, 42)."""
    if item.content() != have.item.content():
        message = gettext(
            "is %(state)s and frozen, and the file differs in %(members)s; give the changed one the next version"
        )
        return Problem("", message % {"state": have.state.value, "members": _differing(item, have.item)})
    # A file has no state for a data schema: it says nothing against a retired one.
    if item.state is have.state or isinstance(item, DataSchemaItem):
        return Change.UNCHANGED
    if item.state is State.RETIRED:
        return Change.RETIRED
    message = gettext("can't go from %(before)s back to %(after)s; give the changed one the next version")
    return Problem("state", message % {"before": have.state.value, "after": item.state.value})


def _differing(item: DefinitionItem, have: DefinitionItem) -> str:
    new, old = item.spelled(), have.spelled()
    return ", ".join(member for member in new if canonical_json(new[member]) != canonical_json(old[member]))


def _problems(
    item: DefinitionItem, change: Change, known: frozenset[str], profiles: Iterable[OperationItem]
) -> Iterator[Problem]:
    """Judge what this file publishes; what is published already was judged when that happened."""
    if change not in {Change.CREATED, Change.UPDATED, Change.PUBLISHED}:
        return iter(())
    return draft_problems(item) if item.state is State.DRAFT else publishing_problems(item, known, profiles)
