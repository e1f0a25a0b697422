"""Why tasks do not move: everything that their findings are made of, in a fixed number of statements (ruling 17)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from outbox.models import OutboxMessage
from taskstatus.domain.findings import Finding, findings
from taskstatus.domain.judgement import Judgement, judge
from taskstatus.domain.situation import OwnState, Refused, Situation, StepWithLease, last_reported_at
from taskstatus.models import RefusedReport, Step, Task
from taskstatus.projections.task_detail import lease_of
from taskstatus.queries.aggregates import current_steps
from taskstatus.queries.clock import read_clock
from taskstatus.queries.own_state import own_state
from taskstatus.queries.unpublished import LeftMessages, left_messages

_Refusal = tuple[str, str, str, datetime]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A task with its current steps, and what was found; the first finding tells most."""

    task: Task
    steps: Sequence[Step]
    messages: Sequence[OutboxMessage]
    situation: Situation
    findings: Sequence[Finding]

    @property
    def now(self) -> datetime:
        """The database's clock as it was read."""
        return self.situation.now

    def foretold(self, step: Step) -> Judgement:
        """What the reconciler would make of one of the live task's steps now, if it judged."""
        return judge(step, self.task, lease_of(step), self.situation.own.ended, self.now)


def explain(tasks: Sequence[Task]) -> list[Explanation]:
    """An explanation of each of the tasks, in their order: nine statements, and one more where messages are left."""
    now, _epoch = read_clock()
    task_ids = [task.id for task in tasks]
    steps = current_steps(task_ids)
    refused = _refusals([task.id for task in tasks if task.refusal_count])
    messages, own = left_messages(frozenset(task_ids)), own_state()
    return [_explained(task, steps[task.id], refused.get(task.id, ()), messages, own, now) for task in tasks]


def _refusals(task_ids: Sequence[str]) -> Mapping[str, Sequence[_Refusal]]:
    found: dict[str, list[_Refusal]] = {}
    rows = RefusedReport.objects.filter(task_id__in=task_ids)
    for row in rows.values_list("task_id", "code", "producer_id", "refused_at"):
        found.setdefault(row[0], []).append(row)
    return found


def _explained(
    task: Task,
    steps: Sequence[Step],
    refusals: Sequence[_Refusal],
    messages: LeftMessages,
    own: OwnState,
    now: datetime,
) -> Explanation:
    situation = Situation(
        task,
        [StepWithLease(step, lease_of(step)) for step in steps],
        now,
        _of_late(refusals, last_reported_at(task, steps)),
        messages.of(task.id),
        own,
    )
    return Explanation(task, steps, messages.by_task.get(task.id, ()), situation, findings(situation))


def _of_late(refusals: Sequence[_Refusal], since: datetime | None) -> list[Refused]:
    """What was refused after anything was last believed, by code and producer."""
    late = [row for row in refusals if since is None or row[3] > since]
    counts = Counter((code, producer) for _, code, producer, _ in late)
    last = {(code, producer): at for _, code, producer, at in sorted(late, key=lambda row: row[3])}
    return [Refused(code, producer, number, last[code, producer]) for (code, producer), number in counts.items()]
