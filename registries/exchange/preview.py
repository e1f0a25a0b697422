"""What loading a file would change, for those who decide on it; nothing is written (acceptance G07)."""

from dataclasses import dataclass

from registries.actors import Actor
from registries.differences import Difference, differences
from registries.exchange.load import reachable_file
from registries.exchange.plan import Change, Step, make_plan
from registries.exchange.stored import find_scope, read_stored
from registries.problems import Problem
from registries.snapshot import NO_STAMP
from registries.states import State


@dataclass(frozen=True, slots=True)
class PreviewedChange:
    """What would become of one definition of the file: from which state to which, and which members differ."""

    change: Change
    kind: str
    name: str
    state_before: State | None
    state_after: State
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """Everything that a file would change, and what speaks against it; only without problems it can be loaded.

    `stamp` goes back to `load_definitions` as `seen_stamp`, so that what is loaded is what was agreed to.
    """

    tenant: str
    authority_scope: str
    stamp: str
    changes: tuple[PreviewedChange, ...]
    problems: tuple[Problem, ...]

    @property
    def is_loadable(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.problems


def preview_import(content: bytes, actor: Actor) -> ImportPreview:
    """Compare a definitions file with what its tenant and scope have.

    Raises:
        DefinitionsRefusedError: if it is no definitions file, or another tenant's.
    """
    file = reachable_file(content, actor)
    scope = find_scope(file.tenant, file.authority_scope)
    plan = make_plan(file, read_stored(scope))
    return ImportPreview(
        tenant=file.tenant,
        authority_scope=file.authority_scope,
        stamp=scope.stamp if scope else NO_STAMP,
        changes=tuple(map(_previewed, plan.steps)),
        problems=plan.problems,
    )


def _previewed(step: Step) -> PreviewedChange:
    before = step.stored.item.spelled() if step.stored else None
    return PreviewedChange(
        change=step.change,
        kind=step.item.kind,
        name=step.name,
        state_before=step.stored.state if step.stored else None,
        state_after=step.state,
        differences=differences(before, step.item.spelled()),
    )
