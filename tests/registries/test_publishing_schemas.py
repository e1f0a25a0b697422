"""The rules that a data schema must keep to be published, each with what breaks it (acceptance G04)."""

from typing import Any

import pytest

from registries.items import DataSchemaItem
from registries.publishing.rules import publishing_problems
from tests.registries.support import Row, schema

pytestmark = pytest.mark.accepts("G04")


def problems(json_schema: Row | None = None, **changes: Any) -> list[str]:
    row = schema(**changes)
    if json_schema is not None:
        row["schema"] = json_schema
    item = DataSchemaItem.model_validate(row)
    return [str(problem) for problem in publishing_problems(item, frozenset())]


NODE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}, "maxProperties": 3}


@pytest.mark.parametrize(
    "json_schema",
    [
        {},
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"},
        {"$defs": {"node": NODE}, "$ref": "#/$defs/node"},
        {"properties": {"children": {"type": "array", "items": {"$ref": "#"}}}},
        {"$defs": {"a": {"$anchor": "here", "type": "string"}}, "properties": {"a": {"$ref": "#here"}}},
        {"properties": {"pattern": {"type": "string", "pattern": "^[a-z]{2}(-[A-Z]{2})?$"}}},
        {"patternProperties": {"^[a-z]+$": {"type": "integer"}}},
        # members of values, not keywords
        {"properties": {"pattern": {"const": {"pattern": "(a+)+"}}, "$ref": {"type": "string"}}},
        {"enum": [{"$ref": "https://example.org/x"}, None]},
        {"properties": {f"member{n}": {"anyOf": [{"type": "string"}, {"type": "null"}]} for n in range(100)}},
    ],
)
def test_taken(json_schema):
    assert problems(json_schema) == []


@pytest.mark.parametrize(
    ("json_schema", "complaint"),
    [
        ({"type": "text"}, "schema.type: is no valid JSON Schema"),
        ({"properties": {"a": {"minimum": "1"}}}, "schema.properties.a.minimum: is no valid JSON Schema"),
        ({"required": "pageCount"}, "schema.required: is no valid JSON Schema"),
        ({"properties": {"a": 3}}, "schema.properties.a: is no valid JSON Schema"),
        ({"allOf": [{"maxLength": -1}]}, "schema.allOf[0].maxLength: is no valid JSON Schema"),
        ({"$ref": "https://json-schema.org/draft/2020-12/schema"}, "schema.$ref: leaves the document"),
        ({"properties": {"a": {"$ref": "other.json#/a"}}}, "schema.properties.a.$ref: leaves the document"),
        ({"items": {"$dynamicRef": "http://x/y#z"}}, "schema.items.$dynamicRef: leaves the document"),
        ({"$ref": "file:///etc/passwd"}, "schema.$ref: leaves the document"),
        ({"$ref": "#/$defs/missing"}, "schema.$ref: leads to no schema (#/$defs/missing)"),
        ({"$ref": "#nowhere"}, "schema.$ref: leads to no schema (#nowhere)"),
        ({"$ref": "#/x", "x": {"pattern": "(a+)+$"}}, "schema.$ref: leads to no schema (#/x)"),
        ({"items": {"$ref": "#/examples/0"}, "examples": [{}]}, "schema.items.$ref: leads to no schema"),
        ({"$defs": {"a": {"$id": "urn:x:y"}}}, "schema.$defs.a.$id: begins a document within the document"),
        ({"$defs": {"a": {"$anchor": "t"}, "b": {"$dynamicAnchor": "t"}}}, "schema.$defs.b.$dynamicAnchor: is t, as"),
        ({"dependencies": {"a": {"pattern": "(a+)+$"}}}, "schema.dependencies.a.pattern: the pattern"),
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, "schema.$schema: is another dialect"),
        ({"pattern": "["}, "schema.pattern: the pattern '[' is no regular expression"),
        ({"pattern": "^(a+)+$"}, "could run away"),
        ({"properties": {"a": {"pattern": "(x|x)*y"}}}, "schema.properties.a.pattern"),
        ({"patternProperties": {"(a*)*": {}}}, "schema.patternProperties.(a*)*: the pattern"),
        ({"$defs": {"unused": {"pattern": "(?=a)b"}}}, "schema.$defs.unused.pattern"),
        ({"if": {"pattern": "(a)\\1"}}, "schema.if.pattern"),
        ({"$ref": "#"}, "references in a circle"),
        ({"allOf": [{"anyOf": [{"$ref": "#"}]}]}, "references in a circle"),
    ],
)
def test_refused(json_schema, complaint):
    found = problems(json_schema)
    assert any(complaint in problem for problem in found), found


def doubling(levels: int, where: str = "#/$defs") -> Row:
    both = {f"s{n}": {"anyOf": [{"$ref": f"{where}/s{n + 1}"}] * 2} for n in range(levels)}
    return {"$ref": f"{where}/s0", "$defs": both | {f"s{levels}": {"type": "string"}}}


def test_subschemas_that_multiply_are_refused():
    assert problems(doubling(5)) == []
    (found,) = problems(doubling(30))
    assert "multiply" in found


def test_references_in_disguise_multiply_too():
    (found,) = problems(doubling(30, "#/%24defs"))
    assert "multiply" in found
    (found,) = problems({"dependencies": {"pages": doubling(30)["$defs"]["s0"]}, "$defs": doubling(30)["$defs"]})
    assert "multiply" in found


def test_a_recursion_that_visits_its_child_twice_is_refused():
    node = {"anyOf": [{"items": {"$ref": "#"}}, {"prefixItems": [{"$ref": "#"}]}]}
    (found,) = problems(node)
    assert "multiply" in found


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"maxBytes": 0}, "maxBytes: is 0; choose 1 to 65536"),
        ({"maxBytes": 65_537}, "maxBytes: is 65537; choose 1 to 65536"),
        ({"views": {"TASK_DETAIL": ["pages"]}}, "views.TASK_DETAIL: names 'pages', which the schema's"),
        ({"masks": {"pages": "HASH"}}, "masks.pages: is a member that the schema's properties lack"),
        ({"name": "generic.progress.v1"}, "name: is the name of a schema that every scope has already"),
    ],
)
def test_the_rest_of_a_schema_is_judged_too(changes, complaint):
    (found,) = problems(**changes)
    assert complaint in found


@pytest.mark.parametrize("max_bytes", [1, 65_536])
def test_the_limits_themselves_are_taken(max_bytes):
    assert problems(maxBytes=max_bytes) == []


@pytest.mark.parametrize(
    "json_schema",
    [
        {"properties": {"pageCount": {}}},
        {"allOf": [{"properties": {"pageCount": {}}}]},
        {"if": {"required": ["x"]}, "then": {"properties": {"pageCount": {}}}},
        {"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"properties": {"pageCount": {}}}}},
        {"$ref": "#named", "$defs": {"x": {"$anchor": "named", "properties": {"pageCount": {}}}}},
    ],
)
def test_a_view_may_name_what_the_schema_knows_by_any_way(json_schema):
    assert problems(json_schema, views={"USER_SUMMARY": ["pageCount"]}, masks={"pageCount": "HASH"}) == []


def test_a_nested_member_is_no_member_of_the_value():
    nested = {"properties": {"a": {"properties": {"pageCount": {}}}}}
    (found,) = problems(nested, views={"USER_SUMMARY": ["pageCount"]})
    assert "names 'pageCount'" in found
