"""Try an event: what would become of it, told by the real write path, with nothing written (for the admin)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from registries.actors import Actor
from registries.editing.publish_definition import publish_definition
from registries.kinds import DefinitionRow
from registries.problems import DefinitionsRefusedError, Problem
from registries.resolver import uncommitted_definitions
from taskstatus.commands.events import ReportEvent
from taskstatus.domain.errors import DomainError, FieldError
from taskstatus.domain.strict_json import parse_object
from taskstatus.services.accept_events import accept_event
from taskstatus.services.trial_scene import Scene, Trial, of_stored_task
from taskstatus.services.trial_task import of_trial_task
from taskstatus.services.unit_of_work import rehearsal

_NOBODY = Actor("trial")


class Stage(StrEnum):
    """How far a trial came: each needs the one before."""

    BODY = "BODY"
    DEFINITIONS = "DEFINITIONS"
    TASK = "TASK"
    EVENT = "EVENT"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of the event: its receipt (accepted, duplicate or stale), or the refusal and where it arose.

    `errors` holds pointers into the event for a refusal that has them; `problems` what keeps a draft from being
    published (stage DEFINITIONS).
    """

    stage: Stage
    receipt: Mapping[str, Any] | None = None
    code: str | None = None
    detail: str | None = None
    errors: tuple[FieldError, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether the event would be taken as a fact."""
        return self.receipt is not None and bool(self.receipt["accepted"])


def try_event(body: bytes, scene: Scene, drafts: Sequence[DefinitionRow] = ()) -> Verdict:
    """Judge the event as the service would, as if these drafts of the scope were published before.

    With `scene.task_id` the event meets that task as it stands. Otherwise a task is made for it as the scene says,
    with a running step for a step event; ids and sequence numbers in the event are then replaced by that task's own.
    Credentials are not judged: the event speaks with the right of the execution that it names, or of its coordinator.
    """
    try:
        report = _read(body, scene)
    except DomainError as refusal:
        return _refused(Stage.BODY, refusal)
    with uncommitted_definitions():
        return _try(report, scene, drafts)


def _read(body: bytes, scene: Scene) -> ReportEvent:
    members = parse_object(body)
    if scene.task_id is None and str(members.get("eventType")).startswith("TASK_"):
        # The task that is made for it has an id of its own, which nobody can know yet.
        members = {"taskId": "trial", "taskAttempt": 1} | members
    return ReportEvent.read(members)


@rehearsal
def _try(report: ReportEvent, scene: Scene, drafts: Sequence[DefinitionRow]) -> Verdict:
    try:
        for draft in drafts:
            publish_definition(draft, _NOBODY)
    except DefinitionsRefusedError as error:
        return Verdict(Stage.DEFINITIONS, problems=error.problems)
    try:
        trial = of_trial_task(report, scene) if scene.task_id is None else of_stored_task(report, scene)
    except DomainError as refusal:
        return _refused(Stage.TASK, refusal)
    return _judged(trial)


def _judged(trial: Trial) -> Verdict:
    try:
        return Verdict(Stage.EVENT, receipt=accept_event(trial.report, trial.caller))
    except DomainError as refusal:
        return _refused(Stage.EVENT, refusal)


def _refused(stage: Stage, refusal: DomainError) -> Verdict:
    return Verdict(stage, code=refusal.code, detail=refusal.detail, errors=refusal.errors)
