"""The forms of single members: names, codes, texts, counts; what a draft has to keep to as well (protocol 1)."""

from typing import Annotated, Final, TypeVar

from pydantic import AfterValidator, Field, StrictInt

from taskstatus.domain.characters import CODE, FREE_TEXT, NAME, TITLE_TEXT
from taskstatus.domain.definitions import ANY_STATUS, NO_STATUS

MAX_INT: Final = 2**31 - 1
_SCHEMA_NAME: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]*\.v[1-9][0-9]*$"
_LANGUAGE_TAG: Final = r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"
_ALLOWED_FROM: Final = rf"{CODE}|^{NO_STATUS}$|^\{ANY_STATUS}$"
# Where a `*` may stand is a rule of publishing.
CODES_AND_STARS: Final = r"^[A-Z*][A-Z0-9_.*]*$"
NAMES_AND_STARS: Final = r"^[A-Za-z0-9._*-]+$"

_Word = TypeVar("_Word", bound=str)


def as_a_set(words: list[_Word]) -> list[_Word]:
    """The words once each, in a fixed order: a list that means a set."""
    return sorted(set(words))


Version = Annotated[StrictInt, Field(ge=1, le=MAX_INT)]
Seconds = Annotated[StrictInt, Field(ge=1, le=MAX_INT)]
Code64 = Annotated[str, Field(strict=True, max_length=64, pattern=CODE)]
Code128 = Annotated[str, Field(strict=True, max_length=128, pattern=CODE)]
Name64 = Annotated[str, Field(strict=True, max_length=64, pattern=NAME)]
SchemaName = Annotated[str, Field(strict=True, max_length=128, pattern=_SCHEMA_NAME)]
MemberName = Annotated[str, Field(strict=True, min_length=1, max_length=128)]
AllowedFrom = Annotated[str, Field(strict=True, max_length=64, pattern=_ALLOWED_FROM)]
LanguageTag = Annotated[str, Field(strict=True, max_length=35, pattern=_LANGUAGE_TAG)]
Text255 = Annotated[str, Field(strict=True, max_length=255, pattern=TITLE_TEXT)]
Text512 = Annotated[str, Field(strict=True, max_length=512, pattern=FREE_TEXT)]
SchemaNames = Annotated[list[SchemaName], AfterValidator(as_a_set)]
