"""Reports whose eventId was accepted before, or earlier in the same batch (row 5)."""

from taskstatus.models import Task
from taskstatus.services.dedup import event_id_reused, require_same_content
from taskstatus.services.receipts import Receipt
from taskstatus.services.workset import Workset


def receipt_of_known(workset: Workset, event_id: str, content_hash: str, task: Task) -> Receipt | None:
    """The first receipt, marked as a duplicate's, if the event is known; raises EVENT_ID_REUSED.

    Progress that a step of the task keeps (ruling 35) was accepted under its eventId too; its own step's reports are
    judged before they come here.
    """
    known = workset.remembered(event_id)
    if known is None:
        if any(step.pending_event_id == event_id for step in workset.steps(task)):
            raise event_id_reused()
        return None
    require_same_content(known, content_hash)
    return {**known.result, "duplicate": True}
