"""Throw a draft away; what was ever published stays for good (acceptance G06)."""

from registries.actors import Actor
from registries.editing.desk import Desk, change_row_at_desk
from registries.exchange.plan import Change, Step
from registries.kinds import DefinitionRow
from registries.states import State


def delete_draft(row: DefinitionRow, actor: Actor, seen: str | None = None) -> None:
    """Delete the draft; its history keeps what it said.

    Raises:
        DefinitionConflictError: if it was published, is gone, or says other than what was seen.
    """

    def decide(desk: Desk) -> Step:
        have = desk.find_draft(row, seen)
        return Step(Change.DELETED, have.item.label, have.item, State.DRAFT, have)

    change_row_at_desk(row, actor, decide)
