"""From the bytes of a definitions file to its items, and to everything that is wrong with their form."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import Field, ValidationError

from registries.exchange.yaml_reader import read_yaml
from registries.forms import Name64
from registries.items import DataSchemaItem, DefinitionItem, Item, OperationItem, StatusSetItem
from registries.problems import DefinitionsRefusedError, Problem

API_VERSION: Final = "task-status/v1"

_MESSAGES: Final = {
    "extra_forbidden": "is no member of definitions; take it out, or correct its name",
    "missing": "is missing; add it",
    "model_type": "must be a map of members",
}


class _Header(Item):
    """The file's outermost members; its rows are judged one by one, so that one hides no other's faults."""

    api_version: Literal["task-status/v1"]
    tenant: Name64
    authority_scope: Name64
    data_schemas: list[Any] = Field(default_factory=list)
    status_sets: list[Any] = Field(default_factory=list)
    operations: list[Any] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Placed:
    """An item, its place in the file, as `operations[0]`, and its name, as `DOCUMENT.PARSE v2`."""

    path: str
    name: str
    item: DefinitionItem


@dataclass(frozen=True, slots=True)
class DefinitionsFile:
    """A file's rows that are well formed, data schemas first, and the faults of those that are not."""

    tenant: str
    authority_scope: str
    rows: tuple[Placed, ...]
    problems: tuple[Problem, ...]
    named_schemas: frozenset[str]


def parse_definitions(content: bytes) -> DefinitionsFile:
    """The file's rows with their defaults filled in; faults of single rows are collected in `problems`.

    Raises:
        DefinitionsRefusedError: if it is no YAML, or its header doesn't say whose definitions these are.
    """
    raw = read_yaml(content)
    try:
        header = _Header.model_validate(raw)
    except ValidationError as error:
        raise DefinitionsRefusedError(_form_problems(error, raw)) from None
    rows: list[Placed] = []
    problems: list[Problem] = []
    for member, kind, items in (
        ("dataSchemas", DataSchemaItem, header.data_schemas),
        ("statusSets", StatusSetItem, header.status_sets),
        ("operations", OperationItem, header.operations),
    ):
        for index, item in enumerate(items):
            path, name = f"{member}[{index}]", _name(item)
            try:
                rows.append(Placed(path, name, kind.model_validate(item)))
            except ValidationError as error:
                problems += [problem.under(path, name) for problem in _form_problems(error, item)]
    # A schema in bad form is told about once, not again by each row that names it.
    schemas = frozenset(map(str, (_member(item, "name") for item in header.data_schemas)))
    return DefinitionsFile(header.tenant, header.authority_scope, tuple(rows), tuple(problems), schemas)


def _form_problems(error: ValidationError, raw: object) -> Iterable[Problem]:
    for detail in error.errors(include_url=False):
        path, names, inner = "", [], raw
        for part in detail["loc"]:
            if part == "[key]":  # tells a map's bad key from its bad value
                continue
            inner = _member(inner, part)
            path += f"[{part}]" if isinstance(part, int) else f".{part}"
            names.append(_name(inner) if isinstance(part, int) else "")
        message = _MESSAGES.get(detail["type"], detail["msg"])
        yield Problem(path.removeprefix("."), message, ", ".join(filter(None, names)))


def _member(raw: object, part: str | int) -> object:
    if isinstance(raw, list) and isinstance(part, int):
        return raw[part] if part < len(raw) else None
    return raw.get(part) if isinstance(raw, Mapping) else None


def _name(row: object) -> str:
    """What the author calls a row; nothing where that can't be seen."""
    for member in ("name", "code", "taskType"):
        name = _member(row, member)
        if isinstance(name, str):
            version = _member(row, "version")
            return name[:128] + (f" v{version}" if isinstance(version, int) else "")
    return ""
