"""Let nothing new bind to a definition; what is bound goes on (ruling 42)."""

from django.utils.translation import gettext as _

from registries.actors import Actor
from registries.editing.desk import Desk, change_row_at_desk
from registries.exchange.plan import Change, Step
from registries.kinds import DefinitionRow
from registries.problems import DefinitionConflictError, DefinitionsRefusedError, Problem
from registries.states import State


def retire_definition(row: DefinitionRow, actor: Actor) -> DefinitionRow:
    """Retire what is published.

    Raises:
        DefinitionConflictError: if it is retired already, or gone.
        DefinitionsRefusedError: if it is a draft.
    """

    def decide(desk: Desk) -> Step:
        have = desk.find(row)
        if have.state is State.DRAFT:
            message = _("is a draft, to which nothing is bound; delete it instead")
            raise DefinitionsRefusedError([Problem("", message, have.item.label)])
        if have.state is State.RETIRED:
            raise DefinitionConflictError(
                [Problem("", _("is retired already; nothing is left to do"), have.item.label)]
            )
        return Step(Change.RETIRED, have.item.label, have.item, State.RETIRED, have)

    return change_row_at_desk(row, actor, decide)
