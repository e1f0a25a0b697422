"""When a data schema may be published: it is sound, closed in itself, quick to judge, shows what it has."""

from collections.abc import Iterator
from typing import Any, Final

from django.utils.translation import gettext
from jsonschema_rs import Draft202012Validator, ReferencingError, ValidationError

from registries.builtin import BUILT_IN_SCHEMAS
from registries.items import DataSchemaItem
from registries.json_schemas import compiled
from registries.models.data_schema import MAX_SCHEMA_BYTES
from registries.problems import Problem
from registries.publishing.effort import takes_too_long
from registries.publishing.patterns import pattern_fault
from registries.publishing.schema_references import reference_problems
from registries.publishing.schema_walk import Path, Schema, children, spelled, subschemas, top_level_members

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
# Its messages quote the schema, which is its author's own.
_META: Final = Draft202012Validator({"$ref": DIALECT}, offline=True)
_MOST_FAULTS: Final = 20


def data_schema_problems(item: DataSchemaItem) -> Iterator[Problem]:
    """Everything that keeps the data schema from being published."""
    if item.name in BUILT_IN_SCHEMAS:
        yield Problem("name", gettext("is the name of a schema that every scope has already; choose another"))
    if not 1 <= item.max_bytes <= MAX_SCHEMA_BYTES:
        message = gettext("is %(bytes)d; choose 1 to %(most)d")
        yield Problem("maxBytes", message % {"bytes": item.max_bytes, "most": MAX_SCHEMA_BYTES})
    yield from _schema_problems(item.json_schema)
    yield from _unknown_members(item)


def _schema_problems(schema: dict[str, Any]) -> Iterator[Problem]:
    found = False
    for problem in (*_meta_problems(schema), *_keyword_problems(schema)):
        found = True
        yield problem
    if not found:
        yield from _compile_problems(schema)


def _meta_problems(schema: dict[str, Any]) -> Iterator[Problem]:
    for count, error in enumerate(_META.iter_errors(schema)):
        if count < _MOST_FAULTS:
            message = gettext("is no valid JSON Schema: %(reason)s; correct it") % {"reason": error.message[:200]}
            yield Problem(spelled(tuple(error.instance_path)), message)


def _keyword_problems(schema: dict[str, Any]) -> Iterator[Problem]:
    for path, part in subschemas(schema):
        yield from _dialect_problems(path, part)
        yield from _pattern_problems(path, part)
    yield from reference_problems(schema)


def _dialect_problems(path: Path, schema: Schema) -> Iterator[Problem]:
    if schema.get("$schema", DIALECT) not in {DIALECT, DIALECT + "#"}:
        message = gettext("is another dialect; write the schema in draft 2020-12")
        yield Problem(spelled((*path, "$schema")), message)


def _pattern_problems(path: Path, schema: Schema) -> Iterator[Problem]:
    keys = [step for step, _ in children(schema) if step[0] == "patternProperties"]
    patterns: list[tuple[Path, Any]] = [
        (("pattern",), schema.get("pattern")),
        *((key, key[1]) for key in keys),
    ]
    for step, pattern in patterns:
        if isinstance(pattern, str) and (fault := pattern_fault(pattern)):
            message = gettext("the pattern %(pattern)r %(fault)s") % {"pattern": pattern[:100], "fault": fault}
            yield Problem(spelled((*path, *step)), message)


def _compile_problems(schema: dict[str, Any]) -> Iterator[Problem]:
    if takes_too_long(schema):
        yield Problem("schema", gettext("has subschemas that multiply, or references in a circle; untangle them"))
        return
    try:
        compiled(schema)
    except (ValidationError, ReferencingError, ValueError) as error:
        reason = getattr(error, "message", str(error))
        message = gettext("can't be used as a JSON Schema: %(reason)s; correct it")
        yield Problem("schema", message % {"reason": reason[:200]})


def _unknown_members(item: DataSchemaItem) -> Iterator[Problem]:
    known = top_level_members(item.json_schema)
    for audience, members in item.views.items():
        for member in members:
            if member not in known:
                message = gettext("names %(member)r, which the schema's properties lack; add or remove it")
                yield Problem(f"views.{audience}", message % {"member": member})
    for member in item.masks:
        if member not in known:
            yield Problem(f"masks.{member}", gettext("is a member that the schema's properties lack; add or remove it"))
