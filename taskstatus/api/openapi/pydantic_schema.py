"""Lets drf-spectacular describe pydantic models: commands as they are read, answers as they are written.

The JSON Schema that pydantic makes is the dialect of OpenAPI 3.1, so a model and all that it refers to become
components as they are.
"""

import re
from typing import Any, Final

from drf_spectacular.drainage import set_override
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, models_json_schema
from pydantic_core import core_schema

from taskstatus.api.openapi.glossary import meaning
from taskstatus.commands.base import Part

REF_TEMPLATE: Final = "#/components/schemas/{model}"
# Where a rule comes from matters to those who read the code.
_SOURCE: Final = re.compile(r" \((?:source design|protocol|ruling)[^)]*\)")

Json = dict[str, Any]


class _PlainJsonSchema(GenerateJsonSchema):
    """Pydantic's schemas without made-up titles, and with null as one more type instead of one more schema."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - the signature is inherited
        return False

    def nullable_schema(self, schema: core_schema.NullableSchema) -> Json:
        inner: Json = self.generate_inner(schema["schema"])
        if not isinstance(inner.get("type"), str):
            return {"anyOf": [inner, {"type": "null"}]}
        choices = {"enum": [*inner["enum"], None]} if "enum" in inner else {}
        return {**inner, **choices, "type": [inner["type"], "null"]}

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> Json:
        described: Json = super().default_schema(schema)
        if described.get("default", ...) is None:
            del described["default"]
        return described


class PydanticModels(OpenApiSerializerExtension):  # type: ignore[misc]
    """Makes components of pydantic models."""

    target_class = BaseModel
    match_subclasses = True
    priority = 1

    def get_name(self, auto_schema: AutoSchema, direction: str) -> str:  # noqa: ARG002 - the signature is inherited
        """The model's own name."""
        set_override(self.target, "suppress_collision_warning", value=True)
        return str(self.target.__name__)

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> Json:  # noqa: ARG002 - likewise
        """The model's schema; what it refers to is registered beside it."""
        schemas = component_schemas(self.target)
        own = schemas.pop(self.target.__name__)
        for name, schema in schemas.items():
            part = ResolvedComponent(name=name, type=ResolvedComponent.SCHEMA, object=name, schema=schema)
            auto_schema.registry.register_on_missing(part)
        return own


def component_schemas(model: type[BaseModel]) -> dict[str, Json]:
    """The schemas of a model and of all that it refers to, by name, every member with its meaning."""
    mode: JsonSchemaMode = "validation" if issubclass(model, Part) else "serialization"
    _, document = models_json_schema([(model, mode)], ref_template=REF_TEMPLATE, schema_generator=_PlainJsonSchema)
    schemas: dict[str, Json] = document["$defs"]
    for name, schema in schemas.items():
        schema.pop("title", None)
        schema["description"] = _SOURCE.sub("", schema["description"])
        for member, described in schema.get("properties", {}).items():
            described.setdefault("description", meaning(name, member))
    return schemas
