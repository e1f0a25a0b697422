"""The relay: takes commands from the outbox to the publisher, at least once and in no promised order (source 5.3)."""

from outbox.relay.draining import Relay, Terms, configured_relay, drain
from outbox.relay.report import DrainReport

__all__ = ["DrainReport", "Relay", "Terms", "configured_relay", "drain"]
