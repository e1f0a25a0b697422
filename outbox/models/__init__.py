"""The outbox row: a command to publish, committed together with the fact that it announces."""

from outbox.models.message import OutboxMessage

__all__ = ["OutboxMessage"]
