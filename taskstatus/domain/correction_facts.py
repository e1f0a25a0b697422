"""What the rules of corrections read: structural types, as those of reports are (domain/facts.py)."""

# ruff: noqa: D102 - the members are named as in the commands and models that have them

from typing import Protocol

from taskstatus.domain.facts import StepFacts, TaskFacts


class CorrectionFacts(Protocol):
    """What an operator states."""

    @property
    def lifecycle_status(self) -> str: ...
    @property
    def business_status(self) -> str | None: ...
    @property
    def failure_code(self) -> str | None: ...
    @property
    def failure_message(self) -> str | None: ...
    @property
    def retryable(self) -> bool: ...


class TaskUnderCorrection(TaskFacts, Protocol):
    """A task with what a correction shows of it."""

    @property
    def failed_step_id(self) -> str | None: ...


class StepUnderCorrection(StepFacts, Protocol):
    """A step attempt with whether it was ever activated, and its error."""

    @property
    def execution_id(self) -> str | None: ...
    @property
    def error_code(self) -> str | None: ...
    @property
    def error_message(self) -> str | None: ...
