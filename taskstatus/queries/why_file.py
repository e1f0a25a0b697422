"""All that explains why one task does not move, for the operators of its tenant (ruling 17)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import F

from registries.models import OperationDefinition, StatusDefinitionSet
from taskstatus.domain.outages import Outage
from taskstatus.models import RefusedReport, Step, Task, TaskEvent
from taskstatus.queries.explanations import Explanation, explain

OUTAGES: Final = 10


@dataclass(frozen=True, slots=True)
class BoundOperation:
    """What a step's operation is bound to; without a definition it is the built-in profile, or nothing yet."""

    step: Step
    definition: OperationDefinition | None


@dataclass(frozen=True, slots=True)
class WhyFile:
    """The explanation with what stands behind it; `older_refusals` are those that are no longer kept."""

    explanation: Explanation
    last_event: TaskEvent | None
    refusals: Sequence[RefusedReport]
    older_refusals: int
    outages: Sequence[Outage]
    status_set: StatusDefinitionSet | None
    operations: Sequence[BoundOperation]


def why_file(task: Task) -> WhyFile:
    """Read it: the statements of an explanation, and at most four more."""
    (explanation,) = explain([task])
    refusals = _refusals(task)
    return WhyFile(
        explanation,
        TaskEvent.objects.filter(task_id=task.id).order_by("-task_version").first(),
        refusals,
        max(0, task.refusal_count - len(refusals)),
        _overlapping(explanation),
        _status_set(task),
        _operations(explanation.steps),
    )


def _refusals(task: Task) -> list[RefusedReport]:
    """The latest, the newest first."""
    if not task.refusal_count:
        return []
    return list(RefusedReport.objects.filter(task_id=task.id).order_by(F("refused_at").desc(), "-pk"))


def _overlapping(explanation: Explanation) -> list[Outage]:
    """The newest outages of the service that the task's current attempt lived through."""
    task, own = explanation.task, explanation.situation.own
    began, ended = task.started_at or task.created_at, task.finished_at or explanation.now
    known = [*([own.lasting] if own.lasting else []), *own.ended]
    return [one for one in known if one.began_at <= ended and (one.ended_at is None or one.ended_at >= began)][:OUTAGES]


def _status_set(task: Task) -> StatusDefinitionSet | None:
    if task.status_definition_version is None:
        return None
    return StatusDefinitionSet.objects.filter(
        scope__tenant_id=task.tenant_id,
        scope__authority_scope=task.authority_scope,
        task_type=task.task_type,
        version=task.status_definition_version,
    ).first()


def _operations(steps: Sequence[Step]) -> list[BoundOperation]:
    bound = {step.operation_definition_id for step in steps if step.operation_definition_id is not None}
    rows = OperationDefinition.objects.in_bulk(bound) if bound else {}
    return [BoundOperation(step, rows.get(step.operation_definition_id)) for step in steps]
