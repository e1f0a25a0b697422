"""Walks over a JSON Schema (draft 2020-12) by its keywords: a member named `pattern` is no pattern."""

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import unquote

Schema = Mapping[str, Any]
Path = tuple[str | int, ...]

_LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
# `definitions` and `dependencies` are of older drafts; the validator still follows them.
_MAPS: Final = ("$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties")
_ONE: Final = (
    "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames",
    "then", "unevaluatedItems", "unevaluatedProperties",
)  # fmt: skip
# Keywords whose subschemas judge the same value as the schema that they stand in.
SAME_VALUE: Final = frozenset(
    {"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependencies", "dependentSchemas"}
)
REFERENCES: Final = ("$ref", "$dynamicRef")
ANCHORS: Final = ("$anchor", "$dynamicAnchor")


def children(schema: Schema) -> Iterator[tuple[Path, object]]:
    """What stands where a subschema belongs, with the steps that lead there."""
    for keyword in _ONE:
        if keyword in schema:
            yield (keyword,), schema[keyword]
    for keyword in _LISTS:
        items = schema.get(keyword)
        for index, item in enumerate(items if isinstance(items, list) else ()):
            yield (keyword, index), item
    for keyword in _MAPS:
        members = schema.get(keyword)
        for name, child in (members if isinstance(members, Mapping) else {}).items():
            yield (keyword, name), child


def subschemas(schema: object, path: Path = ()) -> Iterator[tuple[Path, Schema]]:
    """Every object schema within the schema, itself first, with its path."""
    if isinstance(schema, Mapping):
        yield path, schema
        for step, child in children(schema):
            yield from subschemas(child, path + step)


def same_value(root: Schema, schema: Schema) -> Iterator[Schema]:
    """The schemas that judge the same value as this one, by its keywords or its references."""
    targets = [target(root, schema.get(keyword)) for keyword in REFERENCES]
    inner = [child for step, child in children(schema) if step[0] in SAME_VALUE]
    yield from (child for child in inner + targets if isinstance(child, Mapping))


def top_level_members(root: Schema) -> frozenset[str]:
    """The members that the schema names for the value itself, also by way of `allOf`, `$ref` and the like."""
    members: set[str] = set()
    waiting, seen = [root], {id(root)}
    while waiting:
        schema = waiting.pop()
        members.update(str(step[1]) for step, _ in children(schema) if step[0] == "properties")
        fresh = [other for other in same_value(root, schema) if id(other) not in seen]
        seen.update(map(id, fresh))
        waiting.extend(fresh)
    return frozenset(members)


def target(root: Schema, reference: object) -> object:
    """What a reference within the document leads to: a pointer, an anchor, or the document itself."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    fragment = unquote(reference[1:])
    if fragment and not fragment.startswith("/"):
        named = (schema for _, schema in subschemas(root) if fragment in map(schema.get, ANCHORS))
        return next(named, None)
    found: object = root
    for part in fragment.split("/")[1:]:
        found = _step(found, part.replace("~1", "/").replace("~0", "~"))
    return found


def _step(value: object, part: str) -> object:
    if isinstance(value, Mapping):
        return value.get(part)
    if isinstance(value, list) and part.isdecimal() and int(part) < len(value):
        return value[int(part)]
    return None


def spelled(path: Path) -> str:
    """The path as problems name it: `schema.properties.pages.pattern`."""
    return "schema" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
