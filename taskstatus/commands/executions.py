"""Commands that give a step its execution (protocol 4.2)."""

from taskstatus.commands.base import Command
from taskstatus.commands.fields import (
    Attempt,
    ClientKey,
    CommandId,
    Defaulted,
    ExecutionId,
    FailurePolicyWord,
    Flag,
    LongCode,
    Name,
    Title,
    Version,
)
from taskstatus.commands.steps import HeartbeatOptions


class ActivateStep(Command):
    """Give a known step its next, or its first, execution."""

    attempt: Attempt | None = None
    producer_id: Name | None = None
    command_id: CommandId | None = None
    supersede: Defaulted[Flag] = False


class RegisterExecution(HeartbeatOptions, Command):
    """Add a step that became known while the task runs, with its execution."""

    client_step_key: ClientKey
    parent_execution_id: ExecutionId | None = None
    operation_code: LongCode
    operation_definition_version: Version | None = None
    producer_id: Name
    attempt: Defaulted[Attempt] = 1
    display_name: Title | None = None
    failure_policy: FailurePolicyWord | None = None
