"""What the path by which users ask for cancellation takes, answers and refuses (protocol 5)."""

from taskstatus.api.openapi import my_tasks, parameters, refusals
from taskstatus.api.openapi.answers import Answer, Decimal, Instant
from taskstatus.api.openapi.operation import Answers, Takes, operation
from taskstatus.commands.cancellation import RequestCancel


class CancelReceipt(Answer):
    """The version at which the task's users and services learnt that cancelling was asked for."""

    task_version: Decimal
    epoch: Decimal
    cancel_requested_at: Instant


request_cancel = operation(
    "requestCancel",
    my_tasks.TAG,
    "Ask that a task be cancelled",
    "Notes the wish and tells those who follow the task. Workers hear of it with their next beats, and the coordinator "
    "decides; until then the task goes on. Asked again, by whomever and with whatever reason, the first answer comes "
    "again and nothing changes. A new attempt of the task begins without the wish. Needs the permission OPERATE on the "
    "task, which its owner has.",
    parameters=[parameters.TASK_ID],
    takes=Takes(RequestCancel, {"reason": "These contracts were withdrawn."}),
    answers={
        200: Answers(
            "Cancelling was asked for, now or before.",
            CancelReceipt,
            {"taskVersion": "5", "epoch": "1", "cancelRequestedAt": "2026-09-21T07:10:47.204Z"},
        ),
    },
    refuses=(*refusals.USER_WRITE, "TASK_NOT_FOUND", "TERMINAL_STATE"),
    proved_by=my_tasks.USER,
)
