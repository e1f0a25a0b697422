"""What the page for trying an event begins with: a scene and an event that suit the definition."""

from typing import Any, assert_never

from registries.kinds import DefinitionRow
from registries.models import DataSchemaDefinition, OperationDefinition, StatusDefinition, StatusDefinitionSet
from registries.states import State
from taskstatus.domain.lifecycle import EventType


def initial_scene(row: DefinitionRow) -> tuple[dict[str, Any], dict[str, Any]]:
    """The form's members but for the event, and the event."""
    match row:
        case StatusDefinitionSet():
            return {"task_type": row.task_type, **_shown_before(row)}, _status_event(row)
        case OperationDefinition():
            return {"operation_code": row.code, "task_type": _type_for(row)}, _step_event(row)
        case DataSchemaDefinition():
            return _user(row)
    assert_never(row)


def _status_event(row: StatusDefinitionSet) -> dict[str, Any]:
    status = _second(row)
    return {
        "eventId": "trial-1",
        "eventType": EventType.TASK_STATUS_CHANGED.value,
        "businessStatus": status.code if status else "",
    }


def _shown_before(row: StatusDefinitionSet) -> dict[str, str]:
    """The status from which the second code may be come to, so that the first try shows how it looks when it works."""
    status = _second(row)
    before = next((code for code in (status.allowed_from if status else ()) if code[0] not in "@*"), "")
    return {"current_status": before}


def _second(row: StatusDefinitionSet) -> StatusDefinition | None:
    return row.statuses.filter(applies_to_task=True, initial=False, terminal=False).order_by("order", "code").first()


def _step_event(row: OperationDefinition) -> dict[str, Any]:
    allowed = [event for event in EventType if event in row.allowed_event_types]
    event = (
        EventType.STEP_PROGRESS if EventType.STEP_PROGRESS in allowed else next(iter(allowed), EventType.STEP_STARTED)
    )
    progress = {"progressSeq": 1, "progress": {"current": 1, "total": 10}}
    return {
        "eventId": "trial-1",
        "eventType": event.value,
        "sourceSeq": 1,
        **(progress if event is EventType.STEP_PROGRESS else {}),
    }


def _user(schema: DataSchemaDefinition) -> tuple[dict[str, Any], dict[str, Any]]:
    """An operation that may carry the schema, and an event that does."""
    data = {"data": {"schema": schema.name, "value": {}}}
    for operation in OperationDefinition.objects.filter(scope=schema.scope).order_by("-state", "-version"):
        for event, names in operation.allowed_data_schemas.items():
            if schema.name in names:
                scene = {"operation_code": operation.code, "task_type": _type_for(operation)}
                return scene, {"eventId": "trial-1", "eventType": event, "sourceSeq": 1, **data}
    return {}, {"eventId": "trial-1", "eventType": EventType.STEP_COMPLETED.value, "sourceSeq": 1, **data}


def _type_for(operation: OperationDefinition) -> str:
    """A task type that the operation's pattern matches: one that has a status set, where there is one."""
    pattern = operation.task_type_pattern
    if not pattern.endswith("*"):
        return pattern
    sets = StatusDefinitionSet.objects.filter(scope=operation.scope, task_type__startswith=pattern[:-1])
    found = sets.exclude(state=State.DRAFT).order_by("-version").values_list("task_type", flat=True).first()
    return found or pattern[:-1].rstrip("_.")
