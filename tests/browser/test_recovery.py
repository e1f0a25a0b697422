"""What the page claims and shows while the service is away, and how it comes back."""

import re
import time
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from taskstatus.models import Task
from taskstatus.services.raise_epoch import raise_epoch
from tests.support.cast import step_body, task_body


@pytest.mark.accepts("R08")
@pytest.mark.accepts("R14")
def test_a_server_that_restarts_takes_nothing_off_the_screen_and_what_was_missed_comes(board, carol, service):
    worker = carol.worker(carol.task(step_body(), title="Long reading")["taskId"])
    worker.started()
    row = board.row("Long reading")
    expect(row).to_contain_text("Running")
    asked = board.requests()

    with board.falling_silent():
        service.kill_everything()
    worker.progress(3, 4)
    carol.task(step_body(), title="Begun meanwhile")
    expect(row).to_be_visible()
    expect(row.locator(".elapsed")).to_have_attribute("data-proven", "false")

    service.start()
    board.feed("LIVE")
    expect(row).to_contain_text("3 of 4")
    expect(board.row("Begun meanwhile")).to_be_visible()
    expect(row.locator(".elapsed")).to_have_attribute("data-proven", "true")
    streams = [request for request in asked if request.url.endswith("task-stream")]
    assert streams[-1].headers["last-event-id"]
    assert not [request for request in asked if "/me/tasks" in request.url], "its history was enough"


@pytest.mark.accepts("R08")
def test_a_service_that_stays_away_is_said_to_be_unconfirmed_since_when(board, carol, service):
    carol.task(step_body(), title="Long reading")
    expect(board.row("Long reading")).to_be_visible()
    with board.falling_silent():
        service.kill_everything()
    board.feed("STALE")
    banner = board.page.locator("#feed-banner")
    expect(banner).to_contain_text(re.compile(r"confirmed last, at \d\d:\d\d:\d\d"))
    expect(board.row("Long reading")).to_be_visible()
    service.start()
    board.feed("LIVE")
    expect(banner).to_be_hidden()


@pytest.mark.accepts("R07")
def test_the_clock_runs_without_the_network_and_stops_at_the_end(board, carol):
    worker = carol.worker(carol.task(step_body(), title="Long reading")["taskId"])
    worker.started()
    clock = board.row("Long reading").locator(".elapsed")
    asked = board.requests()

    def goes_on_without_a_request():
        del asked[:]
        begin = shown_seconds(clock)
        board.until(lambda: asked or shown_seconds(clock) >= begin + 3)
        return not asked

    board.until(goes_on_without_a_request)  # once what the start led to has been asked for
    worker.completed()
    carol.end(worker.context["taskId"], durationMs=4000)
    expect(clock).to_have_text("4 s")
    board.page.wait_for_timeout(2500)
    expect(clock).to_have_text("4 s")


@pytest.mark.accepts("R03")
@pytest.mark.accepts("R06")
def test_reading_never_shows_an_older_state(board, carol):
    """Every answer of the detail is held back until newer states were pushed."""
    worker = carol.worker(carol.task(step_body(), title="Long reading")["taskId"])
    worker.started()
    held = []

    def hold(route):
        held.append(route)

    board.page.route(re.compile(r"/api/v1/tasks/tsk_[^/]+$"), hold)
    board.open("Long reading")
    board.until(lambda: held)
    answered = list(held)
    answers = [route.fetch() for route in answered]
    board.evaluate(
        """() => { window.seen = []; const look = () => { const head = document.querySelector(".task-head");
        if (head) window.seen.push(Number(head.dataset.version)); requestAnimationFrame(look); }; look(); }""",
    )
    worker.completed()
    carol.end(worker.context["taskId"])
    status = board.page.locator(".task-head .status")
    expect(status).to_have_text("Done")
    for route, answer in zip(answered, answers, strict=True):
        route.fulfill(response=answer)
    for route in held[len(answered) :]:
        route.continue_()
    board.page.unroute_all()
    expect(board.step("s1")).to_contain_text("Done")
    expect(status).to_have_text("Done")
    seen = board.evaluate("window.seen")
    assert seen == sorted(seen)


def test_a_page_left_for_a_minute_is_true_again_when_somebody_comes_back(board, carol):
    """Its scripts stand still, as those of a tab that the browser froze: no timer runs, and no stream is read."""
    worker = carol.worker(carol.task(step_body(), title="Long reading")["taskId"])
    worker.started()
    expect(board.row("Long reading")).to_contain_text("Running")
    board.feed("LIVE")
    board.evaluate(
        "() => { window.ticks = [performance.now()]; setInterval(() => window.ticks.push(performance.now()), 500); }"
    )
    scripts = board.page.context.new_cdp_session(board.page)
    scripts.send("Debugger.enable")
    scripts.send("Debugger.pause")
    worker.completed()
    carol.end(worker.context["taskId"])
    carol.task(step_body(), title="Begun meanwhile")
    time.sleep(60)
    scripts.send("Debugger.resume")
    scripts.send("Debugger.disable")
    expect(board.row("Long reading")).to_contain_text("Done")
    expect(board.row("Begun meanwhile")).to_be_visible()
    board.feed("LIVE")
    ticks = board.evaluate("window.ticks")
    assert max(after - before for before, after in pairwise(ticks)) > 50_000, "they never stood still"


def test_a_hidden_page_asks_for_nothing_and_is_true_again_when_somebody_looks(board, carol):
    worker = carol.worker(carol.task(step_body(), title="Long reading")["taskId"])
    worker.started()
    expect(board.row("Long reading")).to_contain_text("Running")
    hide(board, hidden=True)
    checks = board.requests("batchGet")
    worker.completed()
    carol.end(worker.context["taskId"])
    carol.task(step_body(), title="Begun meanwhile")
    board.page.wait_for_timeout(500)
    assert checks == []
    hide(board, hidden=False)
    expect(board.row("Long reading")).to_contain_text("Done")
    expect(board.row("Begun meanwhile")).to_be_visible()
    expect(board.page.locator("#feed")).to_have_attribute("data-state", "LIVE")
    assert len(checks) == 1


def test_two_tabs_see_the_same_and_each_keeps_its_own_detail(board, carol):
    tasks = carol.workflow(*[task_body(step_body(), title=title) for title in ("First", "Second")])["tasks"]
    workers = [carol.worker(task["taskId"]) for task in tasks]
    tab = board.other_tab()
    board.open("First")
    tab.open("Second")
    for worker in workers:
        worker.started()
        worker.progress(1, 2)
    for one in (board, tab):
        expect(one.step("s1")).to_contain_text("1 of 2")
    tab.page.get_by_role("link", name="All tasks").click()
    workers[0].completed()
    expect(tab.row("First")).to_contain_text("Running")
    expect(board.step("s1")).to_contain_text("Done")
    tab.page.close()
    carol.end(tasks[0]["taskId"])
    expect(board.page.locator(".task-head .status")).to_have_text("Done")


@pytest.mark.accepts("R19")
def test_after_a_restore_the_page_takes_the_lower_versions(board, carol, service):
    worker = carol.worker(carol.task(step_body(), title="Long reading")["taskId"])
    worker.started()
    row = board.row("Long reading")
    expect(row).to_have_attribute("data-version", "3")
    Task.objects.filter(pk=worker.context["taskId"]).update(version=1, title="Long reading, restored")
    raise_epoch()
    restored = board.row("Long reading, restored")
    expect(restored).to_have_attribute("data-version", "1")
    board.feed("LIVE")
    service.kill_everything()  # the next test begins in the first epoch again


def shown_seconds(clock):
    """What the clock shows, in seconds, once it shows any."""
    expect(clock).to_have_text(re.compile(r"\d"))
    *minutes, seconds = re.findall(r"[\d.]+", clock.inner_text())
    return sum(60 * int(number) for number in minutes) + float(seconds)


def hide(board, *, hidden):
    """Let the page believe that it is hidden, or seen again."""
    state = "hidden" if hidden else "visible"
    board.evaluate(
        """state => { Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange")); }""",
        state,
    )
