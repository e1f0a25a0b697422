"""How a task's rows come to be; shared by creating a workflow with tasks and adding one task."""

from collections.abc import Iterator, Mapping, Sequence

from registries.resolver import Registry
from taskstatus.commands.tasks import Grant, TaskPart
from taskstatus.domain.business_status import TaskCodes
from taskstatus.domain.definitions import StatusSet
from taskstatus.domain.errors import DomainError
from taskstatus.domain.idempotency import payload_hash
from taskstatus.domain.identifiers import new_id, virtual_bucket
from taskstatus.domain.lifecycle import RecordType
from taskstatus.identity.principals import Service
from taskstatus.models import ExternalRef, Task, TaskGrant, Workflow
from taskstatus.services.changes import Change
from taskstatus.services.definition_binding import require_operation_version, status_set_to_bind
from taskstatus.services.service_events import service_event_id
from taskstatus.services.step_rows import known_step
from taskstatus.services.workset import Workset


def create_tasks(
    workset: Workset, workflow: Workflow, parts: Mapping[str, TaskPart], caller: Service, registry: Registry
) -> list[Task]:
    """Create the tasks of these envelopes, by their pointers into the body; each is one version, with all its steps.

    Raises DEFINITION_NOT_FOUND, UNKNOWN_OPERATION, PRODUCER_MISMATCH, TASK_NOT_FOUND (a parent), EXTERNAL_REF_TAKEN,
    INVALID_FIELD.
    """
    envelopes = list(parts.values())
    _require_parents(envelopes, caller)
    tasks = [_create_task(workset, workflow, part, caller, registry, pointer) for pointer, part in parts.items()]
    refs = _free_refs(tasks, envelopes)
    for task, part in zip(tasks, envelopes, strict=True):
        workset.add_dependents(task_grants(task, part.shared_with, caller))
    workset.add_dependents(refs)
    return tasks


def creation_hash(part: TaskPart, workflow_owner: str) -> str:
    """The hash by which a replay of a task's creation is told from a reused key."""
    return payload_hash(part.content(workflow_owner))


def task_grants(task: Task, grants: Sequence[Grant], caller: Service) -> Iterator[TaskGrant]:
    """The rows of a task's first grants, one for each principal: the last word about it counts."""
    chosen = {(grant.principal_type, grant.principal_id): grant for grant in grants}
    for grant in chosen.values():
        yield TaskGrant(
            task=task,
            principal_type=grant.principal_type,
            principal_id=grant.principal_id,
            permission=grant.permission,
            granted_by=caller.producer_id,
            created_at=task.created_at,
        )


def _create_task(
    workset: Workset, workflow: Workflow, part: TaskPart, caller: Service, registry: Registry, pointer: str
) -> Task:
    require_operation_version(registry, part.operation_definition_version, part.task_type)
    statuses = status_set_to_bind(registry, part.task_type, part.status_definition_version)
    task = _task_row(workset, workflow, part, caller, statuses)
    steps = [
        known_step(step, task, statuses, registry, position, f"{pointer}/knownSteps/{position}")
        for position, step in enumerate(part.known_steps)
    ]
    workset.add_task(task, steps)
    workset.record(Change(task, RecordType.TASK_CREATED, service_event_id(), caller.producer_id))
    return task


def _task_row(workset: Workset, workflow: Workflow, part: TaskPart, caller: Service, statuses: StatusSet) -> Task:
    codes = TaskCodes.initial(statuses)
    owner_id = part.owner_id or workflow.owner_id
    policy = part.dynamic_registration_policy
    return Task(
        id=new_id("tsk", virtual_bucket(caller.tenant, owner_id)),
        workflow=workflow,
        client_task_key=part.client_task_key,
        creation_hash=creation_hash(part, workflow.owner_id),
        tenant_id=caller.tenant,
        owner_id=owner_id,
        authority_scope=caller.scope,
        coordinator_id=caller.producer_id,
        product_id=part.product_id,
        batch_id=part.batch_id,
        parent_task_id=part.parent_task_id,
        task_type=part.task_type,
        billing_account_id=part.billing_account_id,
        retention_policy_id=part.retention_policy_id,
        data_classification=part.data_classification,
        title=part.title,
        title_folded=part.title.casefold(),
        sensitive=part.sensitive,
        max_duration_seconds=part.max_duration_seconds,
        dynamic_policy=policy.model_dump() if policy else None,
        business_status=codes.shown,
        remembered_status=codes.unreserved,
        status_definition_version=statuses.version,
        operation_definition_version=part.operation_definition_version,
        created_at=workset.now,
        updated_at=workset.now,
    )


def _require_parents(parts: Sequence[TaskPart], caller: Service) -> None:
    wanted = {part.parent_task_id for part in parts if part.parent_task_id is not None}
    if not wanted:
        return
    found = Task.objects.filter(pk__in=wanted, tenant_id=caller.tenant, authority_scope=caller.scope).count()
    if found != len(wanted):
        raise DomainError("TASK_NOT_FOUND", "There is no such parent task.")


def _free_refs(tasks: Sequence[Task], parts: Sequence[TaskPart]) -> list[ExternalRef]:
    refs: dict[tuple[str, str], ExternalRef] = {}
    for task, part in zip(tasks, parts, strict=True):
        for ref in part.external_refs:
            row = refs.setdefault(
                (ref.ref_type, ref.ref_value),
                ExternalRef(
                    tenant_id=task.tenant_id,
                    authority_scope=task.authority_scope,
                    ref_type=ref.ref_type,
                    ref_value=ref.ref_value,
                    task=task,
                    created_at=task.created_at,
                ),
            )
            if row.task is not task:
                raise ref_taken(ref.ref_type, ref.ref_value)
    _require_free(refs)
    return list(refs.values())


def _require_free(refs: dict[tuple[str, str], ExternalRef]) -> None:
    if not refs:
        return
    first = next(iter(refs.values()))
    taken = ExternalRef.objects.filter(
        tenant_id=first.tenant_id,
        authority_scope=first.authority_scope,
        ref_type__in={ref_type for ref_type, _ in refs},
        ref_value__in={ref_value for _, ref_value in refs},
    ).values_list("ref_type", "ref_value")
    for pair in taken:
        if pair in refs:
            raise ref_taken(*pair)


def ref_taken(ref_type: str, ref_value: str) -> DomainError:
    """The refusal of an outside number that already names another task."""
    return DomainError("EXTERNAL_REF_TAKEN", f"{ref_type} {ref_value} already names another task.")
