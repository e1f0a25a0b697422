"""Each projection has the members of protocol 6: always all, and no other; versions and times in one spelling."""

import re

import pytest

from registries.resolver import forget
from tests.support.cast import coordinator, error_body, step_body
from tests.support.definitions import define, operation
from tests.support.projected import members, messages, notices
from tests.support.whitelists import (
    COMMON,
    ERROR,
    NOTICE,
    STEP_VIEW,
    TASK_DETAIL,
    TASK_SUMMARY,
    TIMELINE_EVENT,
    WORKFLOW_SUMMARY,
)

pytestmark = pytest.mark.django_db


# Members that hold a version of an aggregate or an epoch; versions of definitions and schemas are numbers.
VERSIONS = {"version", "taskVersion", "stepVersion", "workflowVersion", "epoch"}
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.fixture
def story():
    """A task with a step that ran and failed, its data kept, and one that was never begun; then the task fails."""
    define(
        operations=[operation(allowedDataSchemas={"STEP_PROGRESS": ["generic.progress.v1"]}, failurePolicy="FAIL_TASK")]
    )
    carol = coordinator()
    task = carol.task(step_body("s1"), step_body("s2", dependsOn=["s1"]), productId="p", batchId="b")
    worker = carol.worker(task["taskId"])
    worker.started(occurredAt="2026-09-21T07:10:18Z")
    worker.progress(phaseCode="OCR", data={"schema": "generic.progress.v1", "value": {"page": 3}})
    worker.failed(durationMs=5)
    carol.end(task["taskId"], "TASK_FAILED", failedStepId="s1", error=error_body())
    yield carol, task
    forget()


def test_a_summary_lists_its_members(story):
    _, task = story
    for message in messages("task.summary", task["taskId"]):
        assert set(message) - {"notice"} == COMMON | {"taskId", "taskVersion", "task"}
        assert set(message["task"]) == TASK_SUMMARY
        assert set(message["task"]["statusDisplay"]) == {"name", "severity", "colorToken", "iconKey"}


def test_the_parts_of_a_summary_list_theirs(story):
    _, task = story
    running = messages("task.summary", task["taskId"])[3]["task"]
    assert set(running["currentStep"]) == {"stepId", "operationCode", "displayName", "serviceName"}
    assert set(running["progress"]) == {"current", "total", "unit"}
    assert set(running["summaryData"]) == {"schema", "value"}
    failed = messages("task.summary", task["taskId"])[-1]["task"]
    assert set(failed["failure"]) == {"code", "message", "failedStepId"}


def test_a_detail_lists_its_members_in_the_message_and_in_the_answer(story):
    carol, task = story
    details = [message["state"] for message in messages("task.detail", task["taskId"])]
    for detail in [*details, carol.detail(task["taskId"])]:
        assert set(detail) == TASK_DETAIL
        assert [set(step) for step in detail["steps"]] == [STEP_VIEW, STEP_VIEW]
    assert set(details[-1]["steps"][0]["error"]) == ERROR
    assert set(details[-1]["steps"][0]["data"]) == {"schema", "value"}


def test_a_detail_message_brings_the_event_that_caused_it(story):
    _, task = story
    for message in messages("task.detail", task["taskId"]):
        assert set(message) == COMMON | {"taskId", "taskVersion", "triggerEvent", "state", "truncated"}
        event = message["triggerEvent"]
        assert set(event) == TIMELINE_EVENT
        assert (event["taskVersion"], message["state"]["version"]) == (message["taskVersion"],) * 2
    failed = messages("task.detail", task["taskId"])[-2]["triggerEvent"]
    assert set(failed["error"]) == ERROR


def test_each_version_is_one_message_of_each_kind(story):
    _, task = story
    versions = [str(number) for number in range(1, 7)]
    for kind in ("task.summary", "task.detail"):
        assert [message["taskVersion"] for message in messages(kind, task["taskId"])] == versions


def test_a_notice_lists_its_members(story):
    _, task = story
    assert [set(notice) for notice in notices(task["taskId"])] == [NOTICE, NOTICE]


def test_a_workflow_lists_its_members_in_the_message_and_in_the_answer(story):
    carol, task = story
    carol.api.post(f"/workflows/{task['workflowId']}/events", {"eventId": "evt-s", "eventType": "WORKFLOW_SEALED"}).ok()
    sent = messages("workflow.summary", task["workflowId"])
    assert [set(message) for message in sent] == [COMMON | {"workflowVersion", "workflow"}] * 4
    for summary in (*(m["workflow"] for m in sent), carol.api.get(f"/workflows/{task['workflowId']}").ok()):
        assert set(summary) == WORKFLOW_SUMMARY
        assert set(summary["counts"]) == {"lifecycleStatus", "health"}
        assert set(summary["counts"]["lifecycleStatus"]) == {"PENDING", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"}
        assert set(summary["counts"]["health"]) == {"HEALTHY", "DEGRADED", "STALE"}


def test_versions_are_decimal_strings_and_times_are_utc_with_milliseconds(story):
    carol, task = story
    workflow = carol.api.get(f"/workflows/{task['workflowId']}").ok()
    everything = [
        carol.detail(task["taskId"]),
        workflow,
        *messages("task.summary", task["taskId"]),
        *messages("task.detail", task["taskId"]),
        *messages("workflow.summary", task["workflowId"]),
    ]
    seen = set()
    for name, value in members(everything):
        if value is None:
            continue
        if name in VERSIONS:
            assert re.fullmatch(r"[1-9]\d*", value), (name, value)
            seen.add(name)
        if name.endswith(("At", "Since")) or name == "asOf":
            assert TIME.fullmatch(value), (name, value)
            seen.add(name)
    assert seen > VERSIONS
    assert seen > {"createdAt", "startedAt", "finishedAt", "occurredAt", "committedAt", "progressUpdatedAt"}
