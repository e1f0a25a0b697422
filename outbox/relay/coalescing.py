"""Which claimed messages need not go out because a newer state goes out as well (ruling 20)."""

from collections.abc import Iterable
from dataclasses import dataclass

from outbox.publishers import Delivery

Subject = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to publish, in order, and for each message left out the id of the newer one that replaces it."""

    to_publish: list[Delivery]
    heirs: dict[int, int]


def coalesce(deliveries: Iterable[Delivery]) -> Plan:
    """Leave out every coalescible message of whose aggregate, channel and projection there is a newer one.

    Only messages that may be coalesced are left out: no notice, end, creation, new attempt or removal.
    """
    claimed = list(deliveries)
    newest: dict[Subject, Delivery] = {}
    for delivery in claimed:
        known = newest.setdefault(_subject(delivery), delivery)
        if _version(delivery) > _version(known):
            newest[_subject(delivery)] = delivery
    heirs = {
        delivery.id: newest[_subject(delivery)].id
        for delivery in claimed
        if delivery.coalescible and _version(newest[_subject(delivery)]) > _version(delivery)
    }
    return Plan([delivery for delivery in claimed if delivery.id not in heirs], heirs)


def _subject(delivery: Delivery) -> Subject:
    return delivery.aggregate_type, delivery.aggregate_id, delivery.channel, delivery.projection


def _version(delivery: Delivery) -> tuple[int, int]:
    return delivery.epoch, delivery.aggregate_version
