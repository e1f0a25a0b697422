"""From the bytes of a definitions file to its items, and to everything that is wrong with their form."""

from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import Field, ValidationError

from registries.exchange.form_problems import form_problems, member_of, row_name
from registries.exchange.yaml_reader import read_yaml
from registries.forms import Name64
from registries.item import Item
from registries.items import DataSchemaItem, DefinitionItem, OperationItem, StatusSetItem
from registries.problems import DefinitionsRefusedError, Problem

API_VERSION: Final = "task-status/v1"


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
        raise DefinitionsRefusedError(form_problems(error, raw)) from None
    rows: list[Placed] = []
    problems: list[Problem] = []
    for member, kind, items in (
        ("dataSchemas", DataSchemaItem, header.data_schemas),
        ("statusSets", StatusSetItem, header.status_sets),
        ("operations", OperationItem, header.operations),
    ):
        for index, item in enumerate(items):
            path, name = f"{member}[{index}]", row_name(item)
            try:
                rows.append(Placed(path, name, kind.model_validate(item)))
            except ValidationError as error:
                problems += [problem.under(path, name) for problem in form_problems(error, item)]
    # A schema in bad form is told about once, not again by each row that names it.
    schemas = frozenset(map(str, (member_of(item, "name") for item in header.data_schemas)))
    return DefinitionsFile(header.tenant, header.authority_scope, tuple(rows), tuple(problems), schemas)
