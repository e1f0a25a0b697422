"""Record the number that another system has for a task (protocol 4.1)."""

from taskstatus.domain.lifecycle import RecordType
from taskstatus.identity.principals import Service
from taskstatus.models import ExternalRef
from taskstatus.services.changes import Change
from taskstatus.services.grant_access import ChangeReceipt
from taskstatus.services.service_events import service_event_id
from taskstatus.services.task_creation import ref_taken
from taskstatus.services.task_lock import lock_task
from taskstatus.services.unit_of_work import use_case


@use_case
def add_external_ref(task_id: str, ref_type: str, ref_value: str, caller: Service) -> ChangeReceipt:
    """Let this number name the task; again changes nothing. Raises TASK_NOT_FOUND, EXTERNAL_REF_TAKEN."""
    workset, task = lock_task(task_id, caller.tenant, caller.scope)
    key = {
        "tenant_id": caller.tenant,
        "authority_scope": caller.scope,
        "ref_type": ref_type,
        "ref_value": ref_value,
    }
    existing = ExternalRef.objects.filter(**key).first()
    if existing is not None and existing.task_id != task.id:
        raise ref_taken(ref_type, ref_value)
    if existing is not None:
        return ChangeReceipt(task.id, task.version, workset.epoch, created=False)
    now = workset.time_of(task)
    workset.add_dependents([ExternalRef(**key, task=task, created_at=now)])
    workset.record(
        Change(
            task,
            RecordType.TASK_METADATA_UPDATED,
            service_event_id(),
            caller.producer_id,
            event={"payload": {"externalRef": {"refType": ref_type, "refValue": ref_value}}},
        )
    )
    workset.flush()
    return ChangeReceipt(task.id, task.version, workset.epoch, created=True)
