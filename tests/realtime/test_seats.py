"""A limit on places holds exactly, for all workers together, in Redis and in the database."""

import threading

import pytest
import redis as redis_library
from django.db import connection
from redis.exceptions import ConnectionError as RedisConnectionError

from realtime.models import Seat
from realtime.seats import Held, SeatsBesideRedis, seats
from realtime.seats.database import DatabaseSeats
from realtime.seats.redis import RedisSeats
from tests.support.waiting import PATIENCE_SECONDS, eventually

pytestmark = pytest.mark.django_db(transaction=True)
LIMIT, LONG = 3, 3600


@pytest.fixture(autouse=True)
def an_unhurried_redis(monkeypatch):
    monkeypatch.setattr("realtime.seats.redis.TIMEOUT_SECONDS", PATIENCE_SECONDS)


@pytest.fixture(params=["database", "redis"])
def places(request):
    if request.param == "database":
        return DatabaseSeats()
    return RedisSeats(request.getfixturevalue("redis_url"))


def lapse(places, holder, lease):
    """Let a place's time pass, in whichever store it is."""
    if isinstance(places, RedisSeats):
        places._redis.zadd(f"task-status:seats:{holder}", {lease: 1}, xx=True)
    else:
        Seat.objects.filter(holder=holder, lease=lease).update(expires_at="2020-01-01T00:00:00Z")


def test_no_more_places_than_the_limit_are_given(places):
    assert [places.take("h", f"l{number}", LIMIT, LONG) for number in range(5)] == [True, True, True, False, False]
    assert places.take("other", "l", LIMIT, LONG)


def test_the_same_lease_takes_one_place_however_often_it_asks(places):
    assert all(places.take("h", "l", 1, LONG) for _ in range(3))
    assert not places.take("h", "m", 1, LONG)


def test_a_place_that_is_given_back_is_free(places):
    places.take("h", "l", 1, LONG)
    places.leave("h", "m")
    places.leave("other", "l")
    assert not places.take("h", "m", 1, LONG)
    places.leave("h", "l")
    assert places.take("h", "m", 1, LONG)


def test_a_renewed_place_stays_taken_and_a_lapsed_one_is_free(places):
    for lease in ("kept", "lapsed"):
        assert places.take("h", lease, 2, LONG)
    for lease in ("kept", "lapsed"):
        lapse(places, "h", lease)
    places.renew([Held("h", "kept")], LONG)
    assert places.take("h", "new", 2, LONG)
    assert not places.take("h", "more", 2, LONG)


def test_a_place_lapses_when_its_time_is_over(places):
    assert places.take("h", "brief", 1, 1)
    eventually(lambda: places.take("h", "new", 1, LONG))


def test_a_lower_limit_counts_what_was_given_under_a_higher_one(places):
    for number in range(4):
        places.take("h", f"l{number}", 4, LONG)
    assert not places.take("h", "new", 2, LONG)
    assert places.take("h", "l3", 2, LONG)


def test_twenty_who_race_for_the_last_places_get_exactly_those(places):
    outcomes = race(20, lambda number: places.take("h", f"l{number}", 7, LONG))
    assert outcomes.count(True) == 7


def test_two_who_race_for_one_lease_share_one_place(places):
    assert race(6, lambda _: places.take("h", "same", LIMIT, LONG)) == [True] * 6
    assert [places.take("h", f"l{number}", LIMIT, LONG) for number in range(3)] == [True, True, False]


def test_the_settings_choose_the_store(settings, redis_url):
    settings.REDIS_URL = ""
    assert isinstance(seats(), DatabaseSeats)
    settings.REDIS_URL = redis_url
    assert seats().take("h", "l", 1, LONG)
    assert (Seat.objects.count(), redis_library.Redis.from_url(redis_url).keys()) == (0, [b"task-status:seats:h"])


class Broken:
    def take(self, *_):
        raise RedisConnectionError("redis://:password@host")

    renew = leave = take


def test_while_redis_is_out_the_database_counts_and_no_password_is_told(caplog):
    beside = SeatsBesideRedis(Broken(), DatabaseSeats())
    assert [beside.take("h", f"l{number}", 1, LONG) for number in range(2)] == [True, False]
    beside.renew([Held("h", "l0")], LONG)
    beside.leave("h", "l0")
    assert beside.take("h", "l1", 1, LONG)
    assert "password" not in caplog.text


def race(number, act):
    """What each of that many threads got, started together."""
    start, outcomes = threading.Barrier(number), [None] * number

    def run(index):
        try:
            start.wait(PATIENCE_SECONDS)
            outcomes[index] = act(index)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    return outcomes
