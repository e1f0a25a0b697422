"""A bell wakes who listens, tells whether anybody does, and fails nobody."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from redis.exceptions import RedisError

from outbox import redis_bell
from outbox.bells import configured_bell
from outbox.fifo_bell import FifoBell
from outbox.redis_bell import RedisBell
from tests.support.redis_server import running
from tests.support.waiting import PATIENCE_SECONDS, eventually

# A wait that only a ring can end within the test's patience.
FOR_EVER = PATIENCE_SECONDS + 30
A_HANDFUL = 5


@pytest.fixture(autouse=True)
def an_unhurried_redis(monkeypatch):
    monkeypatch.setattr(redis_bell, "SOCKET_SECONDS", PATIENCE_SECONDS)


@pytest.fixture(params=["fifo", "redis"])
def bell(request, tmp_path):
    if request.param == "fifo":
        return FifoBell(tmp_path / "folder" / "relay.bell")
    return RedisBell(request.getfixturevalue("redis_url"))


@contextmanager
def listening(bell):
    """A listener that is known to the bell, and has heard nothing that it has not taken."""
    with bell.listening() as listener:
        be_heard(bell, listener)
        yield listener


def be_heard(bell, listener):
    """Ask to be told of rings, and wait until one arrives: Redis subscribes a moment after it was asked to."""
    eventually(lambda: listener.wait(0.01) or bell.ring())
    assert listener.wait(PATIENCE_SECONDS)


def test_ringing_where_nobody_listens_says_so(bell):
    assert not bell.ring()
    with listening(bell):
        assert bell.ring()
    eventually(lambda: not bell.ring())


def test_a_ring_ends_the_wait_at_once(bell):
    with listening(bell) as listener, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(listener.wait, FOR_EVER)
        with pytest.raises(TimeoutError):
            waiting.result(0.1)
        bell.ring()
        assert waiting.result(PATIENCE_SECONDS)


def test_silence_lasts_as_long_as_the_wait(bell):
    with listening(bell) as listener:
        began = time.monotonic()
        assert listener.wait(0.1) is False
        assert time.monotonic() - began >= 0.1


def test_many_rings_are_one(bell):
    """One, or a few where a ring arrives after the others were taken."""
    with listening(bell) as listener:
        for _ in range(50):
            assert bell.ring()
        assert listener.wait(PATIENCE_SECONDS)
        more = 0
        while listener.wait(0.05):
            more += 1
        assert more < A_HANDFUL


def test_a_bell_that_nobody_empties_can_still_be_rung(tmp_path):
    bell = FifoBell(tmp_path / "relay.bell")
    with bell.listening() as listener:
        for _ in range(70_000):  # more than a FIFO holds
            bell.ring()
        assert listener.wait(PATIENCE_SECONDS)


def test_a_relay_goes_on_without_redis_and_hears_again_when_it_is_back(tmp_path, caplog):
    with running(tmp_path) as server:
        bell = RedisBell(server.url)
        with listening(bell) as listener:
            server.stop()
            for _ in range(2):
                began = time.monotonic()
                assert listener.wait(0.2) is False
                assert time.monotonic() - began >= 0.2
            with pytest.raises(RedisError):
                bell.ring()
            server.start()
            be_heard(bell, listener)
    assert caplog.text.count("hears no commits") == 1


@pytest.mark.parametrize(("url", "kind"), [("", FifoBell), ("redis://127.0.0.1:1/0", RedisBell)])
def test_the_settings_choose_the_bell(settings, url, kind):
    settings.REDIS_URL = url
    assert isinstance(configured_bell(), kind)
