"""On what an event is tried, and the right that it speaks with; a stored task is taken as it stands."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from taskstatus.commands.events import ReportEvent
from taskstatus.domain.errors import DomainError, invalid_field
from taskstatus.domain.lifecycle import EventType, Role
from taskstatus.identity.principals import ExecutionClaims, Service
from taskstatus.models import Step, Task
from taskstatus.services.credentials import claims_of
from taskstatus.services.report_targets import Caller

_HEALTH_REPORTER: Final = "health"
_NEVER: Final = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Scene:
    """Whose event is tried, and on what: a stored task, or one that is made as the other members say.

    `current_status` is the business status that the made task shows when the event comes. A role of WORKER lets a
    TASK_FAILED speak as its policy's executor.
    """

    tenant: str
    authority_scope: str
    task_id: str | None = None
    task_type: str | None = None
    status_definition_version: int | None = None
    operation_code: str | None = None
    operation_definition_version: int | None = None
    producer_id: str | None = None
    current_status: str | None = None
    role: Role = Role.COORDINATOR


@dataclass(frozen=True, slots=True)
class Trial:
    """An event that is ready to be judged, and who reports it."""

    report: ReportEvent
    caller: Caller


def of_stored_task(report: ReportEvent, scene: Scene) -> Trial:
    """The event as it stands, with the right of the execution it names, else of its step's current one."""
    tasks = Task.objects.filter(pk=scene.task_id, tenant_id=scene.tenant, authority_scope=scene.authority_scope)
    task = tasks.first()
    if task is None:
        raise DomainError("TASK_NOT_FOUND", "There is no such task.")
    report = report.model_copy(update={"execution_handle": None})
    if report.kind.is_task_event:
        return Trial(report, service_of(scene, report, task.coordinator_id, scene.role))
    step = _named_step(report, task)
    if report.kind is EventType.STEP_HEALTH_CHANGED:
        return of_health(report, step, scene)
    said_by = report.producer_id or scene.producer_id
    return Trial(report.model_copy(update={"producer_id": said_by}), full_claims_of(task, step))


def _named_step(report: ReportEvent, task: Task) -> Step:
    steps = task.steps.all()
    if report.execution_id is not None:
        found = steps.filter(execution_id=report.execution_id).first()
    elif report.step_id is not None:
        found = steps.filter(step_id=report.step_id, is_current=True).first()
    else:
        raise invalid_field("/stepId", "Name the step, or its execution.")
    if found is None:
        raise DomainError("STEP_NOT_REGISTERED", "The task has no such step or execution.")
    if found.execution_id is None:
        raise DomainError("EXECUTION_NOT_FOUND", "The step was not activated.")
    return found


def of_health(report: ReportEvent, step: Step, scene: Scene) -> Trial:
    """The report of somebody who watches over the step's execution."""
    named = report.model_copy(update={"execution_id": step.execution_id})
    return Trial(named, service_of(scene, report, _HEALTH_REPORTER, Role.HEALTH))


def service_of(scene: Scene, report: ReportEvent, otherwise: str, role: Role) -> Service:
    """The service that the scene or the event names, in that role."""
    producer = scene.producer_id or report.producer_id or otherwise
    return Service(scene.tenant, scene.authority_scope, producer, frozenset({role}))


def full_claims_of(task: Task, step: Step) -> ExecutionClaims:
    """The right of the execution's own token, for every kind of event: which may come is judged with the event."""
    return claims_of(task, step, frozenset(EventType), _NEVER)
