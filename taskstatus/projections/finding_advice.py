"""Who has to do what about a finding, in the language that is switched on."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext, gettext_noop

from taskstatus.domain.findings import Finding, Kind


def advice(finding: Finding) -> str:
    """Who has to do what, if the task is to move; empty where there is nothing to do."""
    words = _ADVICE[finding.kind]
    return gettext(words) if words else ""


_LOOK_AT_WORKER: Final = gettext_noop("Look at the executor; its coordinator decides whether to supersede it.")
_ADVICE: Final[Mapping[Kind, str]] = {
    Kind.ENDED: gettext_noop("Only a new attempt (:retry, by the coordinator) or a correction changes it."),
    Kind.NOBODY_HEARS: gettext_noop(
        "Start the web processes, or look why they are silent. Executions then get a grace period."
    ),
    Kind.NOBODY_JUDGES: gettext_noop("Start beat and its worker, or run manage.py reconcile."),
    Kind.REFUSED: gettext_noop("Repair the sender, or publish a definition that takes what it sends."),
    Kind.SILENT: _LOOK_AT_WORKER,
    Kind.WAITS_FOR_USER: gettext_noop("The user has to act; then the coordinator goes on."),
    Kind.CANCEL_ASKED: gettext_noop("The coordinator decides: TASK_CANCELLED, or go on."),
    Kind.STEP_FAILED: gettext_noop("The coordinator has to activate its next attempt, or to end the task."),
    Kind.NOT_STARTED: gettext_noop("Look whether the executor got the work; its coordinator may supersede it."),
    Kind.NO_PROGRESS: _LOOK_AT_WORKER,
    Kind.OVER_TIME: _LOOK_AT_WORKER,
    Kind.ALL_STEPS_ENDED: gettext_noop("The coordinator has to end the task; nobody else may."),
    Kind.NOT_ACTIVATED: gettext_noop("The coordinator has to activate the next step, or to end the task."),
    Kind.NO_STEPS: gettext_noop("Its coordinator has to report what becomes of it."),
    Kind.MESSAGES_DEAD: gettext_noop(
        "Screens may show an old state until they load again. Send them again from the outbox."
    ),
    Kind.MESSAGES_WAIT: gettext_noop(
        "Screens may show an old state. Look whether a relay runs and Centrifugo answers."
    ),
    Kind.OPTIONAL_FAILED: "",
    Kind.BEATS_MISSING: gettext_noop("If no beat comes until then it counts as silent."),
    Kind.RUNS: "",
}
