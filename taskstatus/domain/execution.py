"""Whether a report belongs to the execution that its credential stands for (protocol 4.3 row 3, C05)."""

# ruff: noqa: D102 - the members are named as on the wire and described in protocol 4

from collections.abc import Iterator
from typing import Protocol

from taskstatus.domain.errors import DomainError


class Context(Protocol):
    """The context members that a report may repeat."""

    @property
    def workflow_id(self) -> str | None: ...
    @property
    def task_id(self) -> str | None: ...
    @property
    def step_id(self) -> str | None: ...
    @property
    def execution_id(self) -> str | None: ...
    @property
    def operation_code(self) -> str | None: ...
    @property
    def producer_id(self) -> str | None: ...
    @property
    def task_attempt(self) -> int | None: ...
    @property
    def step_attempt(self) -> int | None: ...
    @property
    def task_type(self) -> str | None: ...


class Registered(Protocol):
    """What was registered: the authority for every context member (source design 3.3.2)."""

    @property
    def workflow_id(self) -> str: ...
    @property
    def task_id(self) -> str: ...
    @property
    def step_id(self) -> str: ...
    @property
    def execution_id(self) -> str: ...
    @property
    def operation_code(self) -> str: ...
    @property
    def producer_id(self) -> str: ...
    @property
    def task_attempt(self) -> int: ...
    @property
    def step_attempt(self) -> int: ...
    @property
    def task_type(self) -> str | None: ...


def require_match(context: Context, registered: Registered, caller_producer_id: str) -> None:
    """Raise the refusal of the first context member that differs from what was registered (row 3's order).

    The caller has to be the registered producer, whether or not the report repeats it.
    """
    for claimed, actual, code, what in _pairs(context, registered, caller_producer_id):
        if claimed is not None and claimed != actual:
            raise DomainError(code, f"{what} is not that of the execution which this credential stands for.")


def _pairs(
    context: Context, registered: Registered, caller_producer_id: str
) -> Iterator[tuple[object, object, str, str]]:
    yield context.workflow_id, registered.workflow_id, "WORKFLOW_NOT_FOUND", "workflowId"
    yield context.task_id, registered.task_id, "TASK_NOT_FOUND", "taskId"
    yield context.step_id, registered.step_id, "STEP_NOT_REGISTERED", "stepId"
    yield context.execution_id, registered.execution_id, "EXECUTION_NOT_FOUND", "executionId"
    yield context.operation_code, registered.operation_code, "OPERATION_MISMATCH", "operationCode"
    yield caller_producer_id, registered.producer_id, "PRODUCER_MISMATCH", "The calling service"
    yield context.producer_id, registered.producer_id, "PRODUCER_MISMATCH", "producerId"
    yield context.task_attempt, registered.task_attempt, "ATTEMPT_MISMATCH", "taskAttempt"
    yield context.step_attempt, registered.step_attempt, "ATTEMPT_MISMATCH", "stepAttempt"
    yield context.task_type, registered.task_type, "TASK_TYPE_MISMATCH", "taskType"
