"""Which eventIds were accepted before, and of what content (C01, C02)."""

from taskstatus.domain.errors import DomainError
from taskstatus.models import EventDedup


def known_event(tenant: str, event_id: str, content_hash: str) -> EventDedup | None:
    """The record of an eventId accepted before with this content; other content raises EVENT_ID_REUSED."""
    known = EventDedup.objects.filter(tenant_id=tenant, event_id=event_id).first()
    if known is not None:
        require_same_content(known, content_hash)
    return known


def require_same_content(known: EventDedup, content_hash: str) -> None:
    """Raise EVENT_ID_REUSED unless the accepted event had this content."""
    if known.payload_hash != content_hash:
        raise event_id_reused()


def event_id_reused() -> DomainError:
    """The refusal of an eventId that was accepted with other content."""
    return DomainError("EVENT_ID_REUSED", "This eventId was already accepted with other content.")
