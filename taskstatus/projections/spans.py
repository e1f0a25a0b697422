"""Lengths of time in words, in the language that is switched on."""

from datetime import timedelta
from typing import Final

from django.utils.translation import gettext, gettext_noop

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
# A unit, its words, the next smaller one and its words.
_UNITS: Final = (
    (_DAY, gettext_noop("%(n)s d"), _HOUR, gettext_noop("%(n)s h")),
    (_HOUR, gettext_noop("%(n)s h"), _MINUTE, gettext_noop("%(n)s min")),
)
# The smaller unit is told too with fewer than so many of the larger one.
_FEW: Final = 10


def span(length: timedelta) -> str:
    """A length of time in at most two units; never negative."""
    seconds = max(0, int(length.total_seconds()))
    for unit, words, smaller, its_words in _UNITS:
        if seconds >= unit:
            whole, rest = divmod(seconds, unit)
            told, more = gettext(words) % {"n": whole}, rest // smaller
            return f"{told} {gettext(its_words) % {'n': more}}" if more and whole < _FEW else told
    if seconds < _MINUTE:
        return gettext("%(n)s s") % {"n": seconds}
    return gettext("%(n)s min") % {"n": seconds // _MINUTE}
