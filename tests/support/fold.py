"""A task in memory that takes reports as the service does: decided by the rules, columns set, versions counted.

No database, no clock of its own: what the properties of tests/unit/domain are proven on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from taskstatus.domain.business_status import TaskCodes, codes_after_activation, new_step_code
from taskstatus.domain.decide import Rules, decide_step, decide_task
from taskstatus.domain.decisions import Apply, Coalesce, Stale
from taskstatus.domain.definitions import StatusSet
from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import FailurePolicy, Lifecycle
from tests.support.plain import EARLIER, NOW, PlainReport, PlainStep, PlainTask, operation

COORDINATOR = "coordinator"


@dataclass(frozen=True)
class Answer:
    """What a report was answered, and the task's version after it."""

    outcome: str
    version: int


@dataclass
class Story:
    """One task with two steps, and every version that its reports became."""

    statuses: StatusSet
    policies: tuple[FailurePolicy, FailurePolicy] = (FailurePolicy.FAIL_TASK, FailurePolicy.FAIL_TASK)
    now: datetime = NOW
    task: PlainTask = field(init=False)
    steps: dict[str, PlainStep] = field(init=False)
    version: int = 1
    log: list[int] = field(default_factory=lambda: [1])
    known: dict[str, tuple[PlainReport, Answer]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        codes = TaskCodes.initial(self.statuses)
        self.task = PlainTask(business_status=codes.shown, remembered_status=codes.unreserved, created_at=EARLIER)
        self.steps = {
            name: PlainStep(step_id=name, failure_policy=policy, business_status=new_step_code(self.statuses))
            for name, policy in zip(("s1", "s2"), self.policies, strict=True)
        }

    def take(self, event_id: str, report: PlainReport, step_id: str | None = None) -> Answer:
        """Answer a report: about this step, or about the task where none is named."""
        if event_id in self.known:
            first, answer = self.known[event_id]
            return answer if first == report else Answer("EVENT_ID_REUSED", self.version)
        self.now += timedelta(milliseconds=1)
        try:
            decision = self._decide(report, step_id)
        except DomainError as refusal:
            return Answer(refusal.code, self.version)
        if isinstance(decision, Stale):
            return Answer(decision.reason, self.version)
        if isinstance(decision, Coalesce):
            _set(self.steps[step_id or ""], decision.step)
            return Answer("COALESCED", self.version)
        self._apply(decision, step_id)
        answer = Answer("ACCEPTED", self.version)
        self.known[event_id] = (report, answer)
        return answer

    def try_again(self, step_id: str) -> None:
        """Open the next attempt of a failed step, as an activation does; nothing happens to any other."""
        failed = self.steps[step_id]
        if failed.lifecycle_status != Lifecycle.FAILED or Lifecycle(self.task.lifecycle_status).is_terminal:
            return
        others = [step for name, step in self.steps.items() if name != step_id]
        codes = codes_after_activation(TaskCodes.of(self.task), others)
        self.task.business_status, self.task.remembered_status = codes.shown, codes.unreserved
        self.steps[step_id] = replace(
            PlainStep(step_id=step_id, failure_policy=failed.failure_policy, max_attempts=failed.max_attempts),
            attempt=failed.attempt + 1,
            business_status=new_step_code(self.statuses),
        )
        self._count()

    def _decide(self, report: PlainReport, step_id: str | None) -> Apply | Coalesce | Stale:
        if step_id is None:
            return decide_task(report, 1, self.task, self.statuses, COORDINATOR, self.now)
        rules = Rules(self.statuses, operation())
        return decide_step(report, self.steps[step_id], self.task, rules, self.now)

    def _apply(self, decision: Apply, step_id: str | None) -> None:
        if step_id is not None:
            _set(self.steps[step_id], decision.step)
        _set(self.task, decision.task)
        self._count()

    def _count(self) -> None:
        self.version += 1
        self.log.append(self.version)


def _set(row: PlainTask | PlainStep, columns: Mapping[str, Any]) -> None:
    for name, value in columns.items():
        setattr(row, name, value)
