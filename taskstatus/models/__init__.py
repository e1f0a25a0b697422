"""The rows of the service: current state, immutable events, idempotency, rights, audit."""

from taskstatus.models.audit import AuditEntry, DataEpoch, RefusedReport
from taskstatus.models.event_log import EventDedup, TaskEvent
from taskstatus.models.grant import ExternalRef, TaskGrant, WorkflowGrant
from taskstatus.models.lease import ExecutionLease
from taskstatus.models.outage import ServiceOutage, ServicePulse
from taskstatus.models.step import ActivationCommand, ExecutionHandle, Step
from taskstatus.models.task import Task
from taskstatus.models.user_profile import UserProfile
from taskstatus.models.workflow import Workflow, WorkflowEvent

__all__ = [
    "ActivationCommand",
    "AuditEntry",
    "DataEpoch",
    "EventDedup",
    "ExecutionHandle",
    "ExecutionLease",
    "ExternalRef",
    "RefusedReport",
    "ServiceOutage",
    "ServicePulse",
    "Step",
    "Task",
    "TaskEvent",
    "TaskGrant",
    "UserProfile",
    "Workflow",
    "WorkflowEvent",
    "WorkflowGrant",
]
