"""Freeze a draft and let tasks bind to it (rulings 41, 42)."""

from registries.actors import Actor
from registries.editing.desk import Desk, change_row_at_desk
from registries.exchange.plan import Change, Step
from registries.kinds import DefinitionRow
from registries.states import State


def publish_definition(row: DefinitionRow, actor: Actor, seen: str | None = None) -> DefinitionRow:
    """Publish the draft as it is stored; every process uses it a moment later.

    Raises:
        DefinitionConflictError: if it is no draft any more, is gone, or says other than what was seen.
        DefinitionsRefusedError: with everything that keeps it from being published.
    """

    def decide(desk: Desk) -> Step:
        have = desk.find_draft(row, seen)
        desk.require_fit_for_publishing(have.item)
        return Step(Change.PUBLISHED, have.item.label, have.item, State.PUBLISHED, have)

    return change_row_at_desk(row, actor, decide)
