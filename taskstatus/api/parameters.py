"""Query parameters as the members of a command."""

from typing import Final, get_args, get_origin
from urllib.parse import unquote_to_bytes

from django.http import QueryDict

from taskstatus.commands.base import Part
from taskstatus.domain.versions import parse_decimal

# What Django reads where bytes are no UTF-8; it is also a character that somebody may look for.
_REPLACEMENT: Final = "\ufffd"
# A lone surrogate: no member takes it.
_NO_TEXT: Final = "\udcff"


def members_of(parameters: QueryDict, query_string: str, kind: type[Part]) -> dict[str, object]:
    """Each parameter as a member: a list where the command has one, a number where it has one and a number was sent.

    What doesn't fit is left as it came, for the command to refuse.
    """
    kinds = {field.alias: field.annotation for field in kind.model_fields.values()}
    is_text = _is_utf8(query_string)
    members: dict[str, object] = {}
    for name in parameters:
        values = [value if is_text or _REPLACEMENT not in value else _NO_TEXT for value in parameters.getlist(name)]
        if get_origin(kinds.get(name)) is list or len(values) > 1:
            members[name] = values
        else:
            members[name] = _number(values[0]) if _is_number(kinds.get(name)) else values[0]
    return members


def _is_number(kind: object) -> bool:
    return kind is int or any(_is_number(part) for part in get_args(kind))


def _number(text: str) -> object:
    try:
        return parse_decimal(text)
    except ValueError:
        return text


def _is_utf8(query_string: str) -> bool:
    try:
        unquote_to_bytes(query_string).decode()
    except UnicodeDecodeError:
        return False
    return True
