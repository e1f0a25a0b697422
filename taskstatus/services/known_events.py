"""The eventIds of a batch that were accepted before, or earlier in the same batch (row 5)."""

from collections.abc import Iterable

from taskstatus.models import EventDedup
from taskstatus.services.dedup import require_same_content
from taskstatus.services.receipts import Receipt
from taskstatus.services.workset import Workset


class KnownEvents:
    """Accepted eventIds of one tenant with the hash of their content and their first receipt."""

    def __init__(self, tenant: str, event_ids: Iterable[str], workset: Workset) -> None:
        self._workset = workset
        wanted = sorted(set(event_ids))
        rows = EventDedup.objects.filter(tenant_id=tenant, event_id__in=wanted)
        self._known = {row.event_id: row for row in rows}

    def duplicate(self, event_id: str, content_hash: str) -> Receipt | None:
        """The first receipt, marked as a duplicate's, if the event is known; raises EVENT_ID_REUSED."""
        known = self._known.get(event_id) or self._workset.remembered(event_id)
        if known is None:
            return None
        require_same_content(known, content_hash)
        return {**known.result, "duplicate": True}
