"""How this service runs JSON Schemas: draft 2020-12, nothing is fetched, patterns take linear time."""

from collections.abc import Mapping
from typing import Any, Final

from jsonschema_rs import Draft202012Validator, RegexOptions

# An engine without backtracking: no pattern costs more than the length of the text (see publishing.patterns).
_LINEAR_TIME: Final = RegexOptions()
_MASK: Final = "the value"


def compiled(schema: Mapping[str, Any]) -> Draft202012Validator:
    """A validator whose messages don't repeat the value.

    Raises:
        jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError: if it is no usable schema.
    """
    return Draft202012Validator(dict(schema), pattern_options=_LINEAR_TIME, offline=True, mask=_MASK)
