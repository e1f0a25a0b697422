"""What every definition's content shares: unknown members are refused, defaults are filled in, one spelling."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.alias_generators import to_camel

from taskstatus.domain.characters import CODE
from taskstatus.domain.idempotency import canonical_json

Key = tuple[str | int, ...]
BEFORE_VERSION: Final = ".v"


class Item(BaseModel):
    """A definition's content; unknown members are refused, null equals absent."""

    model_config = ConfigDict(extra="forbid", frozen=True, alias_generator=to_camel)

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, members: object) -> object:
        if not isinstance(members, Mapping):
            return members
        given = {name: member for name, member in members.items() if member is not None}
        return cls._defaults(given) | given

    @classmethod
    def _defaults(cls, _given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the defaults that depend on other members."""
        return {}

    def content(self) -> str:
        """Return what is frozen by publishing, in one spelling: everything but the state."""
        return canonical_json(self.spelled())

    def digest(self) -> str:
        """Return a fingerprint of the content, by which to see that it has changed."""
        return hashlib.sha256(self.content().encode()).hexdigest()

    def spelled(self) -> dict[str, Any]:
        """Return the content as a file spells it, defaults filled in, without the state."""
        return self.model_dump(mode="json", by_alias=True, exclude={"state"})


def family_and_version(name: str) -> tuple[str, int]:
    """The parts of a data schema's name: what all of its versions share, and the version."""
    family, _, version = name.rpartition(BEFORE_VERSION)
    return family, int(version)


def named_by_code(given: Mapping[str, Any]) -> dict[str, Any]:
    """The default display name: the code itself."""
    # A code in bad form is told about once, not again as a bad name.
    code = given.get("code")
    return {"displayName": {"en": code} if isinstance(code, str) and re.fullmatch(CODE, code) else {}}
