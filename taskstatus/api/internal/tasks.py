"""Tasks (protocol 4.1)."""

from typing import Any

from django.utils.translation import get_language
from rest_framework.request import Request
from rest_framework.response import Response

from taskstatus.api.base import InternalView, created_or_ok
from taskstatus.api.internal.grants import principal_of, reference_of
from taskstatus.api.internal.workflows import CREATORS
from taskstatus.commands.tasks import NoMembers, PutGrant, RetryTask
from taskstatus.domain.lifecycle import Role
from taskstatus.projections.context import DEFAULT_LANGUAGE
from taskstatus.queries.lookups import first_receipt, task_of_external_ref
from taskstatus.queries.snapshots import task_snapshot
from taskstatus.services.add_external_ref import add_external_ref
from taskstatus.services.grant_access import ChangeReceipt, grant_task_access
from taskstatus.services.retry_task import retry_task


class TaskView(InternalView):
    """One task."""

    def get(self, request: Request, task_id: str) -> Response:
        """The task's detail with its ETag; 304 for a reader who has this version."""
        self.parameters(request)
        caller = self.service(request, *CREATORS)
        snapshot = task_snapshot(task_id, caller, get_language() or DEFAULT_LANGUAGE)
        tag = snapshot.version.etag
        if tag in _tags(request.headers.get("If-None-Match", "")):
            return Response(status=304, headers={"ETag": tag})
        return Response(snapshot.detail, headers={"ETag": tag})


class TaskRetryView(InternalView):
    """Retrying one task."""

    def post(self, request: Request, task_id: str) -> Response:
        """Open a new attempt of the ended task."""
        command = self.command(request, RetryTask)
        caller = self.service(request, *CREATORS, command=command)
        return Response(retry_task(task_id, command, caller))


class TaskGrantView(InternalView):
    """One principal's permission on a task."""

    def put(self, request: Request, task_id: str, principal_type: str, principal_id: str) -> Response:
        """Give the principal a permission."""
        command = self.command(request, PutGrant)
        principal = principal_of(principal_type, principal_id)
        caller = self.service(request, *CREATORS, command=command)
        result = grant_task_access(task_id, principal, command, caller)
        return created_or_ok({"taskId": result.aggregate_id, **_version(result)}, created=result.created)


class ExternalRefView(InternalView):
    """One outside number of a task."""

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

    def get(self, request: Request) -> Response:
        """The task that the number names."""
        reference = reference_of(*self.parameters(request, "refType", "refValue"))
        caller = self.service(request, *CREATORS)
        return Response(task_of_external_ref(reference.ref_type, reference.ref_value, caller))


class EventReceiptView(InternalView):
    """What became of an event."""

    def get(self, request: Request, event_id: str) -> Response:
        """The receipt first given."""
        self.parameters(request)
        caller = self.service(request, *CREATORS, Role.WORKER)
        return Response(first_receipt(event_id, caller))


def _version(result: ChangeReceipt) -> dict[str, Any]:
    return {"taskVersion": str(result.version), "epoch": str(result.epoch)}


def _tags(header: str) -> set[str]:
    return {tag.strip().removeprefix("W/") for tag in header.split(",")}
