"""Versions: numbers that only grow within an epoch, decimal strings on the wire (protocol 5, ruling 14)."""

import re
from dataclasses import dataclass
from typing import Final, Self

_MAX: Final = 2**63 - 1
_DECIMAL: Final = r"(?:0|[1-9][0-9]{0,18})"
_NUMBER: Final = re.compile(_DECIMAL)
_ETAG: Final = re.compile(rf'"task-version-(?:({_DECIMAL})\.)?({_DECIMAL})"')


@dataclass(frozen=True, order=True, slots=True)
class Version:
    """A version within its data epoch. A newer epoch outranks every version of an older one."""

    epoch: int
    version: int

    @property
    def etag(self) -> str:
        """The strong entity tag, quotes included."""
        return f'"task-version-{self.epoch}.{self.version}"'

    @classmethod
    def from_etag(cls, tag: str, current_epoch: int) -> Self:
        """The version that a tag names; a tag without an epoch means the current one.

        Raises:
            ValueError: if it is no tag of a task's version.
        """
        match = _ETAG.fullmatch(tag)
        if match is None:
            raise ValueError('is not of the form "task-version-{epoch}.{version}" or "task-version-{version}"')
        epoch = current_epoch if match[1] is None else parse_decimal(match[1])
        return cls(epoch, parse_decimal(match[2]))


def parse_decimal(text: str) -> int:
    """The number that a decimal string on the wire spells: no sign, no leading zero, at most 2^63-1.

    Raises:
        ValueError: if it spells none.
    """
    if _NUMBER.fullmatch(text) is None or (number := int(text)) > _MAX:
        raise ValueError("is not a decimal number from 0 to 2^63-1")
    return number
