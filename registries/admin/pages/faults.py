"""What keeps a draft from being published, with the place on the page where it can be put right."""

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from registries.admin.forms.base import DefinitionForm
from registries.admin.forms.fields import JsonMapField
from registries.admin.forms.json_lines import line_of
from registries.editing.contents import content_of, publishing_faults
from registries.kinds import DefinitionRow
from registries.problems import Problem

_PLACE: Final = re.compile(r"(?:statuses\[(?P<row>\d+)\])?\.?(?P<member>[A-Za-z]*)")


@dataclass(frozen=True, slots=True)
class Fault:
    """One problem, and the element of the page that it leads to."""

    problem: Problem
    anchor: str

    @property
    def where(self) -> str:
        """The innermost row's name, and the member."""
        inner = self.problem.row.rpartition(", ")[2] if ", " in self.problem.row else ""
        member = re.sub(r"^statuses(\[\d+\])?\.?", "", self.problem.path)
        return " · ".join(filter(None, (inner, member)))


def faults_of(row: DefinitionRow) -> list[Fault]:
    """Everything that keeps the stored draft from being published."""
    found = publishing_faults(type(row), content_of(row), row.scope.tenant_id, row.scope.authority_scope)
    return [Fault(problem, _anchor(problem.path)) for problem in found]


def _anchor(path: str) -> str:
    found = _PLACE.match(path)
    if found is None:
        return "definition-form"
    if found["row"]:
        return f"statuses-{found['row']}"
    return "statuses" if found["member"] == "statuses" else f"field-{found['member']}"


def mark_lines(form: DefinitionForm, content: dict[str, Any], faults: Sequence[Fault]) -> None:
    """Tell each JSON editor on which lines something is wrong."""
    marks: dict[str, list[dict[str, object]]] = defaultdict(list)
    for fault in faults:
        name = (_PLACE.match(fault.problem.path) or {"member": ""})["member"]
        field = form.fields.get(name)
        if isinstance(field, JsonMapField):
            text = field.prepare_value(content.get(name))
            line = line_of(text, fault.problem.path[len(name) :].lstrip("."))
            marks[name].append({"line": line or 1, "message": fault.problem.message})
    for name, found in marks.items():
        form.fields[name].widget.attrs["data-marks"] = json.dumps(found, ensure_ascii=False)
