"""A draft as it is being written: one form, and for a status set the rows of its codes."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import ngettext

from registries.admin.forms.base import DefinitionForm
from registries.admin.forms.status_set import BaseStatusFormSet, StatusFormSet, StatusSetForm, initial_row
from registries.problems import Problem

_ROWS: Final = "statuses"


class Sheet:
    """What was sent, else what the draft says, else what a new one begins with."""

    def __init__(
        self, form_class: type[DefinitionForm], data: QueryDict | None, content: Mapping[str, Any] | None = None
    ) -> None:
        self.form = form_class(data, initial=dict(content) if content else None)
        self.rows: BaseStatusFormSet | None = None
        self._content = content or {}
        if form_class is StatusSetForm:
            rows = [initial_row(row) for row in self._content.get(_ROWS, ())]
            self.rows = StatusFormSet(data, initial=rows, prefix=_ROWS)

    def is_valid(self) -> bool:
        """Whether every field can be read; both parts are judged, so that all faults show at once."""
        return self.form.is_valid() & (self.rows is None or self.rows.is_valid())

    def content(self) -> dict[str, Any]:
        """What was written, as a file spells it."""
        rows = {} if self.rows is None else {_ROWS: self.rows.contents()}
        return self.form.content() | rows

    def statuses(self) -> list[Mapping[str, Any]]:
        """The codes to be drawn: those that can be read of what was sent, else the stored ones."""
        if self.rows is not None and self.rows.is_bound:
            return list(self.rows.contents())
        return list(self._content.get(_ROWS, ()))

    def show(self, problems: Iterable[Problem]) -> None:
        """Put every problem where it belongs."""
        for problem in problems:
            if self.rows is None or not self.rows.show(problem):
                self.form.show([problem])

    @property
    def summary(self) -> str:
        """What stands above a form that could not be saved."""
        count = len(self.form.errors) + sum(len(row.errors) for row in self.rows or ()) + len(self.form.lost)
        told = ngettext(
            "Nothing was saved: %(count)d place needs your attention.",
            "Nothing was saved: %(count)d places need your attention.",
            count,
        )
        return told % {"count": count} if count else ""
