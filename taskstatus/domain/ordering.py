"""Whether a report is of the current attempt and newer than what its stream said (protocol 4.3 rows 6 and 7)."""

from taskstatus.domain.decisions import Stale, StaleReason
from taskstatus.domain.errors import DomainError
from taskstatus.domain.facts import ReportFacts, StepFacts, TaskFacts
from taskstatus.domain.lifecycle import EventType, SequencePolicy


def stale_execution(step: StepFacts, task: TaskFacts) -> Stale | None:
    """Stale if the task's attempt went by, or another attempt of the step took this one's place (row 6)."""
    if step.task_attempt != task.attempt:
        return Stale(StaleReason.STALE_ATTEMPT)
    return None if step.is_current else Stale(StaleReason.STALE_EXECUTION)


def stale_task_attempt(attempt: int, task: TaskFacts) -> Stale | None:
    """Stale if a task event is about an attempt gone by; one yet to come raises ATTEMPT_MISMATCH (row 6)."""
    if attempt > task.attempt:
        raise DomainError(
            "ATTEMPT_MISMATCH", "The task has no such attempt.", current={"taskAttempt": str(task.attempt)}
        )
    return Stale(StaleReason.STALE_ATTEMPT) if attempt < task.attempt else None


def stale_sequence(report: ReportFacts, last: int, policy: SequencePolicy) -> Stale | None:
    """Stale unless sourceSeq exceeds the stream's last; a jump raises SEQUENCE_GAP where none is allowed (row 7)."""
    if report.source_seq is None:
        return None
    if report.source_seq <= last:
        return Stale(StaleReason.STALE_SEQUENCE)
    if policy is SequencePolicy.CONTIGUOUS and report.source_seq != last + 1:
        raise DomainError(
            "SEQUENCE_GAP", "This operation wants every sourceSeq in turn.", current={"sourceSeq": str(last)}
        )
    return None


def stale_progress(report: ReportFacts, step: StepFacts) -> Stale | None:
    """Stale if a progress report is no newer than the progress that is known (row 7)."""
    if report.event_type != EventType.STEP_PROGRESS or report.progress_seq is None:
        return None
    return Stale(StaleReason.STALE_PROGRESS) if report.progress_seq <= step.progress_seq else None
