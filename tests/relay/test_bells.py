"""A bell wakes who listens, tells whether anybody does, and fails nobody."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from redis.exceptions import RedisError

from outbox.bells import configured_bell
from outbox.fifo_bell import FifoBell
from outbox.redis_bell import RedisBell
from tests.identity.redis_server import running


@pytest.fixture(params=["fifo", "redis"])
def bell(request, tmp_path):
    if request.param == "fifo":
        return FifoBell(tmp_path / "folder" / "relay.bell")
    return RedisBell(request.getfixturevalue("redis_url"))


def test_ringing_where_nobody_listens_says_so(bell):
    assert not bell.ring()
    with bell.listening() as listener:
        listener.wait(0.05)
        assert bell.ring()
    assert not bell.ring()


def test_a_ring_ends_the_wait_at_once(bell):
    with bell.listening() as listener, ThreadPoolExecutor(1) as pool:
        listener.wait(0.05)
        ringer = threading.Timer(0.1, bell.ring)
        ringer.start()
        assert pool.submit(listener.wait, 10).result(2)
        ringer.join(5)


def test_silence_lasts_as_long_as_the_wait(bell):
    with bell.listening() as listener, ThreadPoolExecutor(1) as pool:
        assert pool.submit(listener.wait, 0.1).result(1) is False
        waiting = pool.submit(listener.wait, 10)
        with pytest.raises(TimeoutError):
            waiting.result(0.1)
        bell.ring()
        assert waiting.result(2)


def test_many_rings_are_one(bell):
    with bell.listening() as listener:
        listener.wait(0.05)
        for _ in range(50):
            assert bell.ring()
        assert listener.wait(1)
        assert not listener.wait(0.05)


def test_a_bell_that_nobody_empties_can_still_be_rung(tmp_path):
    bell = FifoBell(tmp_path / "relay.bell")
    with bell.listening() as listener:
        for _ in range(70_000):  # more than a FIFO holds
            bell.ring()
        assert listener.wait(1)


def test_a_relay_goes_on_without_redis_and_hears_again_when_it_is_back(tmp_path, caplog):
    with running(tmp_path) as server:
        bell = RedisBell(server.url)
        with bell.listening() as listener, ThreadPoolExecutor(1) as pool:
            listener.wait(0.05)
            server.stop()
            for _ in range(2):
                deaf = pool.submit(listener.wait, 0.5)
                with pytest.raises(TimeoutError):
                    deaf.result(0.1)
                assert deaf.result(1) is False
            with pytest.raises(RedisError):
                bell.ring()
            server.start()
            listener.wait(0.1)
            assert bell.ring()
            assert listener.wait(1)
    assert caplog.text.count("hears no commits") == 1


@pytest.mark.parametrize(("url", "kind"), [("", FifoBell), ("redis://127.0.0.1:1/0", RedisBell)])
def test_the_settings_choose_the_bell(settings, url, kind):
    settings.REDIS_URL = url
    assert isinstance(configured_bell(), kind)
