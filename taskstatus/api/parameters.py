"""Query parameters as the members of a command."""

from typing import Final, get_args, get_origin

from django.http import QueryDict

from taskstatus.commands.base import Part

_MAX_DIGITS: Final = 19


def members_of(parameters: QueryDict, kind: type[Part]) -> dict[str, object]:
    """Each parameter as a member: a list where the command has one, a number where it has one and digits were sent.

    What doesn't fit is left as it came, for the command to refuse.
    """
    kinds = {field.alias: field.annotation for field in kind.model_fields.values()}
    members: dict[str, object] = {}
    for name in parameters:
        values = parameters.getlist(name)
        if get_origin(kinds.get(name)) is list or len(values) > 1:
            members[name] = values
        else:
            members[name] = _number(values[0]) if _is_number(kinds.get(name)) else values[0]
    return members


def _is_number(kind: object) -> bool:
    return kind is int or any(_is_number(part) for part in get_args(kind))


def _number(text: str) -> object:
    is_number = text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS
    return int(text) if is_number else text
