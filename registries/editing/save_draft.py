"""Give a draft another content."""

from collections.abc import Mapping
from typing import Any

from registries.actors import Actor
from registries.editing.contents import read_draft
from registries.editing.desk import Desk, change_row_at_desk
from registries.exchange.plan import Change, Step
from registries.kinds import DefinitionRow
from registries.states import State


def save_draft(row: DefinitionRow, content: Mapping[str, Any], actor: Actor, seen: str | None = None) -> DefinitionRow:
    """Store the content, whole, in place of what the draft said; its key may change too. No change is no event.

    Raises:
        DefinitionConflictError: if it is no draft any more, is gone, or says other than what was seen.
        DefinitionsRefusedError: if the form is bad, or another definition has the key.
    """
    item = read_draft(type(row), content)

    def decide(desk: Desk) -> Step:
        have = desk.find_draft(row, seen)
        desk.require_free(item.key, have.row)
        desk.require_fit_for_draft(item)
        change = Change.UNCHANGED if item.content() == have.item.content() else Change.UPDATED
        return Step(change, item.label, item, State.DRAFT, have)

    return change_row_at_desk(row, actor, decide)
