"""What callers can ask for: filters and pages of lists, and snapshots of many tasks (protocol 4.1, 5)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from taskstatus.commands.base import Part, wrong
from taskstatus.commands.fields import (
    MAX_INT,
    MAX_TASK_SECONDS,
    Instant,
    Label,
    LongCode,
    LongLabel,
    Name,
    Reference,
    Title,
)
from taskstatus.domain.errors import FieldError
from taskstatus.domain.versions import parse_decimal

MAX_FILTER_VALUES = 50
MAX_LIMIT = 200

LifecycleWord = Literal["PENDING", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"]
HealthWord = Literal["HEALTHY", "DEGRADED", "STALE"]
AnyOf: Any = Field(max_length=MAX_FILTER_VALUES, default_factory=list)


class NoParameters(Part):
    """The query of a path that takes none."""


class Page(Part):
    """A window of a list: `cursor` is a page's `nextCursor`."""

    cursor: Annotated[str, StringConstraints(min_length=1, max_length=512)] | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = 50


class ListTasks(Page):
    """Which tasks; several values of one filter mean any of them."""

    lifecycle_status: Annotated[list[LifecycleWord], AnyOf]
    health: Annotated[list[HealthWord], AnyOf]
    task_type: Annotated[list[LongCode], AnyOf]
    product_id: Annotated[list[Label], AnyOf]
    workflow_id: Annotated[list[Label], AnyOf]
    batch_id: Annotated[list[LongLabel], AnyOf]
    parent_task_id: Annotated[list[Label], AnyOf]
    q: Title | None = None
    updated_after: Instant | None = None


class ListExecutions(Page):
    """Which of a scope's running executions: in one of these healths, and in it for at least so long."""

    health: Annotated[list[HealthWord], AnyOf]
    older_than_seconds: Annotated[int, Field(ge=0, le=MAX_TASK_SECONDS)] | None = None


class ReadTimeline(Part):
    """Which part of a task's timeline: what came after this version, oldest first."""

    after_task_version: Annotated[int, Field(ge=0, le=MAX_INT)] | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = 100


class LookUpOwnTask(Part):
    """The number that another system has for a task of the caller's scope."""

    ref_type: Label
    ref_value: Reference


class LookUpTask(LookUpOwnTask):
    """The number that another system has for a task of a named scope."""

    authority_scope: Name


class BatchGet(Part):
    """Snapshots of many tasks; what the caller has already is left out."""

    task_ids: Annotated[list[Label], Field(min_length=1, max_length=MAX_LIMIT)]
    known_versions: dict[Label, str] | None = None
    epoch: Annotated[str, Field(max_length=19)] | None = None

    @classmethod
    def cross_check(cls, raw: Mapping[str, Any], pointer: str) -> Iterator[FieldError]:
        """Versions and the epoch are decimal strings."""
        known = raw.get("knownVersions")
        if isinstance(known, dict):
            for task_id, version in known.items():
                if isinstance(version, str) and not _is_decimal(version):
                    name = task_id.replace("~", "~0").replace("/", "~1")
                    yield wrong(f"{pointer}/knownVersions/{name}", "A version is a decimal string.")
        epoch = raw.get("epoch")
        if isinstance(epoch, str) and not _is_decimal(epoch):
            yield wrong(f"{pointer}/epoch", "An epoch is a decimal string.")


def _is_decimal(text: str) -> bool:
    try:
        parse_decimal(text)
    except ValueError:
        return False
    return True
