"""The form of a status set: its head, and a row for each of its codes."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from registries.admin.forms.base import DefinitionForm, choices
from registries.admin.forms.fields import CodesField, TextsField
from registries.problems import Problem
from taskstatus.domain.lifecycle import TERMINAL, AppliesTo, Lifecycle, Severity

_ROW: Final = re.compile(r"statuses\[(\d+)\]\.?(.*)")
_BY_LIFECYCLE: Final = "by lifecycle"
_PRESENTATION: Final = ("colorToken", "iconKey", "labelKey")
_LIFECYCLES: Final = {
    "PENDING": _("PENDING: has not begun"),
    "RUNNING": _("RUNNING: is being worked on"),
    "SUCCEEDED": _("SUCCEEDED: ends well"),
    "FAILED": _("FAILED: ends badly"),
    "CANCELLED": _("CANCELLED: ends by request"),
}


class StatusSetForm(DefinitionForm):
    """The head of a status set."""

    fieldsets = ((None, ("taskType", "version", "taskDataSchemas")),)

    taskType = forms.CharField(  # noqa: N815 - as a file spells it
        max_length=128,
        label=_("Task type"),
        help_text=_("The type of the tasks that show these statuses: capital letters, digits, _ and dots."),
    )
    version = forms.IntegerField(
        min_value=1,
        initial=1,
        label=_("Version"),
        help_text=_("Tasks bind the highest published version when they are created, and keep it."),
    )
    taskDataSchemas = CodesField(  # noqa: N815 - as a file spells it
        required=False,
        label=_("Data schemas of task events"),
        help_text=_("Names of data schemas that events about the whole task may carry, with commas between."),
    )


class StatusForm(DefinitionForm):
    """One code of the set."""

    code = forms.CharField(
        max_length=64, label=_("Code"), help_text=_("What workers report: capital letters, digits, _ and dots.")
    )
    appliesTo = forms.MultipleChoiceField(  # noqa: N815 - as a file spells it
        choices=[(AppliesTo.TASK.value, _("tasks")), (AppliesTo.STEP.value, _("steps"))],
        widget=forms.CheckboxSelectMultiple,
        initial=[AppliesTo.TASK.value],
        label=_("Status of"),
        help_text=_("Whose status it can be. A code may stand once for tasks and once for steps."),
    )
    lifecycle = forms.ChoiceField(
        choices=choices(Lifecycle, _LIFECYCLES),
        initial=Lifecycle.RUNNING.value,
        label=_("Lifecycle"),
        help_text=_("What it means to machines."),
    )
    terminal = forms.ChoiceField(
        choices=[(_BY_LIFECYCLE, _("as the lifecycle says")), ("true", _("ends it")), ("false", _("doesn't end it"))],
        initial=_BY_LIFECYCLE,
        label=_("Terminal"),
        help_text=_("Whether it ends its task or step; SUCCEEDED, FAILED and CANCELLED do."),
    )
    allowedFrom = CodesField(  # noqa: N815 - as a file spells it
        required=False,
        label=_("May follow"),
        help_text=_("Codes from which a task may come here, with commas between; @none: at the start, *: every code."),
    )
    initial = forms.BooleanField(  # type: ignore[assignment] # a field, which Django takes out of the class
        required=False, label=_("The beginning"), help_text=_("A new task begins here: exactly one PENDING code.")
    )
    displayName = TextsField(  # noqa: N815 - as a file spells it
        label=_("Display name"), help_text=_("One language on a line, as “en: Parsing”. Left out: the code.")
    )
    severity = forms.ChoiceField(
        choices=choices(Severity),
        initial=Severity.INFO.value,
        label=_("Severity"),
        help_text=_("How strongly it shows."),
    )
    order = forms.IntegerField(initial=0, label=_("Order"), help_text=_("Low numbers come first."))
    colorToken = forms.CharField(  # noqa: N815 - as a file spells it
        required=False,
        label=_("Colour token"),
        help_text=_("neutral, info, success, warning, danger, violet, or one that your own pages know."),
        widget=forms.TextInput({"list": "colour-tokens"}),
    )
    iconKey = forms.CharField(  # noqa: N815 - as a file spells it
        required=False, label=_("Icon"), help_text=_("A key such as clock or check; never markup.")
    )
    labelKey = forms.CharField(  # noqa: N815 - as a file spells it
        required=False, label=_("Label key"), help_text=_("Under which your own pages look the text up.")
    )

    main: ClassVar = ("code", "appliesTo", "lifecycle", "allowedFrom", "initial")
    more: ClassVar = ("displayName", "colorToken", "iconKey", "severity", "order", "terminal", "labelKey")

    def main_fields(self) -> list[forms.BoundField]:
        """What is always in sight."""
        return [self[name] for name in self.main]

    def more_fields(self) -> list[forms.BoundField]:
        """What is unfolded."""
        return [self[name] for name in self.more]

    def has_faults_in_more(self) -> bool:
        """Whether an error hides in what is folded."""
        return any(name in self.errors for name in self.more)

    def read(self) -> dict[str, Any]:
        """What could be read of the row."""
        self.is_valid()
        return self.cleaned_data

    def content(self) -> dict[str, Any]:
        """Return the row as a file spells it."""
        row = super().content()
        presentation = {name: value for name in _PRESENTATION if (value := row.pop(name, None))}
        row.pop("DELETE", None)
        terminal = row.pop("terminal", _BY_LIFECYCLE)
        ends = {} if terminal == _BY_LIFECYCLE else {"terminal": terminal == "true"}
        return row | ends | {"presentation": presentation}

    def place(self, problem: Problem) -> bool:
        """Put a problem of the presentation to its own field."""
        path = problem.path.removeprefix("presentation.")
        return super().place(Problem(path, problem.message, problem.row))


def initial_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """What the form of a code shows of a content's row."""
    own = row["lifecycle"] in TERMINAL
    terminal = _BY_LIFECYCLE if row["terminal"] == own else str(row["terminal"]).lower()
    return {**row, **row["presentation"], "terminal": terminal}


if TYPE_CHECKING:
    FormSet = forms.BaseFormSet[StatusForm]
else:
    FormSet = forms.BaseFormSet


class BaseStatusFormSet(FormSet):
    """The rows of a set, in the order in which they are written."""

    def kept(self) -> list[StatusForm]:
        """The rows that stay: neither empty nor taken out."""
        written = self.initial_form_count()
        return [
            form
            for number, form in enumerate(self.forms)
            if not form.read().get("DELETE") and (number < written or form.has_changed())
        ]

    def contents(self) -> list[dict[str, Any]]:
        """What the rows say, those with faults left out."""
        return [form.content() for form in self.kept() if form.is_valid()]

    def show(self, problem: Problem) -> bool:
        """Put a problem to the row that it is about; False if there is none."""
        found = _ROW.match(problem.path)
        rows = self.kept()
        if found is None or int(found[1]) >= len(rows):
            return False
        form = rows[int(found[1])]
        inner = Problem(found[2], problem.message, problem.row)
        if not form.place(inner):
            form.add_error(None, problem.message)
        return True


StatusFormSet = cast(
    "type[BaseStatusFormSet]",
    forms.formset_factory(StatusForm, formset=BaseStatusFormSet, extra=0, can_delete=True, max_num=500),
)
