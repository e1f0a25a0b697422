"""What users ask of the realtime layer (protocol 5)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field

from taskstatus.commands.base import Part, wrong
from taskstatus.commands.fields import Label
from taskstatus.domain.errors import FieldError

# Above every limit that a deployment can set: a longer list is a mistake and no question of limits.
MAX_TASK_IDS = 1_000


class Subscribe(Part):
    """What to hear of in detail: one task, or one workflow."""

    task_id: Label | None = None
    workflow_id: Label | None = None

    @classmethod
    def cross_check(cls, raw: Mapping[str, Any], pointer: str) -> Iterator[FieldError]:
        """Exactly one of the two is named."""
        named = [name for name in ("taskId", "workflowId") if raw.get(name) is not None]
        if len(named) != 1:
            yield wrong(f"{pointer}/{(named or ['taskId'])[-1]}", "Name either a task or a workflow.")


class WatchTasks(Part):
    """Which tasks to watch in detail over the native stream, instead of those before."""

    task_ids: Annotated[list[Label], Field(max_length=MAX_TASK_IDS)]
