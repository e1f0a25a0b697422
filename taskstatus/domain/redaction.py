"""What a worker says to a user, without what no user may read (protocol 6, source design 4.4).

Marked out are secrets, file paths, network addresses, SQL and stack traces. The rules (`redaction_rules`) know shapes,
not meanings, but a plain sentence, in Chinese too, stays whole. All use one marker, which needs no translation.
"""

import re
from typing import Final

from taskstatus.domain.redaction_rules import RULES

MARKER: Final = "[…]"

_ELLIPSIS: Final = "…"
# How much of a text is looked at, in multiples of what is kept: marking shortens, so more may come into view.
_VIEW: Final = 8
_PASSES: Final = 5
_VISIBLE_ASCII: Final = bytes(range(0x21, 0x7F)).decode()


def redact(text: str, max_length: int = 512) -> str:
    """The text with all that is sensitive marked out, at most `max_length` characters; twice is once.

    What lies beyond eight times that length is not looked at, and dropped. So is what follows the first mark of a text
    in which each mark lays bare another secret: the work is in proportion to the text, whatever it says.
    """
    text = _in_view(text, _VIEW * max_length)
    for _ in range(_PASSES):  # a mark may lay bare what stood next to it
        marked = _cut(_marked(text), max_length)
        if marked == text:
            return text
        text = marked
    return _cut(text.partition(MARKER)[0] + MARKER, max_length)


def _in_view(text: str, length: int) -> str:
    """The beginning of a text, without the word that the end cuts in two: half a secret has no shape."""
    return text if len(text) <= length else text[:length].rstrip(_VISIBLE_ASCII) + MARKER


def _marked(text: str) -> str:
    for rule in RULES:
        text = rule.sub(_mark, text)
    return text


def _mark(match: re.Match[str]) -> str:
    return (match.groupdict().get("keep") or "") + MARKER


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + _ELLIPSIS
