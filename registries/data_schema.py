"""Judging and showing event data by its schema (source design 3.3.1)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from jsonschema_rs import Draft202012Validator, ValidationError, ValidationErrorKind

from registries.json_schemas import compiled
from registries.masks import masked
from taskstatus.domain.errors import FieldError
from taskstatus.domain.lifecycle import Audience, Mask

MAX_ERRORS: Final = 20
_MAX_NAME: Final = 128
_MAX_DETAIL: Final = 300
_UNKNOWN: Final = "is not in the schema"


@dataclass(frozen=True)
class DataSchema:
    """A published data schema, ready for use.

    `max_bytes` bounds the value's canonical JSON and is judged by the caller, who has that JSON already.
    `views` lists the top-level members that each audience may see; audiences in `open_views` see all.
    """

    name: str
    json_schema: Mapping[str, Any]
    max_bytes: int = 4096
    views: Mapping[Audience, tuple[str, ...]] = field(default_factory=dict)
    masks: Mapping[str, Mask] = field(default_factory=dict)
    open_views: frozenset[Audience] = frozenset()

    def reject(self, value: object) -> list[FieldError]:
        """What the schema has against the value: one error a member, 20 at most; none if it is valid.

        Pointers are relative to the value. No error repeats what the value says.
        """
        try:
            if self._validator.is_valid(value):
                return []
            errors = list(self._validator.iter_errors(value))
        except ValueError:
            return [_error((), "INVALID_FIELD", "is no JSON value")]
        return _one_a_member(error for failure in errors for error in _field_errors(failure, value))

    def view(self, audience: Audience, value: Mapping[str, object]) -> dict[str, object]:
        """The members of the value that this audience may see, masked where the schema says so."""
        members = tuple(value) if audience in self.open_views else self.views.get(audience, ())
        return {
            member: masked(value[member], self.masks[member]) if member in self.masks else value[member]
            for member in members
            if member in value
        }

    @cached_property
    def _validator(self) -> Draft202012Validator:
        return compiled(self.json_schema)


def _field_errors(failure: ValidationError, value: object) -> Iterable[FieldError]:
    at = tuple(failure.instance_path)
    match failure.kind:
        case ValidationErrorKind.AdditionalProperties() | ValidationErrorKind.UnevaluatedProperties() as kind:
            return [_error((*at, name), "UNKNOWN_FIELD", _UNKNOWN) for name in kind.unexpected]
        case ValidationErrorKind.FalseSchema() if failure.schema_path[-1:] == ["additionalProperties"]:
            # How the library says the same where a schema has no `properties` at all.
            return [_error((*at, name), "UNKNOWN_FIELD", _UNKNOWN) for name in _members_at(at, value)]
        case ValidationErrorKind.Required() as kind:
            return [_error((*at, str(kind.property)), "INVALID_FIELD", "is required")]
        case _:
            return [_error(at, "INVALID_FIELD", failure.message)]


def _members_at(path: tuple[str | int, ...], value: Any) -> Iterable[str]:  # noqa: ANN401 - it is JSON
    for part in path:
        value = value[part]
    return value if isinstance(value, dict) else ()


def _error(path: tuple[str | int, ...], code: str, detail: str) -> FieldError:
    return FieldError(_pointer(path), code, detail[:_MAX_DETAIL])


def _pointer(path: tuple[str | int, ...]) -> str:
    """The RFC 6901 pointer; a name too long to repeat is not repeated, its object is pointed at."""
    pointer = ""
    for part in map(str, path):
        if len(part) > _MAX_NAME:
            break
        pointer += "/" + part.replace("~", "~0").replace("/", "~1")
    return pointer


def _one_a_member(errors: Iterable[FieldError]) -> list[FieldError]:
    found: dict[str, FieldError] = {}
    for error in errors:
        found.setdefault(error.pointer, error)
        if len(found) == MAX_ERRORS:
            break
    return list(found.values())
