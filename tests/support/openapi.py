"""Holds real answers against the OpenAPI document: status, media type, headers, and every member."""

import copy
import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.protocols import Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from taskstatus.api.openapi.document import document

Json = dict[str, Any]
_BASE = "urn:openapi"


@dataclass(frozen=True)
class Operation:
    """One method of one path, as the document says it."""

    method: str
    path: str
    described: Json

    @property
    def name(self) -> str:
        """The operationId."""
        return str(self.described["operationId"])

    @property
    def statuses(self) -> set[int]:
        """Every status that it may answer with."""
        return {int(status) for status in self.described["responses"]}

    def codes(self, status: int) -> set[str]:
        """Every code that its refusals with this status may carry."""
        content = self.described["responses"].get(str(status), {}).get("content", {})
        schema = content.get("application/problem+json", {}).get("schema", {"allOf": []})
        return {code for part in schema["allOf"] for code in part.get("properties", {}).get("code", {}).get("enum", ())}


@functools.cache
def operations() -> tuple[Operation, ...]:
    """Everything that the document describes."""
    return tuple(
        Operation(method.upper(), path, described)
        for path, methods in document()["paths"].items()
        for method, described in methods.items()
    )


def successes(*roots: str) -> set[tuple[str, int]]:
    """Every (operation, status below 400) of the paths that begin so."""
    return {(o.name, status) for o in operations() if o.path.startswith(roots) for status in o.statuses if status < 400}


def find(method: str, path: str) -> Operation:
    """The operation that a request to this path runs: the most literal template that matches wins."""
    fitting = [o for o in operations() if o.method == method and _template(o.path).fullmatch(path)]
    return min(fitting, key=lambda o: o.path.count("{"))


def check(operation: Operation, status: int, headers: Mapping[str, str], body: Any) -> None:
    """Fail unless the document foresees this answer in every respect."""
    answer = operation.described["responses"].get(str(status))
    assert answer is not None, f"{operation.name} doesn't document {status}: {body}"
    missing = [
        name for name, header in answer.get("headers", {}).items() if header.get("required") and name not in headers
    ]
    assert not missing, f"{operation.name} {status} lacks the headers {missing}"
    content = answer.get("content")
    if content is None:
        assert body is None, f"{operation.name} {status} has an undocumented body"
        return
    media_type = headers["Content-Type"].partition(";")[0]
    assert media_type in content, f"{operation.name} {status} is {media_type}"
    faults = sorted(
        str(e.json_path) + ": " + e.message for e in validator(content[media_type]["schema"]).iter_errors(body)
    )
    assert not faults, f"{operation.name} {status}: {faults[:5]}"


def validator(schema: Json) -> Validator:
    """A validator of a schema of the document, under which members that it doesn't name are errors."""
    return Draft202012Validator(
        _absolute(schema), registry=_registry(), format_checker=Draft202012Validator.FORMAT_CHECKER
    )


@functools.cache
def _registry() -> Registry[Any]:
    strict = _absolute(copy.deepcopy(document()))
    for schema in _objects(strict["components"]["schemas"]):
        schema.setdefault("additionalProperties", False)
    registry: Registry[Any] = Registry[Any]().with_resource(_BASE, DRAFT202012.create_resource(strict))
    return registry


def _absolute(part: Any) -> Any:
    """The same with references that find the document wherever they stand."""
    if isinstance(part, list):
        return [_absolute(item) for item in part]
    if not isinstance(part, dict):
        return part
    return {k: _BASE + v if k == "$ref" else _absolute(v) for k, v in part.items()}


def _objects(schemas: Mapping[str, Json]) -> Iterator[Json]:
    yield from (schema for schema in schemas.values() if "properties" in schema)


@functools.cache
def _template(path: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", path)
    literals = [re.escape(part) for part in parts[::2]]
    anything = [".+" if name == "refValue" else "[^/]+?" for name in parts[1::2]]
    return re.compile("".join(a + b for a, b in zip(literals, [*anything, ""], strict=True)))
