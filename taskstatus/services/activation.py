"""How a step attempt comes by its execution; shared by activating a known step and registering a dynamic one."""

from taskstatus.domain.identifiers import bucket_of, new_id
from taskstatus.domain.lifecycle import Lifecycle, RecordType
from taskstatus.domain.task_changes import cleared_failure_columns
from taskstatus.models import Step, Task
from taskstatus.services.changes import Change
from taskstatus.services.column_values import set_columns
from taskstatus.services.pending_progress import absorb_pending
from taskstatus.services.service_events import service_event_id
from taskstatus.services.workset import Workset


def give_execution(workset: Workset, task: Task, step: Step, producer_id: str, coordinator_id: str) -> None:
    """Set the columns of an activated step attempt; the caller records the version."""
    columns = {
        "execution_id": new_id("exe", bucket_of(task.id)),
        "producer_id": producer_id,
        "coordinator_id": coordinator_id,
        "activated_at": workset.time_of(task),
    }
    workset.change_step(step, columns)
    if task.task_type is not None:
        task.classification_used = True


def retire_attempt(workset: Workset, task: Task, step: Step, coordinator_id: str) -> None:
    """Make way for the step's next attempt: a live one is fenced, an ended one's traces on the task are cleared."""
    if Lifecycle(step.lifecycle_status).is_terminal:
        workset.change_step(step, {"is_current": False})
        if step.lifecycle_status == Lifecycle.FAILED:
            others = [other for other in workset.steps(task) if other is not step]
            set_columns(task, cleared_failure_columns(task, step.step_id, task.failed_step_id, others))
        return
    absorb_pending(workset, step)
    workset.end_lease(step)
    workset.change_step(step, {"is_current": False})
    workset.record(Change(task, RecordType.STEP_SUPERSEDED, service_event_id(), coordinator_id, step=step))
