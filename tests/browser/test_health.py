"""A worker that falls silent, or stands still, is seen on the list: nothing is opened for it, and nothing is hidden."""

import pytest
from playwright.sync_api import expect

from tests.support.api import fresh, service_api
from tests.support.cast import step_body


@pytest.fixture
def silent(carol):
    """A worker that has said that it began."""
    worker = carol.worker(carol.task(step_body(), title="Long reading")["taskId"])
    worker.started()
    return worker


class Reconciler:
    """Who finds out about silence."""

    def __init__(self, worker):
        self._execution, self._said = worker.context["executionId"], 0

    def says(self, health, reason=None):
        """Report the health of the worker's execution."""
        self._said += 1
        body = {"eventId": fresh(), "eventType": "STEP_HEALTH_CHANGED", "executionId": self._execution}
        body |= {"sourceSeq": self._said, "health": health, **({"healthReason": reason} if reason else {})}
        service_api("reconciler", "health").post("/task-events", body).accepted()


@pytest.mark.accepts("R02")
@pytest.mark.accepts("R07")
def test_a_silent_worker_shows_on_the_list_and_its_clock_is_no_longer_believed(board, silent):
    row, reconciler = board.row("Long reading"), Reconciler(silent)
    expect(row).to_contain_text("Running")
    clock, tag = row.locator(".elapsed"), row.get_by_text("Not confirmed")
    expect(clock).to_have_attribute("data-proven", "true")
    expect(tag).to_be_hidden()
    asked = board.requests("/api/v1/")

    reconciler.says("STALE", "NO_HEARTBEAT")
    expect(tag).to_be_visible()
    expect(row).to_contain_text("Running")
    expect(clock).to_have_attribute("data-proven", "false")
    expect(board.page.locator("#feed")).to_have_attribute("data-state", "LIVE")
    assert [request.url for request in asked if "/tasks/" in request.url] == []

    reconciler.says("HEALTHY")
    expect(tag).to_be_hidden()
    expect(clock).to_have_attribute("data-proven", "true")


@pytest.mark.accepts("R02")
def test_one_that_stands_still_shows_too_until_the_end(board, carol, silent):
    row = board.row("Long reading")
    Reconciler(silent).says("DEGRADED", "NO_PROGRESS")
    expect(row.get_by_text("Not moving")).to_be_visible()
    silent.completed()
    carol.end(silent.context["taskId"])
    expect(row).to_contain_text("Done")
    expect(row.get_by_text("Not moving")).to_be_hidden()


@pytest.mark.accepts("R07")
def test_the_tasks_page_says_which_step_is_silent(board, silent):
    board.open("Long reading")
    step, page = board.step("s1"), board.page
    clock = step.locator(".elapsed")
    expect(clock).to_have_attribute("data-proven", "true")
    Reconciler(silent).says("STALE", "NO_HEARTBEAT")
    expect(step.locator(".step-health")).to_be_visible()
    expect(clock).to_have_attribute("data-proven", "false")
    expect(page.locator(".task-head .status")).to_have_text("Running")
    silent.completed()
    expect(step).to_contain_text("Done")
    expect(step.locator(".step-health")).to_be_hidden()


@pytest.mark.accepts("R02")
def test_a_step_that_failed_shows_on_the_list_while_its_task_goes_on(board, carol):
    task = carol.task(step_body(), step_body("s2"), title="Two halves")["taskId"]
    first, second = carol.worker(task), carol.worker(task, "s2")
    first.started()
    second.started()
    asked = board.requests("/tasks/")
    first.failed()
    row = board.row("Two halves")
    expect(row).to_contain_text("It broke.")
    expect(row).to_contain_text("Running")
    expect(board.page.locator(".toast", has_text="A step failed")).to_be_visible()
    assert [request.url for request in asked if "/api/v1/tasks/tsk_" in request.url] == []
