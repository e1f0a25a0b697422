"""Executions (protocol 4.1, 4.2)."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from taskstatus.api.base import InternalView, created_or_ok, producer_key, require_own_scope
from taskstatus.api.internal.workflows import CREATORS
from taskstatus.api.openapi import executions as described
from taskstatus.api.throttles import throttle
from taskstatus.commands.executions import ActivateStep, RegisterExecution
from taskstatus.commands.queries import ListExecutions
from taskstatus.commands.tasks import NoMembers
from taskstatus.domain.lifecycle import Role
from taskstatus.domain.timestamps import format_utc_millis
from taskstatus.queries.executions import list_executions
from taskstatus.services.activate_step import activate_step
from taskstatus.services.execution_context import ActivatedExecution
from taskstatus.services.register_execution import register_execution
from taskstatus.services.renew_credentials import renew_credentials


class ExecutionsView(InternalView):
    """The executions of a scope that have not ended."""

    @described.list_executions
    def get(self, request: Request) -> Response:
        """A page of them, those that are longest in their health first."""
        query = self.query(request, ListExecutions)
        caller = self.service(request, *CREATORS)
        return Response(list_executions(caller, query))


class ActivateView(InternalView):
    """Activating a known step."""

    @described.activate_step
    def post(self, request: Request, task_id: str, step_id: str) -> Response:
        """Give the step an execution."""
        command = self.command(request, ActivateStep)
        caller = self.service(request, Role.COORDINATOR, command=command)
        throttle("registrations", producer_key(caller))
        result = activate_step(task_id, step_id, command, caller)
        return created_or_ok(execution_context(result), created=result.created)


class RegisterView(InternalView):
    """Registering a step while the task runs."""

    @described.register_execution
    def post(self, request: Request, task_id: str) -> Response:
        """Register the step and give it an execution."""
        command = self.command(request, RegisterExecution)
        caller = self.service_or_execution(request)
        require_own_scope(command, caller)
        throttle("registrations", producer_key(caller))
        result = register_execution(task_id, command, caller)
        context = execution_context(result)
        body = {
            "stepId": context["stepId"],
            "executionId": context["executionId"],
            "executionHandle": context["executionHandle"],
            "executionToken": context["executionToken"],
            "taskVersion": context["taskVersion"],
            "epoch": context["epoch"],
            "created": result.created,
            "context": context,
        }
        return created_or_ok(body, created=result.created)


class RenewView(InternalView):
    """Renewing a worker's credentials."""

    @described.renew_credentials
    def post(self, request: Request, execution_id: str) -> Response:
        """Give the execution's worker fresh credentials."""
        command = self.command(request, NoMembers)
        caller = self.service(request, Role.WORKER, command=command)
        throttle("registrations", producer_key(caller))
        result = renew_credentials(execution_id, caller)
        context = execution_context(result)
        return Response({name: context[name] for name in ("executionToken", "executionHandle", "expiresAt", "epoch")})


def execution_context(result: ActivatedExecution) -> dict[str, Any]:
    """The ExecutionContext that a coordinator hands on with the work."""
    task, step, operation, credentials = result.task, result.step, result.operation, result.credentials
    return {
        "workflowId": task.workflow_id,
        "taskId": task.id,
        "authorityScope": task.authority_scope,
        "productId": task.product_id,
        "taskType": task.task_type,
        "taskAttempt": step.task_attempt,
        "stepId": step.step_id,
        "operationCode": step.operation_code,
        "stepAttempt": step.attempt,
        "executionId": step.execution_id,
        "producerId": step.producer_id,
        "statusDefinitionVersion": task.status_definition_version,
        "operationDefinitionVersion": step.operation_definition_version,
        "failurePolicy": step.failure_policy,
        "heartbeatIntervalSeconds": step.heartbeat_interval_seconds,
        "heartbeatTimeoutSeconds": step.heartbeat_timeout_seconds,
        "sourceSeqStart": step.source_seq + 1,
        "allowedEventTypes": sorted(operation.allowed_event_types),
        "allowedDataSchemas": {kind: sorted(names) for kind, names in operation.allowed_data_schemas.items()},
        "executionToken": credentials.token,
        "executionHandle": credentials.handle,
        "expiresAt": format_utc_millis(credentials.expires_at),
        "epoch": str(result.epoch),
        "taskVersion": str(task.version),
    }
