"""What the pages say of corrections: their values, and why one is refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from taskstatus.admin.tasks.words import LIFECYCLES
from taskstatus.domain.errors import DomainError, FieldError

VALUES: Final[dict[str, Promise]] = {
    "stepLifecycleStatus": _("The step's lifecycle"),
    "stepBusinessStatus": _("The step's business status"),
    "errorCode": _("The step's error"),
    "errorMessage": _("What users read of the step's error"),
    "errorRetryable": _("Another attempt of the step may help"),
    "lifecycleStatus": _("The task's lifecycle"),
    "businessStatus": _("The task's business status"),
    "failureCode": _("The task's failure"),
    "failureMessage": _("What users read of the failure"),
    "failedStepId": _("The step whose failure that is"),
    "requiresAction": _("The task waits for a user"),
}
_DETAILS: Final[dict[str, Promise]] = {
    "Only what failed has a failure.": _("Only what failed has a failure."),
    "Words for a failure need its code.": _("Words for a failure need its code."),
    "Only a step's failure says whether another attempt may help.": _(
        "Only a step's failure says whether another attempt may help."
    ),
    "It is in this state already: nothing would change.": _("It is in this state already: nothing would change."),
}
_CODES: Final[dict[str, tuple[str, Promise]]] = {
    "STEP_NOT_REGISTERED": ("stepId", _("The task has no such step any more.")),
    "ILLEGAL_TRANSITION": ("stepId", _("The step was never activated: there is nothing to correct.")),
    "UNKNOWN_BUSINESS_STATUS": ("businessStatus", _("No such status exists for what you correct.")),
    "STATUS_NOT_REACHABLE": ("businessStatus", _("This status belongs to another lifecycle.")),
    "DATABASE_BUSY": ("", _("The task is being changed by others just now; try again.")),
    "DATABASE_UNAVAILABLE": ("", _("The database can't be reached just now; try again.")),
}


@dataclass(frozen=True, slots=True)
class ShownValue:
    """One value before and after a correction."""

    words: object
    before: object
    after: object

    @property
    def is_changed(self) -> bool:
        """Whether the correction changes it."""
        return self.before != self.after


def shown_values(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[ShownValue]:
    """The values of a preview side by side, in the order in which they are told."""
    named = [(name, words) for name, words in VALUES.items() if name in old]
    return [ShownValue(words, _shown(name, old[name]), _shown(name, new[name])) for name, words in named]


def _shown(name: str, value: object) -> object:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name in {"lifecycleStatus", "stepLifecycleStatus"}:
        return LIFECYCLES.get(str(value), value)
    return "" if value is None else value


def problems_of(error: DomainError) -> list[tuple[str, object]]:
    """Each problem with the field that it is about; an empty name where it is about none."""
    if error.errors:
        return [(_field(fault), _DETAILS.get(fault.detail, fault.detail)) for fault in error.errors]
    name, words = _CODES.get(error.code, ("", None))
    return [(name, words or error.detail)]


def _field(fault: FieldError) -> str:
    return fault.pointer.removeprefix("/")
