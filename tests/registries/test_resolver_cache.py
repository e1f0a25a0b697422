"""What the resolver costs, and how soon every process knows what is new (acceptance G05)."""

import pytest
from django.db import OperationalError

from registries import resolver
from registries.models import DefinitionScope
from registries.resolver import registry
from tests.registries.support import SCOPE, TENANT, load, operation, schema, status_set

pytestmark = pytest.mark.django_db


class Clock:
    """A monotonic clock that stands still until it is told."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(resolver, "time", clock)
    return clock


@pytest.fixture(autouse=True)
def definitions() -> None:
    load(schemas=[schema()], sets=[status_set()], operations=[operation()])


def use_everything() -> None:
    found = registry(TENANT, SCOPE)
    bound = found.bind_operation("DOCUMENT.PARSE", "DOCUMENT_PROCESS", version=1)
    assert bound is not None
    assert found.operation(bound.definition_id, bound.code) is bound
    assert found.status_set("DOCUMENT_PROCESS", 1) is found.newest_status_set("DOCUMENT_PROCESS")
    assert found.named_status_set("DOCUMENT_PROCESS", 1)
    assert found.has_operation_version(1, None)
    assert found.data_schema("document.parsed.v1")
    assert found.data_schema("generic.result.v1")


def test_the_first_use_reads_everything_once(clock, django_assert_num_queries):
    # stamp, sets, their codes, operations, schemas, stamp again
    with django_assert_num_queries(6):
        use_everything()


def test_events_cost_no_query(clock, django_assert_num_queries):
    use_everything()
    with django_assert_num_queries(0):
        for _ in range(100):
            clock.seconds += 0.009
            use_everything()


def test_the_stamp_is_read_once_a_second(clock, django_assert_num_queries):
    use_everything()
    with django_assert_num_queries(3):
        for _ in range(30):
            clock.seconds += 0.101
            use_everything()


def test_a_scope_without_definitions_costs_the_stamp_only(clock, django_assert_num_queries):
    # stamp, and stamp again
    with django_assert_num_queries(2):
        registry(TENANT, "empty").status_set(None, None)


def test_what_is_new_is_in_use_after_a_second(clock):
    use_everything()
    load(operations=[operation(version=2)])
    clock.seconds += 0.99
    before = registry(TENANT, SCOPE).bind_operation("DOCUMENT.PARSE", None)
    clock.seconds += 0.02
    after = registry(TENANT, SCOPE).bind_operation("DOCUMENT.PARSE", None)
    assert before is not None
    assert after is not None
    assert (before.version, after.version) == (1, 2)


def test_what_is_retired_binds_nothing_after_a_second(clock):
    use_everything()
    load(operations=[operation(state="retired")])
    clock.seconds += 1.01
    assert registry(TENANT, SCOPE).bind_operation("DOCUMENT.PARSE", None) is None


def test_who_misses_something_finds_what_was_just_loaded(clock):
    found = registry(TENANT, SCOPE)
    load(
        schemas=[schema(name="new.v1")],
        sets=[status_set(version=2), status_set(taskType="NEW")],
        operations=[operation(version=2), operation("NEW.OPERATION")],
    )
    clock.seconds += 0.11
    assert found.named_status_set("DOCUMENT_PROCESS", 2)
    assert found.newest_status_set("NEW")
    assert found.data_schema("new.v1")
    bound = found.bind_operation("NEW.OPERATION", None)
    assert bound is not None
    assert bound.version == 1


@pytest.mark.parametrize(
    "look",
    [
        lambda found: found.named_status_set("DOCUMENT_PROCESS", 2),
        lambda found: found.status_set("DOCUMENT_PROCESS", 2),
        lambda found: found.bind_operation("DOCUMENT.PARSE", None, version=2),
        lambda found: found.has_operation_version(2, None),
        lambda found: found.data_schema("new.v1"),
    ],
)
def test_each_kind_of_miss_has_the_stamp_read(clock, look):
    found = registry(TENANT, SCOPE)
    load(schemas=[schema(name="new.v1")], sets=[status_set(version=2)], operations=[operation(version=2)])
    clock.seconds += 0.11
    assert look(found)


def test_misses_are_limited_to_ten_a_second(clock, django_assert_num_queries):
    found = registry(TENANT, SCOPE)
    with django_assert_num_queries(9):
        for _ in range(100):
            clock.seconds += 0.0099
            assert found.data_schema("missing.v1") is None


def test_scopes_and_tenants_are_kept_apart(clock):
    load(operations=[operation("OTHER.ONE")], tenant="other")
    load(operations=[operation("THIRD.ONE")], authorityScope="third")
    codes = ["DOCUMENT.PARSE", "OTHER.ONE", "THIRD.ONE"]
    for tenant, scope, own in ((TENANT, SCOPE, 0), ("other", SCOPE, 1), (TENANT, "third", 2)):
        bound = [registry(tenant, scope).bind_operation(code, None) for code in codes]
        defined = [found is not None and found.definition_id is not None for found in bound]
        assert defined == [number == own for number in range(3)]


def test_a_load_in_the_middle_of_reading_is_not_seen_half(clock, monkeypatch):
    reading = resolver.read_snapshot.__globals__["_read"]
    loaded = []

    def read_and_be_overtaken(tenant: str, scope: str, stamp: str):
        snapshot = reading(tenant, scope, stamp)
        if not loaded:
            loaded.append(load(operations=[operation(version=2)]))
        return snapshot

    monkeypatch.setitem(resolver.read_snapshot.__globals__, "_read", read_and_be_overtaken)
    bound = registry(TENANT, SCOPE).bind_operation("DOCUMENT.PARSE", None)
    assert bound is not None
    assert bound.version == 2


def test_a_database_that_is_away_for_a_moment_is_asked_again(clock, monkeypatch):
    use_everything()
    clock.seconds += 2

    def fail(*_names: str) -> str:
        raise OperationalError("gone away")

    with monkeypatch.context() as patch:
        patch.setattr(resolver, "read_stamp", fail)
        with pytest.raises(OperationalError):
            registry(TENANT, SCOPE)
        use_everything()
    load(operations=[operation(version=2)])
    clock.seconds += 1.01
    bound = registry(TENANT, SCOPE).bind_operation("DOCUMENT.PARSE", None)
    assert bound is not None
    assert bound.version == 2


def test_a_stamp_of_a_restored_backup_is_another_one(clock):
    use_everything()
    stamp = DefinitionScope.objects.get(authority_scope=SCOPE).stamp
    load(operations=[operation(version=2)])
    DefinitionScope.objects.filter(authority_scope=SCOPE).update(stamp=stamp)
    load(operations=[operation(version=3)])
    clock.seconds += 1.01
    bound = registry(TENANT, SCOPE).bind_operation("DOCUMENT.PARSE", None)
    assert bound is not None
    assert bound.version == 3


def test_a_process_does_not_keep_scopes_without_end(clock, monkeypatch):
    monkeypatch.setattr(resolver, "MAX_SCOPES", 3)
    for number in range(10):
        registry(TENANT, f"scope-{number}")
    assert len(resolver._entries) <= 3
