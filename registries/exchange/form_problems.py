"""What is wrong with the form of a definition, told by the names that its author gave."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError

from registries.items import DefinitionItem
from registries.problems import DefinitionsRefusedError, Problem

_MESSAGES: Final = {
    "bool_type": _("must be true or false"),
    "dict_type": _("must be a map of members"),
    "enum": _("must be one of %(expected)s"),
    "extra_forbidden": _("is no member of definitions; take it out, or correct its name"),
    "float_type": _("must be a number"),
    "greater_than_equal": _("must be at least %(ge)s"),
    "int_type": _("must be a whole number"),
    "less_than_equal": _("must be at most %(le)s"),
    "list_type": _("must be a list"),
    "literal_error": _("must be %(expected)s"),
    "missing": _("is missing; add it"),
    "model_type": _("must be a map of members"),
    "string_pattern_mismatch": _("has characters that are not allowed here; it must match %(pattern)s"),
    "string_too_long": _("is too long; it may have %(max_length)s characters"),
    "string_too_short": _("is too short; it must have %(min_length)s characters at least"),
    "string_type": _("must be text"),
    "too_short": _("must have %(min_length)s items at least"),
}


def read_item(kind: type[DefinitionItem], content: Mapping[str, Any]) -> DefinitionItem:
    """The definition of a content as a file spells it, its defaults filled in.

    Raises:
        DefinitionsRefusedError: with every fault of its form.
    """
    try:
        return kind.model_validate(content)
    except ValidationError as error:
        name = row_name(content)
        raise DefinitionsRefusedError(problem.under("", name) for problem in form_problems(error, content)) from None


def form_problems(error: ValidationError, raw: object) -> Iterator[Problem]:
    """The faults of a definition's form, each with its place and the innermost row's name."""
    for detail in error.errors(include_url=False):
        path, names, inner = "", [], raw
        for part in detail["loc"]:
            if part == "[key]":  # tells a map's bad key from its bad value
                continue
            inner = member_of(inner, part)
            path += f"[{part}]" if isinstance(part, int) else f".{part}"
            names.append(row_name(inner) if isinstance(part, int) else "")
        message = _MESSAGES.get(detail["type"])
        words = str(message) % detail.get("ctx", {}) if message else detail["msg"]
        yield Problem(path.removeprefix("."), words, ", ".join(filter(None, names)))


def member_of(raw: object, part: str | int) -> object:
    """The member of a map or a list, None where there is none."""
    if isinstance(raw, list) and isinstance(part, int):
        return raw[part] if part < len(raw) else None
    return raw.get(part) if isinstance(raw, Mapping) else None


def row_name(row: object) -> str:
    """What the author calls a row; nothing where that can't be seen."""
    for member in ("name", "code", "taskType"):
        name = member_of(row, member)
        if isinstance(name, str):
            version = member_of(row, "version")
            return name[:128] + (f" v{version}" if isinstance(version, int) else "")
    return ""
