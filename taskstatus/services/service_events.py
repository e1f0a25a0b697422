"""Ids of the facts that the service itself writes into the log."""

from ulid import ULID


def service_event_id() -> str:
    """A new eventId; its colon-separated prefix keeps it apart in the log, where no idempotency hangs on it."""
    return f"svc:{ULID()}"
