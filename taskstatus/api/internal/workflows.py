"""Workflows (protocol 4.1)."""

from rest_framework.request import Request
from rest_framework.response import Response

from taskstatus.api.base import InternalView, created_or_ok
from taskstatus.api.internal.grants import principal_of
from taskstatus.api.openapi import workflows as described
from taskstatus.commands.queries import NoParameters
from taskstatus.commands.tasks import CreateTask, CreateWorkflow, PutGrant, ReportWorkflowEvent
from taskstatus.domain.lifecycle import Role
from taskstatus.queries.snapshots import workflow_snapshot
from taskstatus.services.add_task import add_task
from taskstatus.services.create_workflow import create_workflow
from taskstatus.services.grant_access import grant_workflow_access
from taskstatus.services.report_workflow_event import report_workflow_event

CREATORS = (Role.BUSINESS, Role.COORDINATOR)


class WorkflowsView(InternalView):
    """All workflows of the caller's scope."""

    @described.create_workflow
    def post(self, request: Request) -> Response:
        """Create a workflow, with its first tasks."""
        command = self.command(request, CreateWorkflow)
        caller = self.service(request, *CREATORS, command=command)
        result = create_workflow(command, caller)
        tasks = [
            {
                "clientTaskKey": task.client_task_key,
                "taskId": task.id,
                "taskVersion": str(task.version),
                "created": result.created,
            }
            for task in result.tasks
        ]
        body = {
            "workflowId": result.workflow.id,
            "workflowVersion": str(result.workflow.version),
            "epoch": str(result.epoch),
            "created": result.created,
            "tasks": tasks,
        }
        return created_or_ok(body, created=result.created)


class WorkflowView(InternalView):
    """One workflow."""

    @described.get_workflow
    def get(self, request: Request, workflow_id: str) -> Response:
        """The workflow's summary."""
        self.query(request, NoParameters)
        caller = self.service(request, *CREATORS)
        return Response(workflow_snapshot(workflow_id, caller))


class WorkflowTasksView(InternalView):
    """The tasks of one workflow."""

    @described.add_task
    def post(self, request: Request, workflow_id: str) -> Response:
        """Add a task to the workflow."""
        command = self.command(request, CreateTask)
        caller = self.service(request, *CREATORS, command=command)
        result = add_task(workflow_id, command, caller)
        body = {
            "workflowId": result.workflow.id,
            "workflowVersion": str(result.workflow.version),
            "taskId": result.task.id,
            "taskVersion": str(result.task.version),
            "epoch": str(result.epoch),
            "created": result.created,
        }
        return created_or_ok(body, created=result.created)


class WorkflowEventsView(InternalView):
    """What is said about one workflow."""

    @described.report_workflow_event
    def post(self, request: Request, workflow_id: str) -> Response:
        """Report an event about the whole workflow."""
        command = self.command(request, ReportWorkflowEvent)
        caller = self.service(request, *CREATORS, command=command)
        return Response(report_workflow_event(workflow_id, command, caller))


class WorkflowGrantView(InternalView):
    """One principal's permission on a workflow."""

    @described.put_workflow_grant
    def put(self, request: Request, workflow_id: str, principal_type: str, principal_id: str) -> Response:
        """Give the principal a permission."""
        command = self.command(request, PutGrant)
        principal = principal_of(principal_type, principal_id)
        caller = self.service(request, *CREATORS, command=command)
        result = grant_workflow_access(workflow_id, principal, command, caller)
        body = {
            "workflowId": result.aggregate_id,
            "workflowVersion": str(result.version),
            "epoch": str(result.epoch),
        }
        return created_or_ok(body, created=result.created)
