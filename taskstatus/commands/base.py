"""How a command is read from a parsed JSON object: every bad member is named, nothing unknown is let through."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from taskstatus.commands.fields import Name
from taskstatus.domain.errors import DomainError, FieldError

MAX_ERRORS = 50
MAX_NAME_IN_POINTER = 128


class Part(BaseModel):
    """A frozen JSON object with camelCase members; unknown ones are refused, null equals absent."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        frozen=True, extra="forbid", strict=True, alias_generator=to_camel, hide_input_in_errors=True
    )

    @classmethod
    def cross_check(cls, raw: Mapping[str, Any], pointer: str) -> Iterator[FieldError]:  # noqa: ARG003
        """Yield what is wrong between members; `raw` may still hold members of wrong types."""
        yield from ()

    @classmethod
    def read(cls, raw: Mapping[str, Any]) -> Self:
        """Build it from a JSON object; raises INVALID_FIELD or UNKNOWN_FIELD with one error for each bad member."""
        errors: list[FieldError] = []
        command: Self | None = None
        try:
            command = cls.model_validate(raw)
        except ValidationError as failure:
            errors.extend(_field_errors(failure))
        errors.extend(cls.cross_check(raw, ""))
        if errors or command is None:
            raise _refusal(errors)
        return command


class Command(Part):
    """A whole request body. Tenant and scope may be repeated in it, and must then be the caller's own."""

    tenant_id: Name | None = None
    authority_scope: Name | None = None

    def canonical(self) -> dict[str, Any]:
        """The content by which a replay is told from a reused key, as JSON: nulls left out, defaults filled in."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"tenant_id", "authority_scope"})


def wrong(pointer: str, detail: str) -> FieldError:
    """An INVALID_FIELD error at this pointer."""
    return FieldError(pointer, "INVALID_FIELD", detail)


def objects_in(raw: Mapping[str, Any], member: str, pointer: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of a list member with their pointers; anything else in it is judged elsewhere."""
    items = raw.get(member)
    if isinstance(items, list):
        for index, item in enumerate(items):
            if isinstance(item, dict):
                yield f"{pointer}/{member}/{index}", item


def repeated(raw: Mapping[str, Any], lists: str, member: str, pointer: str) -> Iterator[FieldError]:
    """An error for each object in a list whose member repeats that of an earlier one."""
    seen: set[str] = set()
    for where, item in objects_in(raw, lists, pointer):
        value = item.get(member)
        if not isinstance(value, str):
            continue
        if value in seen:
            yield wrong(f"{where}/{member}", "Another item of the list has the same.")
        seen.add(value)


def _field_errors(failure: ValidationError) -> Iterator[FieldError]:
    for error in failure.errors(include_url=False, include_context=False, include_input=False):
        code = "UNKNOWN_FIELD" if error["type"] == "extra_forbidden" else "INVALID_FIELD"
        yield FieldError(_pointer(error["loc"]), code, _detail(error["type"], error["msg"]))


def _detail(kind: str, message: str) -> str:
    if kind == "extra_forbidden":
        return "There is no such member."
    if kind == "missing":
        return "This member is required."
    return message.removeprefix("Value error, ") + "."


def _pointer(location: Sequence[int | str]) -> str:
    """The RFC 6901 pointer; a name too long to be repeated ends it at its object (S12)."""
    parts = itertools.takewhile(lambda part: len(part) <= MAX_NAME_IN_POINTER, map(str, location))
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in parts)


def _refusal(errors: Sequence[FieldError]) -> DomainError:
    code = "UNKNOWN_FIELD" if all(e.code == "UNKNOWN_FIELD" for e in errors) else "INVALID_FIELD"
    detail = "The body has members that are unknown or wrong; see errors."
    first_of_each: dict[str, FieldError] = {}
    for error in errors:
        first_of_each.setdefault(error.pointer, error)
    return DomainError(code, detail, errors=list(first_of_each.values())[:MAX_ERRORS])
