"""What the forms of all three kinds share: from content to form and back, and problems to where they belong."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from registries.admin.forms.fields import JsonMapField
from registries.admin.forms.json_lines import line_of
from registries.problems import Problem

_FIRST: Final = re.compile(r"[A-Za-z]+")


class DefinitionForm(forms.Form):
    """A draft's members as fields, each by the name that a definitions file gives it."""

    fieldsets: ClassVar[tuple[tuple[Any, tuple[str, ...]], ...]] = ()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **({"label_suffix": ""} | options))
        self.lost: list[Problem] = []

    def groups(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The fields in the groups in which they are shown."""
        return [(title, [self[name] for name in names]) for title, names in self.fieldsets]

    def content(self) -> dict[str, Any]:
        """What was filled in, as a file spells it; what was left empty is left out."""
        return {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}

    def show(self, problems: Iterable[Problem]) -> None:
        """Put each problem to its field, with the line where the field is JSON; the rest stands above the form."""
        for problem in problems:
            if not self.place(problem):
                self.lost.append(problem)

    def place(self, problem: Problem) -> bool:
        """Put one problem to the field that it is about; False if there is none."""
        first = _FIRST.match(problem.path)
        if first is None or first.group() not in self.fields:
            return False
        name = first.group()
        self.add_error(name, self._worded(name, problem))
        return True

    def _worded(self, name: str, problem: Problem) -> str:
        rest = problem.path[len(name) :].lstrip(".")
        if isinstance(self.fields[name], JsonMapField):
            line = line_of(str(self[name].value() or ""), rest)
            place = _("Line %(line)d") % {"line": line or 1}
            return f"{place}: {rest + ' ' if rest else ''}{problem.message}"
        return f"{rest + ': ' if rest else ''}{problem.message}"


class ScopeForm(forms.Form):
    """Where a new draft is to be: its tenant and authority scope."""

    tenant = forms.CharField(max_length=64, label=_("Tenant"), help_text=_("Whose definitions these are."))
    authorityScope = forms.CharField(  # noqa: N815 - as a file spells it
        max_length=64, label=_("Authority scope"), help_text=_("The security namespace in which they are valid.")
    )

    def __init__(self, *args: Any, own_tenant: str | None, **options: Any) -> None:
        super().__init__(*args, **({"label_suffix": ""} | options))
        if own_tenant is not None:
            self.fields["tenant"].disabled = True
            self.fields["tenant"].initial = own_tenant


def choices(words: Iterable[Any], labels: Mapping[str, Any] | None = None) -> list[tuple[str, Any]]:
    """The words of an enumeration as choices, with what they mean where that is said."""
    return [(str(word.value), (labels or {}).get(word.value, word.value)) for word in words]
