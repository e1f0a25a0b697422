"""Page cursors of lists that are ordered by their last update (protocol 5)."""

import base64
import binascii
import json
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from taskstatus.domain.errors import invalid_field


@dataclass(frozen=True, slots=True)
class Cursor:
    """The place after one row in the order newest update first, then id: rows that move up are not skipped over."""

    updated_at: datetime
    id: str

    def encode(self) -> str:
        """The cursor as an opaque word."""
        text = json.dumps([self.updated_at.isoformat(), self.id], separators=(",", ":"))
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    @classmethod
    def decode(cls, word: str) -> "Cursor":
        """The cursor that a word stands for; raises INVALID_FIELD."""
        try:
            updated_at, row_id = json.loads(base64.urlsafe_b64decode(word + "=" * (-len(word) % 4)))
            moment = datetime.fromisoformat(updated_at)
        except (binascii.Error, ValueError, TypeError) as error:
            raise invalid_field("/cursor", "This is no cursor of a list.") from error
        if not isinstance(row_id, str) or moment.tzinfo is None:
            raise invalid_field("/cursor", "This is no cursor of a list.")
        return cls(moment, row_id)

    def after(self) -> Q:
        """The rows that come after this place."""
        return Q(updated_at__lt=self.updated_at) | Q(updated_at=self.updated_at, id__lt=self.id)
