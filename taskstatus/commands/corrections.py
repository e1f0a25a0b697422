"""The command by which an operator corrects what is recorded of a task (source design 4.2, ruling 16)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import StringConstraints

from taskstatus.commands.base import Part, wrong
from taskstatus.commands.fields import Code, Defaulted, Flag, FreeText, LongCode, StepId, UserMessage
from taskstatus.domain.errors import FieldError

_OF_FAILURES: Final = ("failureCode", "failureMessage", "retryable")


class CorrectTask(Part):
    """End a task, or with `stepId` the current attempt of one of its steps, as it ought to have ended.

    `seen` is the ETag of the version that the operator looked at. A failure's code and words are for users; the reason
    is for the audit. `retryable` says of a step whether another attempt may help.
    """

    seen: Annotated[str, StringConstraints(strict=True, min_length=1, max_length=64)]
    step_id: StepId | None = None
    lifecycle_status: Literal["SUCCEEDED", "FAILED", "CANCELLED"]
    business_status: Code | None = None
    failure_code: LongCode | None = None
    failure_message: UserMessage | None = None
    retryable: Defaulted[Flag] = False
    reason: FreeText

    @classmethod
    def cross_check(cls, raw: Mapping[str, Any], pointer: str) -> Iterator[FieldError]:
        """Only what failed has a failure; words need a code; a whole task is tried again by `:retry` alone."""
        if raw.get("lifecycleStatus") != "FAILED":
            for name in _OF_FAILURES:
                if raw.get(name):
                    yield wrong(f"{pointer}/{name}", "Only what failed has a failure.")
        elif raw.get("failureMessage") is not None and raw.get("failureCode") is None:
            yield wrong(f"{pointer}/failureCode", "Words for a failure need its code.")
        if raw.get("retryable") and raw.get("stepId") is None:
            yield wrong(f"{pointer}/retryable", "Only a step's failure says whether another attempt may help.")
