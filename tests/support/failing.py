"""Tasks whose steps fail under one policy or several, as H11 looks at them from many sides."""

from typing import Any, Final

from tests.support.cast import Coordinator, Worker, step_body
from tests.support.definitions import define, operation, status, status_set

FAIL: Final = "FAIL_TASK"
RETRY: Final = "RETRY_THEN_FAIL_TASK"
GO_ON: Final = "CONTINUE_WITH_WARNING"
WAIT: Final = "WAIT_FOR_USER"
POLICIES: Final = (FAIL, RETRY, GO_ON, WAIT)
# What a running task shows before anything fails, by its type.
SHOWN: Final = {None: "RUNNING", "PAPER": "READING"}
FAILURE: Final = {"code": "BROKEN", "message": "It broke.", "failedStepId": "s1"}


def define_papers() -> None:
    """One status set, and one operation that fails its task and may be tried twice."""
    beyond = ["READING", "CHECKING"]
    define(
        sets=[
            status_set(
                status("QUEUED", "PENDING", initial=True),
                status("READING", allowedFrom=["QUEUED", "CHECKING", "@none"]),
                status("CHECKING", allowedFrom=beyond),
                status("DONE", "SUCCEEDED", allowedFrom=beyond),
            )
        ],
        operations=[operation(maxAttempts=2)],
    )


def begin(
    carol: Coordinator, *, task_type: str | None = None, steps: tuple[str, ...] = ("s1",), **members: Any
) -> tuple[Any, ...]:
    """A task of these steps under one policy, and a worker for each that has said that it began."""
    task_id = carol.task(*[step_body(name, **members) for name in steps], taskType=task_type)["taskId"]
    workers = [carol.worker(task_id, name) for name in steps]
    for worker in workers:
        worker.started(businessStatus="READING" if task_type else None)
    return task_id, *workers


def mixed(carol: Coordinator, **policies: str) -> tuple[str, dict[str, Worker]]:
    """A task whose steps have a policy each, all running."""
    task_id = carol.task(*[step_body(name, failurePolicy=policy) for name, policy in policies.items()])["taskId"]
    workers = {name: carol.worker(task_id, name) for name in policies}
    for worker in workers.values():
        worker.started()
    return task_id, workers


def shows(carol: Coordinator, task_id: str, *members: str) -> tuple[Any, ...]:
    """These members of the task's detail."""
    detail = carol.detail(task_id)
    return tuple(detail[name] for name in members)


def code_after(policy: str, task_type: str | None, *, retryable: bool, is_last: bool) -> str:
    """The status that a running task shows after a failure under this policy (ruling 37)."""
    if policy == WAIT:
        return "WAITING_USER_ACTION"
    return "RETRY_WAIT" if policy == RETRY and retryable and not is_last else SHOWN[task_type]
