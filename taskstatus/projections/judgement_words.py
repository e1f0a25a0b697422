"""What the reconciler would do about an execution, and why, in the language that is switched on."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final

from django.utils.translation import gettext

from taskstatus.domain.judgement import Judgement, Verdict
from taskstatus.domain.lifecycle import Health, HealthReason
from taskstatus.domain.overdue import next_look
from taskstatus.models import Step, Task
from taskstatus.projections.task_detail import lease_of


def foretold(judgement: Judgement, step: Step, task: Task) -> str:
    """What a pass would do about this step now, and when it looks again if it does nothing."""
    return _WORDS[judgement.verdict](judgement, step, task)


def _nothing(_judgement: Judgement, step: Step, task: Task) -> str:
    lease = lease_of(step)
    moments = [next_look(step, task), lease.deadline_at if lease else None]
    look = min((moment for moment in moments if moment is not None), default=None)
    if look is None:
        return gettext("nothing; no clock runs against it")
    return gettext("nothing before %(time)s, unless it is heard of") % {"time": moment_text(look)}


def _change(judgement: Judgement, _step: Step, _task: Task) -> str:
    reason = judgement.state.reason
    if reason is None:
        return gettext("say that it is well")
    if judgement.state.health is Health.STALE:
        return gettext("say that it is silent: %(why)s") % {"why": _why(reason)}
    return gettext("say that it is degraded: %(why)s") % {"why": _why(reason)}


def _why(reason: HealthReason) -> str:
    words = {
        HealthReason.NO_HEARTBEAT: gettext("no beat came before its deadline"),
        HealthReason.NOT_STARTED: gettext("it did not start in the time it has for that"),
        HealthReason.NO_PROGRESS: gettext("its progress stood still for longer than it may"),
        HealthReason.OVER_TIME: gettext("its task runs for longer than was expected"),
    }
    return words.get(reason, reason.value)


def _escalate(_judgement: Judgement, _step: Step, _task: Task) -> str:
    return gettext("tell once more, as an error, that it is silent")


def _grace(judgement: Judgement, _step: Step, _task: Task) -> str:
    until = moment_text(judgement.until) if judgement.until else "?"
    return gettext("believe it until %(time)s, because the service itself was away") % {"time": until}


def moment_text(moment: datetime) -> str:
    """A moment for people, to the second."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


_WORDS: Final[Mapping[Verdict, Callable[[Judgement, Step, Task], str]]] = {
    Verdict.NOTHING: _nothing,
    Verdict.CHANGE: _change,
    Verdict.ESCALATE: _escalate,
    Verdict.GRACE: _grace,
}
