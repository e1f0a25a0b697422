"""The form of a correction: what is corrected, to what, and why."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from taskstatus.admin.tasks.correction_words import problems_of
from taskstatus.admin.tasks.words import LIFECYCLES
from taskstatus.commands.corrections import CorrectTask
from taskstatus.domain.characters import CODE, FREE_TEXT
from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import AppliesTo, Lifecycle
from taskstatus.queries.correctable import Correctable, EndCode

_ENDS: Final = (Lifecycle.SUCCEEDED, Lifecycle.FAILED, Lifecycle.CANCELLED)
_SCOPES: Final = {AppliesTo.TASK: _("for the task"), AppliesTo.STEP: _("for a step")}


class LinesField(forms.CharField):
    """Several lines of text, which browsers end with two characters and the service with one."""

    def __init__(self, *, rows: int, **options: Any) -> None:
        """Take an area of so many rows."""
        super().__init__(
            widget=forms.Textarea({"rows": rows}),
            validators=[RegexValidator(FREE_TEXT, _("Leave control characters out."))],
            **options,
        )

    def to_python(self, value: Any) -> Any:  # noqa: ANN401 - whatever a form holds
        """End each line by one line feed."""
        text = super().to_python(value)
        return text.replace("\r\n", "\n") if isinstance(text, str) else text


class CorrectionForm(forms.Form):
    """A correction's members, by the names that its command has."""

    stepId = forms.ChoiceField(required=False, label=_("What is corrected"))  # noqa: N815 - the command's name
    lifecycleStatus = forms.ChoiceField(  # noqa: N815 - the command's name
        label=_("How it ended"),
        choices=[("", _("Choose one")), *((end.value, LIFECYCLES[end.value]) for end in _ENDS)],
        help_text=_("Whatever runs is ended by this, and what its worker still says changes nothing."),
    )
    businessStatus = forms.ChoiceField(  # noqa: N815 - the command's name
        required=False,
        label=_("Business status"),
        help_text=_("Without one, a status that fits the new lifecycle stays, and any other is taken away."),
    )
    failureCode = forms.CharField(  # noqa: N815 - the command's name
        required=False,
        max_length=128,
        label=_("Code of the failure"),
        help_text=_("Only for what failed, in capitals, as PAGES_LOST. Without one, a failure that is known stays."),
        validators=[RegexValidator(CODE, _("Use capitals, digits, underscores and dots, and begin with a letter."))],
        widget=forms.TextInput({"autocapitalize": "characters", "spellcheck": "false"}),
    )
    failureMessage = LinesField(  # noqa: N815 - the command's name
        rows=2, required=False, max_length=512, label=_("What users read of the failure")
    )
    retryable = forms.BooleanField(
        required=False,
        label=_("Another attempt may help"),
        help_text=_("For a step: the task then waits for its next attempt, where its policy has one."),
    )
    reason = LinesField(
        rows=4,
        max_length=2000,
        label=_("Reason"),
        help_text=_("For the audit, with your name. Users don't read it."),
    )

    def __init__(self, *args: Any, known: Correctable, **options: Any) -> None:
        """Offer what can be corrected of the task."""
        super().__init__(*args, **({"label_suffix": ""} | options))
        steps = [(step.step_id, _step_words(step)) for step in known.steps]
        self.fields["stepId"].choices = [("", _("The whole task")), *steps]  # type: ignore[attr-defined]
        codes = [(code, _code_words(list(ends))) for code, ends in groupby(known.codes, key=lambda end: end.code)]
        self.fields["businessStatus"].choices = [("", _("None is named")), *codes]  # type: ignore[attr-defined]
        self.lost: list[object] = []

    def command(self, seen: str) -> CorrectTask | None:
        """The command, made by somebody who saw this version; None once what is wrong stands at its fields."""
        if not self.is_valid():
            return None
        said = {name: value for name, value in self.cleaned_data.items() if value not in ("", None)}
        try:
            return CorrectTask.read({**said, "seen": seen})
        except DomainError as error:
            self.show(error)
            return None

    def show(self, error: DomainError) -> None:
        """Put what a refusal says to the fields that it is about; the rest stands above the form."""
        for name, words in problems_of(error):
            if name in self.fields:
                self.add_error(name, str(words))
            else:
                self.lost.append(words)


def _step_words(step: Any) -> object:  # noqa: ANN401 - a row of a step
    lifecycle = LIFECYCLES.get(step.lifecycle_status, step.lifecycle_status)
    return _("Step %(step)s, attempt %(attempt)d: %(lifecycle)s") % {
        "step": step.step_id,
        "attempt": step.attempt,
        "lifecycle": lifecycle,
    }


def _code_words(ends: Sequence[EndCode]) -> str:
    """A code with its name, and of what it is which end: for tasks and steps it may mean two."""
    meanings = "; ".join(f"{LIFECYCLES[end.lifecycle]}, {_SCOPES[end.scope]}" for end in ends)
    return f"{ends[0].code} · {ends[0].name} ({meanings})"
