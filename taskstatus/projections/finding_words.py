"""What a finding says to an operator, in the language that is switched on."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

from django.utils.translation import gettext, gettext_lazy, ngettext_lazy, pgettext

from taskstatus.domain.findings import Finding, Kind
from taskstatus.domain.lifecycle import Lifecycle
from taskstatus.projections.spans import span

Sentence = Callable[[Finding, datetime], str]


class Words(Protocol):
    """What is translated where its names are filled in; of words in two numbers their "count" says which."""

    def __mod__(self, names: dict[str, object], /) -> str:
        """The words with these names."""


def sentence(finding: Finding, now: datetime) -> str:
    """What is so, as seen at `now`."""
    return _SENTENCES[finding.kind](finding, now)


def _age(finding: Finding, now: datetime) -> str:
    return span(now - finding.since) if finding.since is not None else pgettext("age", "an unknown time")


def _names(finding: Finding, now: datetime) -> dict[str, object]:
    """What sentences can name: the step, its executor, for how long, and the finding's own facts."""
    step = finding.about.step if finding.about else None
    return {
        "step": step.step_id if step else "",
        "producer": (step.producer_id or step.expected_producer or "?") if step else "",
        "age": _age(finding, now),
        **finding.facts,
    }


def _plain(words: Words) -> Sentence:
    return lambda finding, now: words % _names(finding, now)


def _either(fact: str, words: Words, otherwise: Words) -> Sentence:
    """Which of the two it is depends on a fact of the finding."""
    return lambda finding, now: (words if finding.facts.get(fact) else otherwise) % _names(finding, now)


def _ended(finding: Finding, now: datetime) -> str:
    words = {
        Lifecycle.SUCCEEDED: gettext("It ended %(age)s ago: it succeeded."),
        Lifecycle.FAILED: gettext("It ended %(age)s ago: it failed."),
        Lifecycle.CANCELLED: gettext("It ended %(age)s ago: it was cancelled."),
    }
    return words[Lifecycle(str(finding.facts["lifecycle"]))] % _names(finding, now)


def _not_activated(finding: Finding, now: datetime) -> str:
    steps = finding.facts["steps"]
    names = {**_names(finding, now), "steps": ", ".join(steps) if isinstance(steps, list) else ""}
    words = (
        gettext("Nothing is under way, and nobody has activated what is left: %(steps)s. So for %(age)s.")
        if finding.facts.get("begun")
        else gettext("It was created %(age)s ago, and no step has been activated: %(steps)s.")
    )
    return words % names


def _over_time(finding: Finding, now: datetime) -> str:
    limit = finding.facts.get("limit")
    if limit is None:
        return gettext("It has been running for %(age)s, longer than was expected.") % _names(finding, now)
    names = {**_names(finding, now), "limit": span(timedelta(seconds=int(str(limit))))}
    return gettext("It has been running for %(age)s; %(limit)s were expected.") % names


def _beats_missing(finding: Finding, now: datetime) -> str:
    until = finding.facts.get("until")
    names = {**_names(finding, now), "until": _clock(until) if isinstance(until, datetime) else "?"}
    return (
        gettext("%(producer)s, which runs step %(step)s, was heard of %(age)s ago and is believed until %(until)s.")
        % names
    )


def _runs(finding: Finding, now: datetime) -> str:
    words = (
        gettext("Nothing is wrong as far as we know: %(producer)s was heard of %(age)s ago.")
        if finding.about
        else gettext("Nothing is wrong as far as we know. It last changed %(age)s ago.")
    )
    return words % _names(finding, now)


def _nobody_judges(finding: Finding, now: datetime) -> str:
    if finding.since is None:
        return gettext("No reconciler has ever come by: nobody finds silent executions.")
    return gettext("No reconciler has come by for %(age)s: nobody finds silent executions.") % _names(finding, now)


def _clock(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%H:%M:%S} UTC"


_SENTENCES: Final[Mapping[Kind, Sentence]] = {
    Kind.ENDED: _ended,
    Kind.NOBODY_HEARS: _plain(
        gettext_lazy(
            "The service itself has taken no reports for %(age)s, so silence proves nothing about the executors."
        )
    ),
    Kind.NOBODY_JUDGES: _nobody_judges,
    Kind.REFUSED: _plain(
        ngettext_lazy(
            "Reports are being refused: %(code)s x %(count)s from %(producer)s, %(age)s ago.",
            "Reports are being refused: %(code)s x %(count)s from %(producer)s, the last one %(age)s ago.",
            "count",
        )
    ),
    Kind.SILENT: _either(
        "told",
        gettext_lazy("%(producer)s, which runs step %(step)s, has been silent for %(age)s, and that was told twice."),
        gettext_lazy("%(producer)s, which runs step %(step)s, has been silent for %(age)s."),
    ),
    Kind.WAITS_FOR_USER: _plain(gettext_lazy("It has waited for its user for %(age)s.")),
    Kind.CANCEL_ASKED: _plain(gettext_lazy("A user asked %(age)s ago that it be cancelled.")),
    Kind.STEP_FAILED: _either(
        "retry",
        gettext_lazy("Step %(step)s failed (%(code)s) %(age)s ago, and waits for its next attempt."),
        gettext_lazy("Step %(step)s failed (%(code)s) %(age)s ago, and nothing has followed."),
    ),
    Kind.NOT_STARTED: _either(
        "late",
        gettext_lazy(
            "Step %(step)s was given to %(producer)s %(age)s ago and has not started in the time it has for that."
        ),
        gettext_lazy("Step %(step)s was given to %(producer)s %(age)s ago and has not started yet."),
    ),
    Kind.NO_PROGRESS: _plain(
        gettext_lazy("%(producer)s is alive, but the progress of step %(step)s has not moved for %(age)s.")
    ),
    Kind.OVER_TIME: _over_time,
    Kind.ALL_STEPS_ENDED: _plain(
        gettext_lazy("All of its steps have ended, the last one %(age)s ago, and it has not.")
    ),
    Kind.NOT_ACTIVATED: _not_activated,
    Kind.NO_STEPS: _plain(gettext_lazy("It was created %(age)s ago and has no steps.")),
    Kind.MESSAGES_DEAD: _plain(
        ngettext_lazy(
            "%(count)s message about it was given up in the outbox, %(age)s ago.",
            "%(count)s messages about it were given up in the outbox, the oldest %(age)s ago.",
            "count",
        )
    ),
    Kind.MESSAGES_WAIT: _plain(
        ngettext_lazy(
            "%(count)s message about it has waited in the outbox for %(age)s.",
            "%(count)s messages about it have waited in the outbox, the oldest for %(age)s.",
            "count",
        )
    ),
    Kind.OPTIONAL_FAILED: _plain(gettext_lazy("Step %(step)s failed %(age)s ago; the task goes on without it.")),
    Kind.BEATS_MISSING: _beats_missing,
    Kind.RUNS: _runs,
}
