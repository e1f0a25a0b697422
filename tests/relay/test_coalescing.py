"""Which messages a newer one replaces (ruling 20)."""

from outbox.relay.coalescing import coalesce
from tests.relay.support import delivery


def progress(row_id, **members):
    return delivery(row_id, coalescible=True, **members)


def left(*deliveries):
    return [delivery.id for delivery in coalesce(deliveries).to_publish]


def test_only_the_newest_state_goes_out():
    plan = coalesce([progress(1), progress(2), progress(3)])
    assert [delivery.id for delivery in plan.to_publish] == [3]
    assert plan.heirs == {1: 3, 2: 3}


def test_the_newest_is_told_by_version_and_not_by_place():
    assert left(progress(1, aggregate_version=9), progress(2, aggregate_version=8)) == [1]


def test_a_newer_epoch_is_newer_whatever_the_version():
    assert left(progress(1, epoch=1, aggregate_version=90), progress(2, epoch=2, aggregate_version=3)) == [2]


def test_what_must_not_be_swallowed_stays_and_may_replace():
    assert left(delivery(1), progress(2), delivery(3), progress(4), delivery(5)) == [1, 3, 5]


def test_one_version_twice_goes_out_twice():
    assert left(progress(1, aggregate_version=5), progress(2, aggregate_version=5)) == [1, 2]


def test_only_the_same_aggregate_channel_and_projection_count():
    others = [
        progress(1),
        progress(2, aggregate_type="WORKFLOW"),
        progress(3, aggregate_id="tsk_000_B"),
        progress(4, channel="task_user:acme/alice"),
        progress(5, projection="USER_SUMMARY"),
    ]
    assert left(*others) == [1, 2, 3, 4, 5]


def test_the_order_of_the_rest_is_kept():
    mixed = [delivery(1, aggregate_id="b"), progress(2), delivery(3, aggregate_id="c"), progress(4)]
    assert left(*mixed) == [1, 3, 4]
