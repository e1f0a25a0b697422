"""Which operation an execution binds to (rulings 33, 34, 42)."""

import pytest

from registries.resolver import forget, registry
from taskstatus.domain.definitions import BUILTIN_VERSION
from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import EventType
from tests.registries.support import SCOPE, TENANT, bind, bound, load, operation

pytestmark = pytest.mark.django_db


# patterns: exact, then the longest prefix, then *

PATTERNS = ["*", "D*", "DOCUMENT_*", "DOCUMENT_PROCESS"]


@pytest.mark.parametrize(
    ("patterns", "task_type", "winner"),
    [
        (PATTERNS, "DOCUMENT_PROCESS", "DOCUMENT_PROCESS"),
        (PATTERNS, "DOCUMENT_SCAN", "DOCUMENT_*"),
        (PATTERNS, "DATA", "D*"),
        (PATTERNS, "VIDEO", "*"),
        (PATTERNS, None, "*"),
        (["DOCUMENT_PROCESS*", "DOCUMENT_PROCESS"], "DOCUMENT_PROCESS", "DOCUMENT_PROCESS"),
        (["*", "D*"], "D", "D*"),
        (["*", "D*"], "d", "*"),
    ],
)
def test_the_most_specific_pattern_wins(patterns, task_type, winner):
    load(operations=[operation(taskTypePattern=pattern) for pattern in patterns])
    assert bound("DOCUMENT.PARSE", task_type) == (winner, 1)


def test_a_higher_version_of_a_wider_pattern_does_not_win():
    load(operations=[operation(version=9), operation(taskTypePattern="DOCUMENT_*", version=2)])
    assert bound() == ("DOCUMENT_*", 2)


# versions: named, then the task's where it exists, then the newest


@pytest.mark.parametrize(
    ("versions", "winner"),
    [
        ({}, 10),
        ({"default_version": 2}, 2),
        ({"default_version": 3}, 10),
        ({"version": 1}, 1),
        ({"version": 1, "default_version": 2}, 1),
    ],
)
def test_the_version(versions, winner):
    load(operations=[operation(version=number) for number in (1, 2, 10)])
    assert bound(**versions) == ("*", winner)


def test_a_version_that_is_named_must_be_published():
    load(operations=[operation(), operation(version=2, state="draft"), operation(version=3, state="retired")])
    for version in (2, 3, 4):
        with pytest.raises(DomainError) as refusal:
            bind(version=version)
        assert refusal.value.code == "DEFINITION_NOT_FOUND"


def test_a_version_of_a_wider_pattern_only_is_not_found():
    load(operations=[operation(version=2), operation(taskTypePattern="DOCUMENT_*")])
    with pytest.raises(DomainError):
        bind(version=2)


def test_a_version_of_an_operation_that_nothing_defines_is_not_found():
    with pytest.raises(DomainError) as refusal:
        bind("UNKNOWN.OPERATION", version=1)
    assert refusal.value.code == "DEFINITION_NOT_FOUND"


def test_drafts_and_retired_versions_bind_nothing():
    load(operations=[operation(), operation(version=2, state="draft"), operation(version=3, state="retired")])
    assert bound() == ("*", 1)
    assert bound(default_version=3) == ("*", 1)


def test_an_operation_that_was_retired_wholly_is_unknown_not_generic():
    load(operations=[operation(state="retired"), operation("ANY", generic=True)])
    assert bind() is None


def test_a_retired_pattern_gives_way_to_a_wider_one():
    load(operations=[operation(), operation(taskTypePattern="DOCUMENT_*", state="retired")])
    assert bound() == ("*", 1)


# what is bound stays


def test_an_execution_finds_its_operation_again():
    load(operations=[operation("ANY", generic=True)])
    found = bind("TOOL.RUN", None)
    assert found is not None
    load(operations=[operation("ANY", generic=True, state="retired"), operation("ANY", generic=True, version=2)])
    forget()
    assert registry(TENANT, SCOPE).operation(found.definition_id, "TOOL.RUN") == found
    assert registry(TENANT, SCOPE).operation(None, "TOOL.RUN").version == BUILTIN_VERSION


def test_an_operation_of_another_scope_is_not_found():
    load(operations=[operation()], authorityScope="other")
    found = registry(TENANT, "other").bind_operation("DOCUMENT.PARSE", None)
    assert found is not None
    with pytest.raises(DomainError):
        registry(TENANT, SCOPE).operation(found.definition_id, "DOCUMENT.PARSE")


def test_a_task_may_name_a_version_that_some_operation_for_it_has():
    load(
        operations=[
            operation(taskTypePattern="DOCUMENT_*", version=2),
            operation(version=3, state="retired"),
            operation(version=4, state="draft"),
        ]
    )
    found = registry(TENANT, SCOPE)
    assert found.has_operation_version(2, "DOCUMENT_PROCESS")
    assert not found.has_operation_version(2, "VIDEO")
    assert not found.has_operation_version(2, None)
    assert not any(found.has_operation_version(number, "DOCUMENT_PROCESS") for number in (1, 3, 4))


def test_an_operation_comes_whole():
    load(
        operations=[
            operation(
                taskTypePattern="DOCUMENT_*",
                displayName={"en": "Parse"},
                producerPattern="parser-*",
                allowedEventTypes=["STEP_STARTED"],
                allowedDataSchemas={"STEP_STARTED": ["generic.result.v1"]},
                failurePolicy="WAIT_FOR_USER",
                maxAttempts=4,
                heartbeatIntervalSeconds=5,
                heartbeatTimeoutSeconds=16,
                noProgressSeconds=7,
                startDeadlineSeconds=8,
                sequencePolicy="CONTIGUOUS",
                policyExecutor="executor",
                progressMinIntervalSeconds=0.5,
                staleEscalationSeconds=9,
                errors=[{"code": "E", "userMessage": {"en": "Again"}, "actions": ["RETRY"]}],
            )
        ]
    )
    found = bind()
    assert found is not None
    assert found.errors["E"].user_message == {"en": "Again"}
    assert found.errors["E"].actions == ("RETRY",)
    assert found.allowed_event_types == {EventType.STEP_STARTED}
    assert found.allowed_data_schemas == {EventType.STEP_STARTED: {"generic.result.v1"}}
    assert (found.producer_pattern, found.failure_policy, found.max_attempts) == ("parser-*", "WAIT_FOR_USER", 4)
    assert (found.heartbeat_interval_seconds, found.heartbeat_timeout_seconds) == (5, 16)
    assert (found.no_progress_seconds, found.start_deadline_seconds, found.stale_escalation_seconds) == (7, 8, 9)
    assert (found.sequence_policy, found.policy_executor) == ("CONTIGUOUS", "executor")
    assert found.progress_min_interval_seconds == 0.5
