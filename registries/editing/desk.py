"""One scope's definitions while they are locked for a change."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registries.actors import Actor
from registries.exchange.apply import Signature, Source, apply_step
from registries.exchange.plan import Change, Step, problems_beside
from registries.exchange.retry import with_retries
from registries.exchange.stored import StoredDefinition, lock_scope, make_scope, read_stored
from registries.history import last_change
from registries.item import Key
from registries.items import DefinitionItem
from registries.kinds import DefinitionRow
from registries.models import DefinitionScope
from registries.problems import DefinitionConflictError, DefinitionsRefusedError, Problem
from registries.publishing.rules import draft_problems
from registries.states import State


@dataclass(frozen=True, slots=True)
class Desk:
    """The scope's definitions as they are under its lock."""

    scope: DefinitionScope
    stored: Mapping[Key, StoredDefinition]

    def find(self, row: DefinitionRow, seen: str | None = None) -> StoredDefinition:
        """The definition as it is now, if it still says what the actor saw."""
        have = next((have for have in self.stored.values() if have.row == row), None)
        if have is None:
            raise _gone(row)
        if seen is not None and seen != have.item.digest():
            message = _("was changed by %(actor)s since you opened it; open it again and repeat your change")
            raise _too_late(have, message)
        return have

    def find_draft(self, row: DefinitionRow, seen: str | None = None) -> StoredDefinition:
        """The same, if it is still a draft."""
        have = self.find(row)
        if have.state is State.PUBLISHED:
            raise _too_late(have, _("is published and frozen, last changed by %(actor)s; copy it to the next version"))
        if have.state is State.RETIRED:
            raise _too_late(have, _("is retired and frozen, last changed by %(actor)s; copy it to the next version"))
        return self.find(row, seen)

    def require_free(self, key: Key, row: DefinitionRow | None = None) -> None:
        """See that no other row has this key."""
        twin = self.stored.get(key)
        if twin is not None and twin.row != row:
            message = _("exists already, in the state %(state)s; choose another version or name")
            raise DefinitionsRefusedError([Problem("", message % {"state": twin.state}, twin.item.label)])

    def require_fit_for_draft(self, item: DefinitionItem) -> None:
        """See that a draft can hold this content."""
        _require_none(item, draft_problems(item))

    def require_fit_for_publishing(self, item: DefinitionItem) -> None:
        """See that this content may be published beside what the scope has."""
        _require_none(item, problems_beside(item, self.stored))


def change_at_desk(tenant: str, authority_scope: str, actor: Actor, decide: Callable[[Desk], Step]) -> DefinitionRow:
    """Lock the scope, let the use case decide on one step, carry it out; the row that it concerned.

    Raises:
        DefinitionsRefusedError: what the use case raises, or that the tenant is not the actor's.
    """
    if not actor.may_reach(tenant):
        raise DefinitionsRefusedError([Problem("tenant", _("is not yours; choose your own"))])
    make_scope(tenant, authority_scope)
    return with_retries(lambda: _change(tenant, authority_scope, actor, decide))


def change_row_at_desk(row: DefinitionRow, actor: Actor, decide: Callable[[Desk], Step]) -> DefinitionRow:
    """The same for a definition that exists; one of another tenant is told of as if it didn't."""
    if not actor.may_reach(row.scope.tenant_id):
        raise _gone(row)
    return change_at_desk(row.scope.tenant_id, row.scope.authority_scope, actor, decide)


def _change(tenant: str, authority_scope: str, actor: Actor, decide: Callable[[Desk], Step]) -> DefinitionRow:
    with transaction.atomic():
        scope = lock_scope(tenant, authority_scope)
        step = decide(Desk(scope, read_stored(scope)))
        if step.change is Change.UNCHANGED and step.stored:
            return step.stored.row
        row = apply_step(scope, step, Signature(actor, Source.EDITOR, timezone.now()))
        scope.renew_stamp()
    return row


def _require_none(item: DefinitionItem, problems: Iterable[Problem]) -> None:
    found = [problem.under("", item.label) for problem in problems]
    if found:
        raise DefinitionsRefusedError(found)


def _gone(row: DefinitionRow) -> DefinitionConflictError:
    return DefinitionConflictError([Problem("", _("doesn't exist any more; go back to the list"), str(row))])


def _too_late(have: StoredDefinition, message: str) -> DefinitionConflictError:
    change = last_change(have.row)
    actor = change.actor if change else _("somebody")
    return DefinitionConflictError([Problem("", message % {"actor": actor}, have.item.label)])
