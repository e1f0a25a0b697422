"""Messages in the outbox, as use cases put them there."""

import json

from django.db import transaction

from outbox.enqueue import Outgoing, enqueue
from outbox.models import OutboxMessage


def outgoing(channel="task_user:acme/alice", task="tsk_1", version=1, **members):
    body = {"kind": "task.summary", "epoch": "1", "taskId": task, "taskVersion": str(version)}
    defaults = {
        "aggregate_type": "TASK",
        "aggregate_id": task,
        "aggregate_version": version,
        "epoch": 1,
        "channel": channel,
        "projection": "USER_SUMMARY",
        "payload": json.dumps(body),
    }
    return Outgoing(**{**defaults, **members})


def put(*messages):
    """Commit the messages, or one of no particular kind; the ids of their rows."""
    with transaction.atomic():
        enqueue(messages or [outgoing()])
    newest = OutboxMessage.objects.order_by("-id").values_list("id", flat=True)
    return sorted(newest[: len(messages) or 1])
