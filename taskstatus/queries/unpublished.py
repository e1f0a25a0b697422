"""Messages about tasks that are in the outbox still: waiting, being published, or given up.

The outbox has no index by what a message is about; it would cost every report one more write (ruling 28). Only the
oldest of each status are looked at, in the order in which relays take them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from outbox.backlog import UNSETTLED
from outbox.models import OutboxMessage
from outbox.models.message import Status
from taskstatus.domain.situation import Unpublished

LOOKED_AT: Final = 5_000
_COLUMNS: Final = (
    *("id", "command", "aggregate_id", "aggregate_version", "channel", "status"),
    *("attempts", "last_error", "available_at", "created_at"),
)


@dataclass(frozen=True, slots=True)
class LeftMessages:
    """The messages by the id of their task, oldest first; `was_cut` says that there may be more of them."""

    by_task: Mapping[str, Sequence[OutboxMessage]] = field(default_factory=dict)
    was_cut: bool = False

    def of(self, task_id: str) -> Unpublished:
        """How many of a task's wait, or are dead, and since when."""
        messages = self.by_task.get(task_id, ())
        dead = [one.created_at for one in messages if one.status == Status.DEAD]
        waiting = [one.created_at for one in messages if one.status != Status.DEAD]
        return Unpublished(len(waiting), min(waiting, default=None), len(dead), min(dead, default=None))


def left_messages(task_ids: Collection[str]) -> LeftMessages:
    """What is left of these tasks' messages: a statement for each status, and one for those that are found."""
    looked = [_oldest(status) for status in UNSETTLED]
    found = [pk for rows in looked for pk, aggregate_id in rows if aggregate_id in task_ids]
    by_task: dict[str, list[OutboxMessage]] = {}
    if found:
        for message in OutboxMessage.objects.filter(pk__in=found).only(*_COLUMNS).order_by("pk"):
            # What was published in between is none any more.
            if message.status in UNSETTLED:
                by_task.setdefault(message.aggregate_id, []).append(message)
    return LeftMessages(by_task, was_cut=any(len(rows) == LOOKED_AT for rows in looked))


def _oldest(status: Status) -> list[tuple[int, str]]:
    rows = OutboxMessage.objects.filter(status=status).order_by("available_at", "id")
    return list(rows.values_list("id", "aggregate_id")[:LOOKED_AT])
