"""Begin a definition that is new to its scope."""

from collections.abc import Mapping
from typing import Any

from registries.actors import Actor
from registries.editing.contents import read_draft
from registries.editing.desk import Desk, change_at_desk
from registries.exchange.plan import Change, Step
from registries.kinds import DefinitionRow
from registries.states import State


def make_draft(
    kind: type[DefinitionRow], content: Mapping[str, Any], tenant: str, authority_scope: str, actor: Actor
) -> DefinitionRow:
    """Store a new draft of that model; its key (name; or type or code, pattern and version) must be free.

    Raises:
        DefinitionsRefusedError: if the form is bad, the key is taken, or the tenant is not the actor's.
    """
    item = read_draft(kind, content)

    def decide(desk: Desk) -> Step:
        desk.require_free(item.key)
        desk.require_fit_for_draft(item)
        return Step(Change.CREATED, item.label, item, State.DRAFT, None)

    return change_at_desk(tenant, authority_scope, actor, decide)
