"""What happens to a member of event data before it leaves the service (definitions file, `masks`)."""

import hashlib
from typing import Final

from taskstatus.domain.idempotency import canonical_json
from taskstatus.domain.lifecycle import Mask

HIDDEN: Final = "****"
_SHOWN_CHARACTERS: Final = 4
_HASH_CHARACTERS: Final = 12


def masked(value: object, mask: Mask) -> object:
    """The value as readers may see it; null stays null, so that they still see that nothing is there.

    LAST4 shows the last four characters of a longer text; HASH tells equal from different by the beginning of
    a SHA-256; REDACT says only that there is something.
    """
    if value is None:
        return None
    text = value if isinstance(value, str) else canonical_json(value)
    match mask:
        case Mask.LAST4:
            return HIDDEN + (text[-_SHOWN_CHARACTERS:] if len(text) > _SHOWN_CHARACTERS else "")
        case Mask.HASH:
            return hashlib.sha256(text.encode()).hexdigest()[:_HASH_CHARACTERS]
        case Mask.REDACT:
            return HIDDEN
