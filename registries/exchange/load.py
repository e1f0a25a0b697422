"""Loading a definitions file: all of it or nothing, as often as one likes (acceptance G07)."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from registries.actors import COMMAND_LINE, Actor
from registries.exchange.apply import Signature, Source, apply_step
from registries.exchange.parse import DefinitionsFile, parse_definitions
from registries.exchange.plan import Change, Step, make_plan
from registries.exchange.retry import with_retries
from registries.exchange.stored import find_scope, lock_scope, make_scope, read_stored
from registries.models import DefinitionScope
from registries.problems import DefinitionsRefusedError, Problem
from registries.snapshot import NO_STAMP


@dataclass(frozen=True, slots=True)
class LoadReport:
    """Whose definitions were loaded, and what became of each."""

    tenant: str
    authority_scope: str
    steps: tuple[Step, ...]


def load_definitions(content: bytes, actor: Actor = COMMAND_LINE, seen_stamp: str | None = None) -> LoadReport:
    """Load a file's definitions into the registries of its tenant and scope.

    Arguments:
        content: the file.
        actor: who loads it, for the history; may be bound to one tenant.
        seen_stamp: the stamp of the preview that was agreed to, if there was one.

    Raises:
        DefinitionsRefusedError: with everything that is wrong with the file; then nothing has changed.
    """
    file = reachable_file(content, actor)
    # Most refusals end here, before a lock is taken or a row made for a scope that is new.
    _accepted(file, find_scope(file.tenant, file.authority_scope), seen_stamp)
    steps = with_retries(lambda: _load(file, actor, seen_stamp))
    return LoadReport(file.tenant, file.authority_scope, steps)


def reachable_file(content: bytes, actor: Actor) -> DefinitionsFile:
    """The file's rows, if its tenant is one that this actor may change.

    Raises:
        DefinitionsRefusedError: if it can't be read, or is another tenant's.
    """
    file = parse_definitions(content)
    if not actor.may_reach(file.tenant):
        message = gettext("is not yours; you may load files of %(tenant)s") % {"tenant": actor.tenant}
        raise DefinitionsRefusedError([Problem("tenant", message)])
    return file


def _load(file: DefinitionsFile, actor: Actor, seen_stamp: str | None) -> tuple[Step, ...]:
    """Judge the file again with the scope locked, and write what it changes."""
    make_scope(file.tenant, file.authority_scope)
    with transaction.atomic():
        scope = lock_scope(file.tenant, file.authority_scope)
        steps = _accepted(file, scope, seen_stamp)
        _apply(scope, steps, actor)
    return steps


def _accepted(file: DefinitionsFile, scope: DefinitionScope | None, seen_stamp: str | None) -> tuple[Step, ...]:
    if seen_stamp not in {None, scope.stamp if scope else NO_STAMP}:
        message = gettext("the definitions have changed since the preview; look at it again")
        raise DefinitionsRefusedError([Problem("", message)])
    plan = make_plan(file, read_stored(scope))
    if plan.problems:
        raise DefinitionsRefusedError(plan.problems)
    return plan.steps


def _apply(scope: DefinitionScope, steps: Iterable[Step], actor: Actor) -> None:
    changes = [step for step in steps if step.change is not Change.UNCHANGED]
    by = Signature(actor, Source.FILE, timezone.now())
    for step in changes:
        apply_step(scope, step, by)
    if changes:
        scope.renew_stamp()
