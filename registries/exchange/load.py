"""Loading a definitions file: all of it or nothing, as often as one likes (acceptance G07)."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from registries.exchange.apply import apply_step
from registries.exchange.parse import DefinitionsFile, parse_definitions
from registries.exchange.plan import Change, Step, make_plan
from registries.exchange.retry import with_retries
from registries.exchange.stored import find_scope, read_stored
from registries.models import DefinitionScope
from registries.problems import DefinitionsRefusedError


@dataclass(frozen=True, slots=True)
class LoadReport:
    """Whose definitions were loaded, and what became of each."""

    tenant: str
    authority_scope: str
    steps: tuple[Step, ...]


def load_definitions(content: bytes) -> LoadReport:
    """Load a file's definitions into the registries of its tenant and scope.

    Raises:
        DefinitionsRefusedError: with everything that is wrong with the file; then nothing has changed.
    """
    file = parse_definitions(content)
    # Most refusals end here, before a lock is taken or a row made for a scope that is new.
    _accepted(file, find_scope(file.tenant, file.authority_scope))
    steps = with_retries(lambda: _load(file))
    return LoadReport(file.tenant, file.authority_scope, steps)


def _load(file: DefinitionsFile) -> tuple[Step, ...]:
    """Judge the file again with the scope locked, and write what it changes."""
    _make_scope(file)
    with transaction.atomic():
        scope = DefinitionScope.objects.select_for_update().get(
            tenant_id=file.tenant, authority_scope=file.authority_scope
        )
        steps = _accepted(file, scope)
        _apply(scope, steps)
    return steps


def _accepted(file: DefinitionsFile, scope: DefinitionScope | None) -> tuple[Step, ...]:
    plan = make_plan(file, read_stored(scope))
    if plan.problems:
        raise DefinitionsRefusedError(plan.problems)
    return plan.steps


def _make_scope(file: DefinitionsFile) -> None:
    """Make the row that writers lock, in a transaction of its own: who finds it made holds no lock on it."""
    DefinitionScope.objects.get_or_create(
        tenant_id=file.tenant,
        authority_scope=file.authority_scope,
        defaults={"stamp": uuid.uuid4().hex},
    )


def _apply(scope: DefinitionScope, steps: Iterable[Step]) -> None:
    changes = [step for step in steps if step.change is not Change.UNCHANGED]
    now = timezone.now()
    for step in changes:
        apply_step(scope, step, now)
    if changes:
        scope.renew_stamp()
