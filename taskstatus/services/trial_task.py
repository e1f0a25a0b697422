"""A task made for one event, by the use cases that make every task; only within a rehearsal."""

from typing import Final

from registries.resolver import registry
from taskstatus.commands.events import ReportEvent
from taskstatus.commands.executions import ActivateStep
from taskstatus.commands.tasks import CreateWorkflow
from taskstatus.domain.business_status import task_status
from taskstatus.domain.definitions import Operation
from taskstatus.domain.errors import DomainError, invalid_field
from taskstatus.domain.identifiers import DYNAMIC_STEP_PREFIX
from taskstatus.domain.lifecycle import EventType, Lifecycle, Role
from taskstatus.identity.principals import ExecutionClaims, Service
from taskstatus.models import Step, Task
from taskstatus.services.accept_events import accept_event
from taskstatus.services.activate_step import activate_step
from taskstatus.services.create_workflow import create_workflow
from taskstatus.services.service_events import service_event_id
from taskstatus.services.trial_scene import Scene, Trial, full_claims_of, of_health, service_of

_COORDINATOR: Final = "coordinator"
_WORKER: Final = "worker"
_STEP: Final = "step"


def of_trial_task(report: ReportEvent, scene: Scene) -> Trial:
    """The event on a task of its own, made as a coordinator would make it; raises what that is refused for."""
    report = report.model_copy(
        update={"event_id": service_event_id(), "execution_handle": None, "workflow_id": None, "failed_step_id": None}
    )
    if report.kind.is_task_event:
        task = _made_task(report, scene)
        named = report.model_copy(update={"task_id": task.id, "task_attempt": 1})
        return Trial(named, service_of(scene, report, _COORDINATOR, scene.role))
    return _of_trial_step(report, scene)


def _of_trial_step(report: ReportEvent, scene: Scene) -> Trial:
    operation = _operation(report, scene)
    step_id = report.step_id if report.step_id and not report.step_id.startswith(DYNAMIC_STEP_PREFIX) else _STEP
    task = _made_task(report, scene, {"stepId": step_id, "operationCode": operation.code, **_version(scene)})
    step = _activated(task, step_id, _executor(report, scene, operation), scene)
    claims = full_claims_of(task, step)
    own: dict[str, int | None] = {
        "task_id": None,
        "execution_id": None,
        "step_id": None,
        "task_attempt": None,
        "step_attempt": None,
    }
    before = _start_first(report, operation, claims)
    if report.source_seq is not None:
        own["source_seq"] = before + 1
    report = report.model_copy(update=own)
    _show(task, scene)
    if report.kind is EventType.STEP_HEALTH_CHANGED:
        return of_health(report, step, scene)
    return Trial(report, claims)


def _start_first(report: ReportEvent, operation: Operation, claims: ExecutionClaims) -> int:
    """Let the step start first, where it may; how many reports that took."""
    if report.kind is EventType.STEP_STARTED or EventType.STEP_STARTED not in operation.allowed_event_types:
        return 0
    start = {"eventId": service_event_id(), "eventType": EventType.STEP_STARTED.value, "sourceSeq": 1}
    accept_event(ReportEvent.read(start), claims)
    return 1


def _operation(report: ReportEvent, scene: Scene) -> Operation:
    code = scene.operation_code or report.operation_code
    if code is None:
        raise invalid_field("/operationCode", "Name the operation, here or beside the event.")
    found = registry(scene.tenant, scene.authority_scope).bind_operation(
        code, _task_type(report, scene), scene.operation_definition_version
    )
    if found is None:
        raise DomainError("UNKNOWN_OPERATION", f"No published definition serves {code} for this task type.")
    return found


def _version(scene: Scene) -> dict[str, int]:
    version = scene.operation_definition_version
    return {} if version is None else {"operationDefinitionVersion": version}


def _executor(report: ReportEvent, scene: Scene, operation: Operation) -> str:
    """The service that is named, else one that the operation's pattern lets execute it."""
    named = scene.producer_id or report.producer_id or operation.exact_producer
    return named or operation.producer_pattern[:-1] + _WORKER


def _task_type(report: ReportEvent, scene: Scene) -> str | None:
    return scene.task_type or report.task_type


def _made_task(report: ReportEvent, scene: Scene, *steps: dict[str, object]) -> Task:
    envelope = {
        "clientTaskKey": "trial",
        "title": "Trial",
        "taskType": _task_type(report, scene),
        "statusDefinitionVersion": scene.status_definition_version,
        "knownSteps": list(steps),
    }
    body = {"clientWorkflowKey": service_event_id(), "ownerId": "trial", "title": "Trial", "initialTasks": [envelope]}
    (task,) = create_workflow(CreateWorkflow.read(body), _coordinator(scene)).tasks
    if not steps:
        _show(task, scene)
    return task


def _activated(task: Task, step_id: str, producer_id: str, scene: Scene) -> Step:
    command = ActivateStep.read({"producerId": producer_id})
    return activate_step(task.id, step_id, command, _coordinator(scene)).step


def _show(task: Task, scene: Scene) -> None:
    """Let the made task show the status that the scene asks for, with the lifecycle that goes with it."""
    if scene.current_status is None:
        return
    statuses = registry(scene.tenant, scene.authority_scope).status_set(task.task_type, task.status_definition_version)
    status = task_status(scene.current_status, statuses)
    begun = None if status.lifecycle is Lifecycle.PENDING else task.created_at
    Task.objects.filter(pk=task.id).update(
        lifecycle_status=status.lifecycle,
        business_status=status.code,
        remembered_status=status.code,
        started_at=begun,
        first_started_at=begun,
        finished_at=begun if status.lifecycle.is_terminal else None,
    )


def _coordinator(scene: Scene) -> Service:
    return Service(scene.tenant, scene.authority_scope, _COORDINATOR, frozenset({Role.COORDINATOR}))
