"""C14: an event carries only data that was registered for it, and only if it fits."""

import json

import pytest

from tests.support.api import fresh
from tests.support.cast import error_body, step_body
from tests.support.definitions import define, operation, status, status_set
from tests.support.unchanged import unchanged

PROGRESS, DONE, RESULT = "paper.progress.v1", "paper.done.v1", "paper.result.v1"
PAGES = {
    "type": "object",
    "additionalProperties": False,
    "required": ["pages"],
    "properties": {"pages": {"type": "integer", "minimum": 0}, "note": {"type": "string"}},
}


@pytest.fixture
def reader(carol):
    """A running execution whose operation has one schema for progress and one for the end, of 40 bytes at most."""
    define(
        schemas=[{"name": name, "schema": PAGES, "maxBytes": 40} for name in (PROGRESS, DONE, RESULT)],
        operations=[operation(allowedDataSchemas={"STEP_PROGRESS": [PROGRESS], "STEP_COMPLETED": [DONE]})],
        sets=[status_set(*statuses(), taskDataSchemas=[RESULT])],
    )
    return carol.running(taskType="PAPER")


def statuses():
    return (
        status("QUEUED", "PENDING", initial=True),
        status("READING", allowedFrom=["QUEUED"]),
        status("DONE", "SUCCEEDED", allowedFrom=["*"]),
    )


def data(schema, **value):
    return {"schema": schema, "value": value}


@pytest.mark.accepts("C14")
def test_registered_and_fitting_data_is_kept(carol, reader):
    """The schemas of the operation, and the status set's for the task's own events, are accepted."""
    reader.progress(data=data(PROGRESS, pages=1))
    reader.completed(data=data(DONE, pages=2, note="fine"))
    task_id = reader.context["taskId"]
    assert carol.detail(task_id)["steps"][0]["data"]["schema"] == DONE
    carol.end(task_id, data=data(RESULT, pages=3))
    assert carol.detail(task_id)["summaryData"]["schema"] == RESULT


@pytest.mark.accepts("C14")
def test_a_schema_that_is_not_registered_for_the_event_is_refused(carol, reader):
    """Unknown, of another event, of another operation or of the built-in profile: none is accepted."""
    error = error_body()
    cases = {
        "STEP_PROGRESS": [DONE, RESULT, "generic.progress.v1", "paper.progress.v2", "video.progress.v1"],
        "STEP_COMPLETED": [PROGRESS, "generic.result.v1"],
        "STEP_STARTED": [PROGRESS],
        "STEP_FAILED": [DONE],
        "STEP_CANCELLED": [DONE],
    }
    fresh_step = carol.worker(carol.task(step_body())["taskId"])
    with unchanged():
        for event_type, schemas in cases.items():
            worker = fresh_step if event_type == "STEP_STARTED" else reader
            members = {"STEP_PROGRESS": {"progressSeq": 1}, "STEP_FAILED": {"error": error}}.get(event_type, {})
            for schema in schemas:
                answer = worker.report(event_type, data=data(schema, pages=1), **members)
                answer.refused(422, "SCHEMA_NOT_ALLOWED")
        carol.report("TASK_COMPLETED", reader.context["taskId"], data=data(DONE, pages=1)).refused(
            422, "SCHEMA_NOT_ALLOWED"
        )


@pytest.mark.accepts("C14")
@pytest.mark.parametrize(
    ("value", "pointers"),
    [
        ({}, {"/data/value/pages"}),
        ({"pages": -1}, {"/data/value/pages"}),
        ({"pages": "1"}, {"/data/value/pages"}),
        ({"pages": True}, {"/data/value/pages"}),
        ({"pages": 1, "more": 1}, {"/data/value/more"}),
        ({"pages": None, "note": 7}, {"/data/value/pages", "/data/value/note"}),
    ],
)
def test_data_that_doesnt_fit_its_schema_is_refused(reader, value, pointers):
    """Invalid data changes nothing, and every bad member is named by where it stands."""
    with unchanged():
        problem = reader.report("STEP_COMPLETED", data={"schema": DONE, "value": value}).refused(422, "DATA_REJECTED")
    assert {error["pointer"] for error in problem["errors"]} == pointers
    assert {error["code"] for error in problem["errors"]} == {"DATA_REJECTED"}


@pytest.mark.accepts("C14")
def test_the_byte_limit_counts_the_canonical_form(reader):
    """Forty bytes pass and forty-one don't, counted in UTF-8 and without the sender's spacing and escapes."""
    value = {"note": "é" * 5, "pages": 1}
    rest = 40 - len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
    value["note"] += "x" * rest
    larger = {**value, "note": value["note"] + "x"}
    with unchanged():
        reader.report("STEP_COMPLETED", data={"schema": DONE, "value": larger}).refused(413, "DATA_TOO_LARGE")
    body = reader.event("STEP_COMPLETED", data={"schema": DONE, "value": value})
    reader.api.post("/task-events", raw=json.dumps(body, indent=8).encode()).ok()


@pytest.mark.accepts("C14")
def test_state_and_status_are_judged_before_data(reader):
    """What is wrong in several ways is refused for the first of them: lifecycle, business status, schema, then data."""
    bad = {"data": data(DONE, pages=-1)}
    with unchanged():
        reader.report("STEP_STARTED", **bad).refused(409, "ILLEGAL_TRANSITION")
        reader.report("STEP_COMPLETED", businessStatus="READING", **bad).refused(422, "STATUS_NOT_REACHABLE")
        reader.report("STEP_COMPLETED", businessStatus="NO_SUCH", **bad).refused(422, "UNKNOWN_BUSINESS_STATUS")
        reader.report("STEP_COMPLETED", data=data(PROGRESS, pages=-1)).refused(422, "SCHEMA_NOT_ALLOWED")
        reader.report("STEP_COMPLETED", **bad).refused(422, "DATA_REJECTED")


@pytest.mark.accepts("C14")
def test_the_built_in_profile_takes_flat_scalars_only(carol):
    """Without a definition there are two small schemas of scalars, for progress and for results."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    with unchanged():
        for value in ({"a": {}}, {"a": [1]}, {"a": "x" * 501}):
            body = worker.progress_event(data={"schema": "generic.progress.v1", "value": value})
            worker.send(body).refused(422, "DATA_REJECTED")
        body = worker.progress_event(data=data("generic.result.v1", a=1))
        worker.send(body).refused(422, "SCHEMA_NOT_ALLOWED")
        much = {f"k{number}": "x" * 400 for number in range(6)}
        worker.report("STEP_COMPLETED", data=data("generic.result.v1", **much)).refused(413, "DATA_TOO_LARGE")
        result = data("generic.result.v1", a=1)
        for event_type, members in (
            ("TASK_STATUS_CHANGED", {"businessStatus": "RUNNING"}),
            ("TASK_FAILED", {"error": error_body()}),
            ("TASK_CANCELLED", {}),
        ):
            carol.report(event_type, task_id, data=result, **members).refused(422, "SCHEMA_NOT_ALLOWED")
    worker.progress(data=data("generic.progress.v1", a=1, b="x", c=None, d=True, e=1.5))
    worker.completed(data=data("generic.result.v1", text="x" * 501))
    carol.end(task_id, data=result)


@pytest.mark.accepts("C14")
def test_in_a_batch_bad_data_concerns_its_own_event_only(carol, reader):
    """Of three events the middle one is refused, and the others are as if it had not been there."""
    events = [reader.progress_event(data=data(PROGRESS, pages=pages)) for pages in (1, -1)]
    events.append({**reader.event("STEP_COMPLETED", data=data(DONE, pages=9)), "eventId": fresh()})
    results = reader.api.post("/task-events:batch", {"events": events}).ok()["results"]
    assert [result["accepted"] for result in results] == [True, False, True]
    assert results[1]["error"]["code"] == "DATA_REJECTED"
    assert int(results[2]["taskVersion"]) == int(results[0]["taskVersion"]) + 1
