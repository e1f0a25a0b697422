"""The page of a task: its steps with progress and time, what went wrong, earlier attempts, and all that happened."""

import re

import pytest
from playwright.sync_api import expect

from taskstatus.models import TaskEvent
from tests.support.api import fresh
from tests.support.cast import error_body, step_body, task_body


@pytest.fixture
def task_id(carol):
    """A task of two steps that depend on each other."""
    steps = [step_body("s1", displayName="Read it"), step_body("s2", displayName="Keep it", dependsOn=["s1"])]
    return carol.task(*steps, title="Long reading")["taskId"]


def region(board, name):
    return board.page.get_by_role("region", name=name)


def test_steps_move_with_their_progress_and_time_and_say_what_they_wait_for(board, carol, task_id):
    expect(board.row("Long reading")).to_be_visible()
    board.open("Long reading")
    first, second = board.step("s1"), board.step("s2")
    expect(first).to_contain_text("Read it")
    expect(second).to_contain_text("after: Read it")
    worker = carol.worker(task_id)
    worker.started()
    worker.progress(3, 12, phaseLabel="Page by page")
    expect(first).to_contain_text("3 of 12 pages")
    expect(first).to_contain_text("Page by page")
    expect(first).to_contain_text("worker-a")
    expect(first.locator(".elapsed")).to_have_text(re.compile(r"^\d+ s$"))
    worker.completed(durationMs=65_000)
    expect(first).to_contain_text("Done")
    expect(first.locator(".elapsed")).to_have_text("1 min 05 s")
    carol.end(task_id, durationMs=3_723_000)
    expect(board.page.locator(".task-head .elapsed")).to_have_text("1 h 02 min")


def test_a_failure_is_told_with_its_code_and_stays_readable_after_the_next_attempt(board, carol, task_id):
    expect(board.row("Long reading")).to_be_visible()
    board.open("Long reading")
    worker = carol.worker(task_id)
    worker.started()
    worker.failed(retryable=True, code="DISK_FULL")
    first = board.step("s1")
    expect(first.locator(".step-error")).to_contain_text("It broke.")
    expect(first.locator(".step-error code")).to_have_text("DISK_FULL")
    expect(region(board, "Earlier attempts")).to_be_hidden()
    again = carol.worker(task_id)
    again.started()
    expect(first).to_contain_text("attempt 2")
    expect(first.locator(".step-error")).to_be_hidden()
    earlier = region(board, "Earlier attempts")
    expect(earlier.locator(".attempt")).to_have_count(1)
    expect(earlier).to_contain_text("DISK_FULL")
    again.completed()
    expect(first).to_contain_text("Done")
    expect(earlier).to_contain_text("It broke.")


def test_a_task_that_is_tried_anew_shows_both_runs(board, carol, task_id):
    expect(board.row("Long reading")).to_be_visible()
    board.open("Long reading")
    worker = carol.worker(task_id)
    worker.started()
    worker.failed(code="DISK_FULL")
    carol.end(task_id, "TASK_FAILED", error=error_body(code="DISK_FULL"))
    head = board.page.locator(".task-head")
    expect(head.locator(".status")).to_have_text("Failed")
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"}).ok()
    expect(head).to_contain_text("attempt 2")
    expect(head.locator(".status")).to_have_text("Waiting")
    expect(region(board, "Earlier attempts")).to_contain_text("DISK_FULL")


def test_what_happened_is_told_newest_first_and_grows_by_what_is_pushed(board, carol, task_id):
    expect(board.row("Long reading")).to_be_visible()
    board.open("Long reading")
    happened = region(board, "What happened").locator("li")
    expect(happened).to_have_count(1)
    asked = board.requests("/events")
    worker = carol.worker(task_id)
    worker.started()
    worker.completed()
    carol.end(task_id)
    expect(happened).to_have_count(5)
    expect(happened.last).to_contain_text("The task was created")
    expect(happened.first).to_contain_text("done")
    assert asked == []


def test_what_came_before_is_shown_on_request_and_asked_for_again_where_that_fails(board, carol):
    steps = [f"s{number}" for number in range(40)]
    task_id = carol.task(*map(step_body, steps), title="Long reading")["taskId"]
    for step in steps:
        worker = carol.worker(task_id, step)
        worker.started()
        worker.completed()
    expect(board.row("Long reading")).to_contain_text("Running")
    board.open("Long reading")
    happened = region(board, "What happened")
    earlier = happened.get_by_role("button", name="Show what came before")
    expect(happened.locator("li")).to_have_count(100)

    board.page.route("**/events*", lambda route: route.fulfill(status=503))
    earlier.click()
    expect(happened.get_by_role("alert")).to_have_text("This could not be loaded")
    expect(earlier).to_be_focused()

    board.page.unroute_all()
    earlier.press("Enter")
    expect(happened.locator("li").last).to_contain_text("The task was created")
    expect(earlier).to_be_hidden()


def test_what_is_no_longer_kept_is_said(board, carol, task_id):
    worker = carol.worker(task_id)
    worker.started()
    worker.completed()
    TaskEvent.objects.filter(task_id=task_id, task_version__lte=2).delete()
    expect(board.row("Long reading")).to_contain_text("Running")
    board.open("Long reading")
    happened = region(board, "What happened")
    expect(happened.locator("li")).to_have_count(2)
    expect(happened.get_by_text("no longer kept")).to_be_visible()


def test_a_task_that_is_not_there_and_one_of_somebody_else_look_alike(board, carol):
    others = carol.workflow({"clientTaskKey": "t", "title": "Bob's own"}, ownerId="bob")["tasks"][0]["taskId"]
    for task in (others, "tsk_none"):
        board.page.goto(f"{board.url}/tasks/{task}")
        expect(board.page.get_by_role("heading", name="There is no such task")).to_be_visible()
        expect(board.page.get_by_text("Bob's own")).to_have_count(0)


def test_while_nothing_has_come_yet_the_page_says_that_it_loads(board, carol, task_id):
    held = []

    def hold(route):
        held.append(route)

    board.page.route("**/api/v1/tasks/tsk_*", hold)
    board.page.route("**/api/v1/me/tasks*", hold)
    board.page.goto(f"{board.url}/tasks/{task_id}")
    expect(board.page.get_by_role("list", name="Loading")).to_be_visible()
    board.page.unroute_all()  # lets those go on that are held
    expect(board.page.get_by_role("heading", name="Long reading", level=1)).to_be_visible()


def test_how_the_other_tasks_of_the_workflow_do_is_told_as_they_move(board, carol):
    created = carol.workflow(*[task_body(step_body(), title=f"Paper {number}") for number in range(3)], title="Papers")
    board.open("Paper 0")
    strip = region(board, "Belongs to")
    expect(strip).to_contain_text("Papers")
    expect(strip).to_contain_text("0 of 3 tasks done")
    for task in created["tasks"][1:]:
        carol.end(task["taskId"])
    expect(strip).to_contain_text("2 of 3 tasks done")
