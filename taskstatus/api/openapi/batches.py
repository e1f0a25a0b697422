"""Batches of reports: every report is answered by itself (protocol 4.3)."""

from typing import Annotated, Literal

from pydantic import Field

from taskstatus.api.openapi.answers import Answer, Receipt
from taskstatus.api.openapi.problems import Problem
from taskstatus.commands.events import MAX_EVENTS, ReportBatch, ReportEvent


class EventBatch(ReportBatch):
    """Reports in one request; the list is judged as a whole, each report by itself."""

    events: Annotated[list[ReportEvent], Field(min_length=1, max_length=MAX_EVENTS)]  # type: ignore[assignment]


class RefusedReport(Answer):
    """A report of a batch that was refused; the others are not concerned."""

    event_id: Annotated[str | None, Field(description="Its eventId; null where that can't be read.")]
    accepted: Literal[False]
    error: Annotated[Problem, Field(description="Why it was refused.")]


class BatchResults(Answer):
    """What became of every report, in the order sent."""

    results: Annotated[list[Receipt | RefusedReport], Field(description="A receipt or a refusal for each report.")]
