"""The publisher of the native stream."""

from collections.abc import Sequence

from outbox.publishers import Delivery


class NativePublisher:
    """Has nothing to send: the streams read committed rows from the outbox themselves (ruling 22).

    A row counts as published at once, so that it ages and is purged like any other.
    """

    def publish(self, deliveries: Sequence[Delivery], timeout_seconds: float) -> list[None]:  # noqa: ARG002 - a protocol
        """Answer for every command that it is done."""
        return [None] * len(deliveries)
