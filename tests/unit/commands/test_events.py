"""Which members each event type needs, and which it can't have (protocol 4.3)."""

import pytest

from taskstatus.commands.events import ReportBatch, ReportEvent
from taskstatus.domain.lifecycle import EventType
from tests.unit.commands.bodies import ERROR, EVENTS, event, faults

STEP_EVENTS = [name for name in EVENTS if name.startswith("STEP_")]
TASK_EVENTS = [name for name in EVENTS if name.startswith("TASK_")]
STEP_CONTEXT = {
    "executionHandle": "exh_0A1_X",
    "stepId": "s1",
    "operationCode": "PAPER.READ",
    "stepAttempt": 1,
    "executionId": "exe_1",
    "phaseCode": "OCR",
    "phaseLabel": "Reading",
    "progress": {"current": 1},
    "progressSeq": 1,
    "heartbeatSeq": 1,
}


def test_every_event_type_is_tried_here():
    assert set(EVENTS) == set(EventType)


@pytest.mark.parametrize("event_type", EVENTS)
def test_the_least_is_enough(event_type):
    report = ReportEvent.read(event(event_type))
    assert report.kind is EventType(event_type)


@pytest.mark.parametrize(
    ("event_type", "member"), [(name, member) for name, members in EVENTS.items() for member in members]
)
@pytest.mark.parametrize("absent", [True, False])
def test_less_is_not(event_type, member, absent):
    body = event(event_type, **{member: None})
    if absent:
        del body[member]
    assert faults(ReportEvent, body) == {f"/{member}": "INVALID_FIELD"}


@pytest.mark.parametrize("event_type", ["", "STEP_BEGUN", "step_started", "TASK_CREATED", "WORKFLOW_SEALED", None, 7])
def test_no_other_event_can_be_reported(event_type):
    body = {**event("STEP_STARTED"), "eventType": event_type}
    assert faults(ReportEvent, body) == {"/eventType": "INVALID_FIELD"}


@pytest.mark.parametrize("member", STEP_CONTEXT)
@pytest.mark.parametrize("event_type", TASK_EVENTS)
def test_a_task_event_speaks_of_no_step(event_type, member):
    assert faults(ReportEvent, event(event_type, **{member: STEP_CONTEXT[member]})) == {f"/{member}": "INVALID_FIELD"}


@pytest.mark.parametrize("event_type", STEP_EVENTS)
def test_a_step_event_may_repeat_its_whole_context(event_type):
    context = {**STEP_CONTEXT, "workflowId": "wfl_1", "taskId": "tsk_1", "taskType": "PAPER", "taskAttempt": 1}
    assert faults(ReportEvent, event(event_type, **context, producerId="reader")) == {}


@pytest.mark.parametrize("event_type", [name for name in EVENTS if name != "STEP_HEALTH_CHANGED"])
def test_only_a_health_report_speaks_of_health(event_type):
    body = event(event_type, health="STALE", healthReason="NO_HEARTBEAT")
    assert faults(ReportEvent, body) == {"/health": "INVALID_FIELD", "/healthReason": "INVALID_FIELD"}


@pytest.mark.parametrize(
    ("word", "reason", "fits"),
    [
        ("HEALTHY", None, True),
        ("HEALTHY", "NO_PROGRESS", False),
        ("STALE", None, True),
        ("STALE", "NO_HEARTBEAT", True),
        ("STALE", "OVER_TIME", False),
        ("DEGRADED", "OVER_TIME", True),
        ("DEGRADED", None, False),
        ("DEGRADED", "NO_HEARTBEAT", False),
        ("DEGRADED", "TIRED", False),
        ("DEGRADED", ["OVER_TIME"], False),
    ],
)
def test_health_and_its_reason_fit(word, reason, fits):
    body = event("STEP_HEALTH_CHANGED", health=word, healthReason=reason)
    assert faults(ReportEvent, body) == ({} if fits else {"/healthReason": "INVALID_FIELD"})


def test_a_failed_task_may_name_its_step():
    assert faults(ReportEvent, event("TASK_FAILED", failedStepId="s1")) == {}


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"durationMs": 0}, {}),
        ({"durationMs": 2**63 - 1, "durationSource": "WALL_CLOCK_ESTIMATE"}, {}),
        ({"durationMs": -1}, {"/durationMs": "INVALID_FIELD"}),
        ({"durationMs": 2**63}, {"/durationMs": "INVALID_FIELD"}),
        ({"durationMs": 1.5}, {"/durationMs": "INVALID_FIELD"}),
        ({"durationSource": "MONOTONIC"}, {"/durationSource": "INVALID_FIELD"}),
        ({"durationSource": "MONOTONIC", "durationMs": None}, {"/durationSource": "INVALID_FIELD"}),
        ({"durationMs": 5, "durationSource": "GUESS"}, {"/durationSource": "INVALID_FIELD"}),
    ],
)
def test_a_duration_is_whole_milliseconds_and_its_source_goes_with_it(members, expected):
    assert faults(ReportEvent, event("STEP_COMPLETED", **members)) == expected


@pytest.mark.parametrize(
    ("progress", "expected"),
    [
        ({"current": 0}, {}),
        ({"current": 3, "total": 3, "unit": "page"}, {}),
        ({"current": 0.5, "total": 1}, {}),
        ({"current": 2**63 - 1, "total": None}, {}),
        ({"current": 4, "total": 3}, {"/progress/current": "INVALID_FIELD"}),
        ({"current": -1}, {"/progress/current": "INVALID_FIELD"}),
        ({"current": 1, "total": -1}, {"/progress/total": "INVALID_FIELD", "/progress/current": "INVALID_FIELD"}),
        ({"current": True}, {"/progress/current": "INVALID_FIELD"}),
        ({"current": "1"}, {"/progress/current": "INVALID_FIELD"}),
        ({"total": 3}, {"/progress/current": "INVALID_FIELD"}),
        ({"current": 1, "percent": 50}, {"/progress/percent": "UNKNOWN_FIELD"}),
    ],
)
def test_progress_never_exceeds_its_total(progress, expected):
    assert faults(ReportEvent, event("STEP_PROGRESS", progress=progress)) == expected


@pytest.mark.parametrize(
    ("member", "wrong"),
    [
        ("category", "lower"),
        ("code", "A" * 129),
        ("retryable", "yes"),
        ("userMessage", ""),
        ("userMessage", "x" * 513),
        ("diagnosticsRef", "two words"),
    ],
)
def test_an_error_has_its_form(member, wrong):
    body = event("STEP_FAILED", error={**ERROR, member: wrong})
    assert faults(ReportEvent, body) == {f"/error/{member}": "INVALID_FIELD"}


@pytest.mark.parametrize("value", [None, [], "text", 7])
def test_data_is_an_object_with_the_name_of_its_schema(value):
    body = event("STEP_COMPLETED", data={"schema": "pages.v1", "value": value})
    assert faults(ReportEvent, body) == {"/data/value": "INVALID_FIELD"}


def test_what_can_not_be_stored_is_found_deep_inside_data():
    body = event("STEP_COMPLETED", data={"schema": "pages.v1", "value": {"a": [{"b": "x\x00"}]}})
    assert set(faults(ReportEvent, body)) == {"/data/value/a/0/b"}


def test_content_is_what_is_said_without_the_credential_it_came_with():
    said = ReportEvent.read(event("STEP_STARTED"))
    by_handle = ReportEvent.read(event("STEP_STARTED", executionHandle="exh_0A1_X", tenantId="acme"))
    assert by_handle.content() == said.content()
    assert ReportEvent.read(event("STEP_STARTED", message="Hi.")).content() != said.content()


@pytest.mark.parametrize("same", ["2026-09-21T07:10:18Z", "2026-09-21T09:10:18.000+02:00"])
def test_one_moment_is_one_content(same):
    said = ReportEvent.read(event("STEP_STARTED", occurredAt="2026-09-21T07:10:18.000000Z"))
    assert ReportEvent.read(event("STEP_STARTED", occurredAt=same)).content() == said.content()


@pytest.mark.parametrize(("number", "taken"), [(0, False), (1, True), (500, True), (501, False)])
def test_a_batch_has_one_to_500_events(number, taken):
    assert (faults(ReportBatch, {"events": [{}] * number}) == {}) is taken


def test_what_is_inside_a_batch_is_not_the_envelopes_concern():
    assert faults(ReportBatch, {"events": [{"anything": 1}]}) == {}
    assert faults(ReportBatch, {"events": [7, "x"]}) == {"/events/0": "INVALID_FIELD", "/events/1": "INVALID_FIELD"}
