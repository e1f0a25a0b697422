"""A producer that sends too much is refused and told when to come back; no other producer feels it."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from limits import RateLimitItemPerHour, RateLimitItemPerMinute
from limits.strategies import SlidingWindowCounterRateLimiter
from pytest_django import Settings
from redis import Redis

from taskstatus.api import throttles
from taskstatus.api.throttles import TAB_SECONDS, Kind, throttle
from taskstatus.domain.errors import DomainError
from tests.identity.support import refused
from tests.support.rates import RateClock
from tests.support.waiting import PATIENCE_SECONDS

KINDS: list[Kind] = ["reports", "registrations", "heartbeats"]


@pytest.fixture(autouse=True, params=["memory", "redis"])
def let_pass(
    request: pytest.FixtureRequest, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[int], None]]:
    """Tell every story twice: counted in memory, and in a real Redis; let so many seconds pass there."""
    clock = RateClock(monkeypatch)
    monkeypatch.setattr(throttles, "REDIS_TIMEOUT_SECONDS", PATIENCE_SECONDS)
    settings.REDIS_URL = request.getfixturevalue("redis_url") if request.param == "redis" else ""
    for kind in KINDS:
        setattr(settings, f"RATE_LIMIT_{kind.upper()}", RateLimitItemPerHour(3))
    throttles._counter.cache_clear()
    yield partial(age, settings.REDIS_URL) if settings.REDIS_URL else clock.forward
    throttles._counter.cache_clear()


def age(redis_url: str, seconds: int) -> None:
    """Bring the end of all keys so much nearer: the only clock that Redis counts by."""
    with Redis.from_url(redis_url) as client:
        for key in client.scan_iter():
            client.pexpire(key, client.pttl(key) - seconds * 1_000)


def passed(kind: Kind = "reports", who: str = "acme/parser", cost: int = 1) -> bool:
    try:
        throttle(kind, who, cost)
    except DomainError:
        return False
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_beyond_the_limit_is_refused(kind: Kind) -> None:
    assert [passed(kind) for _ in range(5)] == [True, True, True, False, False]


def test_the_refusal_says_when_to_come_back() -> None:
    for _ in range(3):
        throttle("reports", "acme/parser")
    with refused("RATE_LIMITED") as caught:
        throttle("reports", "acme/parser")
    assert caught.value.retryable
    assert 1_199 <= (caught.value.retry_after_seconds or 0) <= 3_600
    assert "acme" not in str(caught.value)


def test_producers_and_kinds_are_counted_apart() -> None:
    assert passed(cost=3)
    assert not passed()
    assert passed(who="acme/renderer")
    assert passed(who="globex/parser")
    assert passed("heartbeats")


def test_a_batch_costs_what_it_holds_and_a_refused_one_costs_nothing() -> None:
    assert passed(cost=2)
    assert not passed(cost=2)
    assert passed(cost=1)
    assert not passed(cost=1)


def test_a_batch_above_the_limit_counts_as_the_whole_limit() -> None:
    assert passed(cost=500)
    assert not passed()


def test_off_counts_nothing(settings: Settings) -> None:
    settings.RATE_LIMIT_REPORTS = None
    assert all(passed(cost=1_000) for _ in range(20))


def test_a_limit_frees_itself_within_two_windows(let_pass: Callable[[int], None]) -> None:
    assert passed(cost=3)
    let_pass(1_800)
    assert not passed(cost=3)
    let_pass(2 * 3_600 - 1_800)
    assert passed(cost=3)


@pytest.mark.parametrize(("cost", "at_least"), [(1, 1), (30, 30), (60, 60)])
def test_the_wait_grows_with_the_batch(settings: Settings, cost: int, at_least: int) -> None:
    settings.RATE_LIMIT_REPORTS = RateLimitItemPerMinute(60)
    throttle("reports", "acme/parser", 60)
    with refused("RATE_LIMITED") as caught:
        throttle("reports", "acme/parser", cost)
    assert at_least <= (caught.value.retry_after_seconds or 0) <= 60


def test_threads_together_get_no_more_than_the_limit(settings: Settings) -> None:
    settings.RATE_LIMIT_REPORTS = RateLimitItemPerHour(100)
    assert passed(who="somebody else")
    with ThreadPoolExecutor(8) as pool:
        outcomes: list[Any] = list(pool.map(lambda _: passed(), range(300)))
    assert outcomes.count(True) == 100


@pytest.fixture
def monotonic(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Allow 1,000 calls an hour, and stop the clock of the tab, which two of them may be on."""
    settings.RATE_LIMIT_REPORTS = RateLimitItemPerHour(1_000)
    now = [0.0]
    monkeypatch.setattr(throttles, "monotonic", lambda: sum(now))
    return now


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The cost of each count."""
    costs: list[int] = []
    plain = SlidingWindowCounterRateLimiter.hit

    def hit(self: Any, *args: Any, cost: int) -> bool:
        costs.append(cost)
        return plain(self, *args, cost=cost)

    monkeypatch.setattr(SlidingWindowCounterRateLimiter, "hit", hit)
    return costs


def test_calls_that_come_close_upon_each_other_are_counted_together(monotonic: list[float], counted: list[int]) -> None:
    assert all(passed() for _ in range(7))
    assert counted == [1, 3, 3]
    monotonic.append(TAB_SECONDS)
    assert passed()
    assert counted == [1, 3, 3, 1]


def test_no_call_goes_uncounted(monotonic: list[float], counted: list[int]) -> None:
    assert [passed(), passed(), passed(cost=2), passed(cost=500)] == [True] * 4
    assert (counted, sum(counted)) == ([1, 3, 500], 504)
    monotonic.append(TAB_SECONDS)
    assert not passed(cost=497)
    assert passed(cost=496)
    assert not passed(cost=3)
    assert not passed()


def test_a_large_limit_is_passed_by_no_more_than_the_tab(monotonic: list[float]) -> None:
    assert 1_000 <= [passed() for _ in range(1_200)].count(True) <= 1_002
    monotonic.append(TAB_SECONDS)
    assert not passed()


def test_threads_together_get_no_more_than_a_large_limit_and_the_tab(monotonic: list[float]) -> None:
    assert passed(who="somebody else")
    with ThreadPoolExecutor(8) as pool:
        outcomes: list[Any] = list(pool.map(lambda _: passed(), range(1_500)))
    assert 1_000 <= outcomes.count(True) <= 1_002


def test_producers_have_tabs_of_their_own_and_not_too_many_of_them(
    monotonic: list[float], counted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttles, "MAX_TABS", 2)
    for who in ("a", "b", "b", "c", "c", "a"):
        assert passed(who=who)
    assert counted == [1, 1, 1, 1]
