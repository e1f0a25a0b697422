"""Whether a regular expression in a data schema may be run on what strangers send.

Two locks on one door. The validator runs patterns on an engine without backtracking, whose time grows in step
with the text; what that engine does not take (look-around, back-references) is refused here. And as other
readers of a published schema may backtrack, a pattern is refused where that can take exponential time: where
a loop can go through one text in two ways, as `(a+)+` or `(a|a)*` (see `ambiguity`).
"""

import re
import warnings
from importlib import import_module
from typing import Any, Final

from django.utils.translation import gettext
from jsonschema_rs import ValidationError

from registries.json_schemas import compiled
from registries.publishing.ambiguity import find_ambiguity

# The standard library's own parser of patterns; it has no stubs.
sre: Any = import_module("re._parser")

_FLAGS_OF_TEXT: Final = int(re.UNICODE)


def pattern_fault(pattern: str) -> str | None:
    """What is wrong with the pattern and what to do, or None."""
    try:
        tree = _parsed(pattern)
        compiled({"pattern": pattern})
    except (re.error, OverflowError, RecursionError) as error:
        return gettext("is no regular expression (%(reason)s); correct it") % {"reason": error}
    except ValidationError:
        return gettext(
            "is no regular expression of the kind that every reader takes: write it without look-around, "
            "back-references and rare escapes, and keep its repeat counts small"
        )
    if tree.state.flags != _FLAGS_OF_TEXT:
        return gettext("sets flags; write the letters out, as [Aa]")
    return find_ambiguity(tree)


def _parsed(pattern: str) -> Any:  # noqa: ANN401 - the standard library's tree has no public type
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return sre.parse(pattern)
