"""Begin the next version of a definition (acceptance G01)."""

from registries.actors import Actor
from registries.editing.contents import next_version
from registries.editing.desk import Desk, change_row_at_desk
from registries.exchange.plan import Change, Step
from registries.kinds import DefinitionRow
from registries.states import State


def copy_definition(row: DefinitionRow, actor: Actor) -> DefinitionRow:
    """Make a draft with the content of this definition and the first version that comes after all others.

    Raises:
        DefinitionConflictError: if it is gone.
        DefinitionsRefusedError: if the next version's name would be too long.
    """

    def decide(desk: Desk) -> Step:
        have = desk.find(row)
        item = next_version(have.row, desk.stored)
        return Step(Change.CREATED, item.label, item, State.DRAFT, None)

    return change_row_at_desk(row, actor, decide)
