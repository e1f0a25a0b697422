"""Tasks (protocol 4.1)."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from taskstatus.api.base import InternalView, created_or_ok
from taskstatus.api.etags import snapshot_response, versions_to_match
from taskstatus.api.internal.grants import principal_of, reference_of
from taskstatus.api.internal.workflows import CREATORS
from taskstatus.api.openapi import events as described_events
from taskstatus.api.openapi import tasks as described
from taskstatus.commands.queries import LookUpOwnTask, NoParameters
from taskstatus.commands.tasks import ClassifyTask, NoMembers, PutGrant, RetryTask
from taskstatus.domain.lifecycle import Role
from taskstatus.queries.lookups import first_receipt, task_of_external_ref
from taskstatus.queries.snapshots import task_snapshot
from taskstatus.services.add_external_ref import add_external_ref
from taskstatus.services.classify_task import classify_task
from taskstatus.services.grant_access import ChangeReceipt, grant_task_access
from taskstatus.services.retry_task import retry_task


class TaskView(InternalView):
    """One task."""

    @described.get_task
    def get(self, request: Request, task_id: str) -> Response:
        """The task's detail with its ETag; 304 for a reader who has this version."""
        self.query(request, NoParameters)
        caller = self.service(request, *CREATORS)
        snapshot = task_snapshot(task_id, caller, self.language)
        return snapshot_response(request, snapshot)


class TaskClassificationView(InternalView):
    """What kind of task it is."""

    @described.classify_task
    def patch(self, request: Request, task_id: str) -> Response:
        """Change the classification that the caller saw."""
        command = self.command(request, ClassifyTask)
        caller = self.service(request, *CREATORS, command=command)
        return Response(_version(classify_task(task_id, command, versions_to_match(request), caller)))


class TaskRetryView(InternalView):
    """Retrying one task."""

    @described.retry_task
    def post(self, request: Request, task_id: str) -> Response:
        """Open a new attempt of the ended task."""
        command = self.command(request, RetryTask)
        caller = self.service(request, *CREATORS, command=command)
        return Response(retry_task(task_id, command, caller))


class TaskGrantView(InternalView):
    """One principal's permission on a task."""

    @described.put_task_grant
    def put(self, request: Request, task_id: str, principal_type: str, principal_id: str) -> Response:
        """Give the principal a permission."""
        command = self.command(request, PutGrant)
        principal = principal_of(principal_type, principal_id)
        caller = self.service(request, *CREATORS, command=command)
        result = grant_task_access(task_id, principal, command, caller)
        return created_or_ok({"taskId": result.aggregate_id, **_version(result)}, created=result.created)


class ExternalRefView(InternalView):
    """One outside number of a task."""

    @described.put_external_ref
    def put(self, request: Request, task_id: str, ref_type: str, ref_value: str) -> Response:
        """Let the number name the task."""
        command = self.command(request, NoMembers)
        reference = reference_of(ref_type, ref_value)
        caller = self.service(request, *CREATORS, command=command)
        result = add_external_ref(task_id, reference.ref_type, reference.ref_value, caller)
        body = {"taskId": result.aggregate_id, "refType": ref_type, "refValue": ref_value, **_version(result)}
        return created_or_ok(body, created=result.created)


class TaskLookupView(InternalView):
    """Finding a task by an outside number."""

    @described.lookup_task
    def get(self, request: Request) -> Response:
        """The task that the number names."""
        query = self.query(request, LookUpOwnTask)
        caller = self.service(request, *CREATORS)
        return Response(task_of_external_ref(query.ref_type, query.ref_value, caller))


class EventReceiptView(InternalView):
    """What became of an event."""

    @described_events.get_event_receipt
    def get(self, request: Request, event_id: str) -> Response:
        """The receipt first given."""
        self.query(request, NoParameters)
        caller = self.service(request, *CREATORS, Role.WORKER)
        return Response(first_receipt(event_id, caller))


def _version(result: ChangeReceipt) -> dict[str, Any]:
    return {"taskVersion": str(result.version), "epoch": str(result.epoch)}
