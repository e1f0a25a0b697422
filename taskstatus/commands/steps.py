"""The steps that a task begins with, and how an execution shows that it lives (protocol 4.1)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final

from pydantic import Field

from taskstatus.commands.base import Part, objects_in, wrong
from taskstatus.commands.fields import (
    Defaulted,
    FailurePolicyWord,
    Interval,
    LongCode,
    Name,
    Seconds,
    StepId,
    Title,
    Version,
)
from taskstatus.domain.dependencies import steps_in_circles
from taskstatus.domain.errors import FieldError
from taskstatus.domain.identifiers import DYNAMIC_STEP_PREFIX
from taskstatus.domain.leases import INTERVALS_PER_TIMEOUT

MAX_ITEMS: Final = 1000


class HeartbeatOptions(Part):
    """How an execution shows that it lives; what is left out comes from its operation."""

    heartbeat_interval_seconds: Interval | None = None
    heartbeat_timeout_seconds: Seconds | None = None
    no_progress_seconds: Seconds | None = None

    @classmethod
    def cross_check(cls, raw: Mapping[str, Any], pointer: str) -> Iterator[FieldError]:
        """A timeout must cover three beats (H08)."""
        interval, timeout = raw.get("heartbeatIntervalSeconds"), raw.get("heartbeatTimeoutSeconds")
        if type(interval) is int and type(timeout) is int and timeout < INTERVALS_PER_TIMEOUT * interval:
            yield wrong(f"{pointer}/heartbeatTimeoutSeconds", "The timeout has to cover at least three intervals.")


class KnownStep(HeartbeatOptions):
    """A step that is known when the task is created."""

    step_id: StepId
    operation_code: LongCode
    operation_definition_version: Version | None = None
    expected_producer: Name | None = None
    display_name: Title | None = None
    depends_on: Defaulted[Annotated[list[StepId], Field(max_length=MAX_ITEMS, default_factory=list)]]
    failure_policy: FailurePolicyWord | None = None
    start_deadline_seconds: Seconds | None = None
    stale_escalation_seconds: Seconds | None = None

    @classmethod
    def cross_check(cls, raw: Mapping[str, Any], pointer: str) -> Iterator[FieldError]:
        """Names with the dynamic prefix are the service's."""
        yield from super().cross_check(raw, pointer)
        step_id = raw.get("stepId")
        if isinstance(step_id, str) and step_id.startswith(DYNAMIC_STEP_PREFIX):
            yield wrong(f"{pointer}/stepId", f"{DYNAMIC_STEP_PREFIX} begins the ids of dynamic steps only.")


def dependency_errors(raw: Mapping[str, Any], pointer: str) -> Iterator[FieldError]:
    """Dependencies name steps of the list and never lead back to where they began."""
    steps = [
        (where, step["stepId"], step.get("dependsOn") or [])
        for where, step in objects_in(raw, "knownSteps", pointer)
        if isinstance(step.get("stepId"), str) and isinstance(step.get("dependsOn") or [], list)
    ]
    needs = {step_id: [need for need in listed if isinstance(need, str)] for _, step_id, listed in steps}
    in_circles = steps_in_circles(needs)
    for where, step_id, listed in steps:
        for index, need in enumerate(listed):
            if isinstance(need, str) and need not in needs:
                yield wrong(f"{where}/dependsOn/{index}", "The list has no such step.")
        if step_id in in_circles:
            yield wrong(f"{where}/dependsOn", "The dependencies form a circle.")
