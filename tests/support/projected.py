"""What was put into the outbox, and a walk over everything in a message."""

import json
from collections.abc import Iterator
from typing import Any

from outbox.models import OutboxMessage


def messages(kind: str, aggregate_id: str) -> list[dict[str, Any]]:
    """The messages of this kind about a task or workflow, oldest first."""
    rows = OutboxMessage.objects.filter(aggregate_id=aggregate_id).order_by("pk")
    payloads = [json.loads(row.payload) for row in rows]
    return [payload for payload in payloads if payload["kind"] == kind]


def notices(task_id: str) -> list[dict[str, Any]]:
    """The notices that rode on the task's summaries, oldest first."""
    return [message["notice"] for message in messages("task.summary", task_id) if "notice" in message]


def members(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every member anywhere in a JSON value, by its own name."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key, inner
            yield from members(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from members(inner, name)
