"""Say later what kind of task it is, until that is in use (source design 4.5, protocol 4.1)."""

from collections.abc import Collection
from typing import Any, Final

from registries.resolver import registry
from taskstatus.commands.tasks import ClassifyTask
from taskstatus.domain.business_status import TaskCodes, agreeing_code, codes_after_classification
from taskstatus.domain.definitions import StatusSet
from taskstatus.domain.errors import DomainError, invalid_field
from taskstatus.domain.lifecycle import AppliesTo, Lifecycle, RecordType
from taskstatus.identity.principals import Service
from taskstatus.models import Task
from taskstatus.services.changes import Change
from taskstatus.services.column_values import set_columns
from taskstatus.services.definition_binding import require_operation_version, status_set_to_bind
from taskstatus.services.grant_access import ChangeReceipt
from taskstatus.services.service_events import service_event_id
from taskstatus.services.task_lock import lock_task, require_live_task, require_version
from taskstatus.services.unit_of_work import use_case
from taskstatus.services.workset import Workset

_LABELS: Final = ("product_id", "batch_id")
_FREEZING: Final = ("task_type", "status_definition_version", "operation_definition_version")
_WIRE_NAMES: Final = {
    name: field.alias or name for name, field in ClassifyTask.model_fields.items() if name in {*_LABELS, *_FREEZING}
}


@use_case
def classify_task(task_id: str, command: ClassifyTask, tags: Collection[str], caller: Service) -> ChangeReceipt:
    """Change what the command names, if the task is at one of the tagged versions; what is so already is no version.

    Raises TASK_NOT_FOUND, IF_MATCH_REQUIRED, VERSION_MISMATCH, TERMINAL_STATE, CLASSIFICATION_FROZEN,
    DEFINITION_NOT_FOUND, INVALID_FIELD.
    """
    workset, task = lock_task(task_id, caller.tenant, caller.scope)
    if not tags:
        raise DomainError("IF_MATCH_REQUIRED", "Send the ETag of the version that you saw as If-Match.")
    require_version(task, workset.epoch, tags)
    before = {name: getattr(task, name) for name in _WIRE_NAMES}
    if _asks_for(_FREEZING, command, task):
        _require_changeable(task)
        _bind(task, command, workset)
    set_columns(task, {name: getattr(command, name) for name in _LABELS if _asks_for((name,), command, task)})
    changed = {name: value for name, value in before.items() if getattr(task, name) != value}
    if changed:
        workset.record(_change(task, changed, caller))
        workset.flush()
    return ChangeReceipt(task.id, task.version, workset.epoch, created=False)


def _asks_for(names: Collection[str], command: ClassifyTask, task: Task) -> bool:
    """Whether the command names another value for one of these members than the task has."""
    return any(getattr(command, name) not in (None, getattr(task, name)) for name in names)


def _require_changeable(task: Task) -> None:
    require_live_task(task)
    if task.task_type is not None and task.classification_used:
        raise DomainError("CLASSIFICATION_FROZEN", f"The task works as {task.task_type} already.")


def _bind(task: Task, command: ClassifyTask, workset: Workset) -> None:
    """Give the task the definitions that it is to have; under another status set no code stays (ruling 32)."""
    reg = registry(task.tenant_id, task.authority_scope)
    task_type = command.task_type or task.task_type
    if task_type is None and command.status_definition_version is not None:
        raise invalid_field("/statusDefinitionVersion", "A status set needs a taskType.")
    if command.operation_definition_version is not None:
        require_operation_version(reg, command.operation_definition_version, task_type)
        task.operation_definition_version = command.operation_definition_version
    if _asks_for(("task_type", "status_definition_version"), command, task):
        statuses = status_set_to_bind(reg, task_type, command.status_definition_version)
        _enter_set(task, task_type, statuses, workset)


def _enter_set(task: Task, task_type: str | None, statuses: StatusSet, workset: Workset) -> None:
    lifecycle = Lifecycle(task.lifecycle_status)
    codes = codes_after_classification(TaskCodes.of(task), lifecycle, statuses)
    task.task_type, task.status_definition_version = task_type, statuses.version
    task.business_status, task.remembered_status = codes.shown, codes.unreserved
    for step in workset.steps(task):
        code = agreeing_code(None, AppliesTo.STEP, Lifecycle(step.lifecycle_status), statuses)
        if step.business_status != code:
            workset.change_step(step, {"business_status": code, "version": step.version + 1})


def _change(task: Task, changed: dict[str, Any], caller: Service) -> Change:
    """The log's entry, with what the members were and what they are; null for what was not known."""
    is_binding = not changed.keys().isdisjoint(_FREEZING)
    payload = {
        "before": {_WIRE_NAMES[name]: value for name, value in changed.items()},
        "after": {_WIRE_NAMES[name]: getattr(task, name) for name in changed},
    }
    event_type = RecordType.TASK_CLASSIFIED if is_binding else RecordType.TASK_METADATA_UPDATED
    return Change(task, event_type, service_event_id(), caller.producer_id, event={"payload": payload})
