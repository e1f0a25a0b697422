"""The eventIds of a batch that were accepted before, or earlier in the same batch (row 5)."""

from collections.abc import Iterable, Sequence

from django.db.models import QuerySet

from taskstatus.models import EventDedup, Task
from taskstatus.queries.prepared import Prepared
from taskstatus.services.dedup import event_id_reused, require_same_content
from taskstatus.services.receipts import Receipt
from taskstatus.services.workset import Workset


def _known(tenant: Sequence[str], event_ids: Sequence[str]) -> QuerySet[EventDedup, EventDedup]:
    return EventDedup.objects.filter(tenant_id__in=tenant, event_id__in=event_ids)


_KNOWN = Prepared(_known)


class KnownEvents:
    """Accepted eventIds of one tenant with the hash of their content and their first receipt."""

    def __init__(self, tenant: str, event_ids: Iterable[str], workset: Workset) -> None:
        self._workset = workset
        self._known = {row.event_id: row for row in _KNOWN.rows([tenant], sorted(set(event_ids)))}

    def duplicate(self, event_id: str, content_hash: str, task: Task) -> Receipt | None:
        """The first receipt, marked as a duplicate's, if the event is known; raises EVENT_ID_REUSED.

        Progress that a step of the task keeps (ruling 35) was accepted under its eventId too; its own step's
        reports are judged before they come here.
        """
        known = self._known.get(event_id) or self._workset.remembered(event_id)
        if known is None:
            if any(step.pending_event_id == event_id for step in self._workset.steps(task)):
                raise event_id_reused()
            return None
        require_same_content(known, content_hash)
        return {**known.result, "duplicate": True}
