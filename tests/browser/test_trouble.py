"""Four kinds of trouble, each in its own words and on its own place of the page, with nothing opened for it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import AXE, findings
from tests.browser.pages import Board, account
from tests.browser.test_health import Reconciler
from tests.support.cast import step_body
from tests.support.reconciling import changed, silence, time_passes

REASONS = {
    "NO_PROGRESS": ("Not moving", "It is alive, but has not moved for a while."),
    "NOT_STARTED": ("Not started", "It was handed over, but has not begun yet."),
    "OVER_TIME": ("Overdue", "It takes longer than expected."),
    "OPTIONAL_STEP_FAILED": ("Partly failed", "A part that is not essential failed; the rest goes on."),
}
CHINESE = {
    "NO_PROGRESS": "没有进展",
    "NOT_STARTED": "尚未开始",
    "OVER_TIME": "超时",
    "OPTIONAL_STEP_FAILED": "部分失败",
}
UNCONFIRMED = re.compile(r"Not confirmed since .*\d\d:\d\d$")


@pytest.fixture
def worker(carol):
    """A worker that has said that it began."""
    worker = carol.worker(carol.task(step_body(), title="Long reading")["taskId"])
    worker.started()
    return worker


@pytest.fixture
def chinese(chromium, service):
    """Alice's board in Chinese."""
    account("alice")
    context = chromium.new_context(locale="zh-CN", viewport={"width": 1100, "height": 900})
    board = Board(context.new_page(), f"http://127.0.0.1:{service.port}")
    board.page.goto(f"{board.url}/login")
    board.page.locator("[name=username]").fill("alice")
    board.page.locator("[name=password]").fill("correct horse")
    board.page.locator("main [type=submit]").click()
    board.feed("LIVE")
    yield board
    context.close()
    assert board.errors == []


def symbol(element):
    return element.evaluate("one => (one.querySelector('use')).getAttribute('href')")


@pytest.mark.accepts("R02", "R07")
def test_silence_is_told_as_running_and_not_confirmed_since_when(board, worker):
    row, page = board.row("Long reading"), board.page
    expect(row).to_contain_text("Running")
    Reconciler(worker).says("STALE", "NO_HEARTBEAT")
    tag = row.locator(".tag:visible")
    expect(tag).to_have_text(UNCONFIRMED)
    expect(row.locator(".status")).to_have_text("Running")
    assert symbol(tag) == "#i-question"
    board.says(
        "polite: The task's state can't be confirmed right now. Long reading: It is still running as far as we know"
    )

    board.open("Long reading")
    head = page.locator(".task-head")
    expect(head.locator(".status")).to_have_text("Running")
    expect(head.locator(".tag:visible")).to_have_text(UNCONFIRMED)
    expect(page.locator(".message-title")).to_have_text(re.compile(r"^Running, not confirmed since .*\d\d:\d\d$"))
    for clock in (head.locator(".elapsed"), page.locator(".facts .elapsed"), board.step("s1").locator(".elapsed")):
        expect(clock).to_have_attribute("data-proven", "false")
        expect(clock).to_contain_text("what runs here is not heard of")
    assert "fail" not in page.locator("main").inner_text().lower()


@pytest.mark.accepts("R02")
def test_a_long_silence_is_read_out_at_once_looks_like_no_failure_and_ends_with_its_news(board, carol):
    worker = carol.worker(carol.task(step_body(staleEscalationSeconds=1000), title="Long reading")["taskId"])
    worker.started()
    row = board.row("Long reading")
    expect(row).to_be_visible()
    silence()
    assert changed() == 1
    board.says("polite: The task's state can't be confirmed right now")
    time_passes(1000)
    assert changed() == 1
    board.says("assertive: The task has not been heard of for a long time")
    toast = board.page.locator(".toast", has_text="for a long time")
    expect(toast).to_contain_text("still running as far as we know")
    expect(toast).to_have_attribute("data-tone", "warning")
    assert symbol(toast.locator("> .icon")) == "#i-question"
    expect(row.locator(".status")).to_have_text("Running")

    worker.progress()
    board.says("polite: The task is heard of again")
    expect(toast).to_have_count(0)
    expect(row.locator(".tag:visible")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_pages_full_of_trouble(board, carol, worker, scheme):
    if not AXE.exists():
        pytest.skip("axe-core is not installed: make setup-js")
    board.page.emulate_media(color_scheme=scheme)
    optional = carol.worker(carol.task(step_body(failurePolicy="CONTINUE_WITH_WARNING"), title="With extras")["taskId"])
    optional.started()
    optional.failed()
    Reconciler(worker).says("STALE", "NO_HEARTBEAT")
    expect(board.row("Long reading").locator(".tag:visible")).to_have_text(UNCONFIRMED)
    assert findings(board.page) == []
    board.open("Long reading")
    expect(board.step("s1").locator(".step-health")).to_be_visible()
    assert findings(board.page) == []


def test_every_reason_has_words_and_a_symbol_of_its_own_on_list_and_page(board, worker):
    page, reconciler = board.page, Reconciler(worker)
    row = board.row("Long reading")
    for reason, (name, _sentence) in REASONS.items():
        reconciler.says("DEGRADED", reason)
        expect(row.locator(".tag:visible")).to_have_text(name)
        expect(row.locator(".elapsed")).to_have_attribute("data-proven", "true")
    board.open("Long reading")
    for reason, (name, sentence) in REASONS.items():
        reconciler.says("DEGRADED", reason)
        expect(page.locator(".message-title")).to_have_text(sentence)
        expect(page.locator(".task-head .tag:visible")).to_have_text(name)
        expect(board.step("s1").locator(".step-health")).to_have_text(sentence)


def test_and_in_chinese_too(chinese, carol, worker):
    row, reconciler = chinese.row("Long reading"), Reconciler(worker)
    for reason, name in CHINESE.items():
        reconciler.says("DEGRADED", reason)
        expect(row.locator(".tag:visible")).to_have_text(name)
    reconciler.says("STALE", "NO_HEARTBEAT")
    expect(row.locator(".tag:visible")).to_have_text(re.compile(r"^自 .*\d\d:\d\d 起未确认$"))
    chinese.says("polite: 暂时无法确认任务状态. Long reading: 据我们所知仍在运行")
    assert "失败" not in row.inner_text()


def test_what_a_worker_wrote_is_read_in_a_chinese_toast_too(chinese, carol, worker):
    error = {"category": "INPUT", "code": "TORN", "retryable": False, "userMessage": "第 3 页破损"}
    expect(chinese.row("Long reading")).to_be_visible()
    worker.report("STEP_FAILED", error=error).accepted()
    expect(chinese.page.locator(".toast", has_text="步骤失败")).to_contain_text("第 3 页破损")


@pytest.mark.accepts("R02")
def test_a_failure_that_is_tried_again_is_a_warning_and_one_for_good_an_alarm(board, carol):
    task = carol.task(step_body(failurePolicy="RETRY_THEN_FAIL_TASK"), title="Two tries")["taskId"]
    row, asked = board.row("Two tries"), board.requests("/api/v1/tasks/tsk_")
    first = carol.worker(task)
    first.started()
    first.failed(retryable=True)
    expect(row).to_contain_text("Waiting for a retry")
    board.says("polite: A step failed and will be tried again. Two tries: OPS.RUN: It broke. Attempt 2 of 3 follows.")

    second = carol.worker(task)
    second.started()
    expect(row).to_contain_text("Running")
    second.failed()
    board.says("assertive: A step failed")
    carol.end(task, "TASK_FAILED")
    board.says("assertive: The task failed")
    expect(row).to_contain_text("Failed")
    assert asked == []


@pytest.mark.accepts("R02")
def test_an_optional_failure_is_called_one(board, carol):
    task = carol.task(step_body(failurePolicy="CONTINUE_WITH_WARNING"), step_body("s2"), title="With extras")["taskId"]
    optional, main = carol.worker(task), carol.worker(task, "s2")
    main.started()
    optional.failed()
    row = board.row("With extras")
    expect(row.locator(".tag:visible")).to_have_text("Partly failed")
    expect(row.locator(".status")).to_have_text("Running")
    board.says("polite: A part that is not essential failed")


@pytest.mark.accepts("R07")
def test_late_news_are_told_as_the_pages_trouble_and_never_as_a_tasks(board, service, worker):
    row, page = board.row("Long reading"), board.page
    expect(row).to_be_visible()
    board.open("Long reading")
    clocks = [
        page.locator(".task-head .elapsed"),
        page.locator(".facts .elapsed"),
        board.step("s1").locator(".elapsed"),
    ]
    expect(clocks[-1]).to_be_visible()
    with board.falling_silent():
        service.kill_everything()
    for clock in clocks:
        expect(clock).to_have_attribute("data-proven", "false")
        expect(clock).to_contain_text("live updates don't arrive")
    board.feed("STALE")
    expect(page.locator("#feed-banner")).to_contain_text("Live updates don't arrive at the moment.")
    expect(page.locator(".task-head .status")).to_have_text("Running")
    expect(page.locator(".task-head .tag:visible")).to_have_count(0)
    expect(page.locator(".message")).to_have_count(0)
    expect(page.locator(".toast")).to_have_count(0)
    service.start()
    board.feed("LIVE")
    for clock in clocks:
        expect(clock).to_have_attribute("data-proven", "true")


@pytest.mark.accepts("R07")
def test_the_tasks_pages_clocks_run_by_themselves_and_stop_at_the_end(board, carol, worker):
    board.open("Long reading")
    head, facts = board.page.locator(".task-head .elapsed"), board.page.locator(".facts .elapsed")
    expect(head).to_have_text(re.compile(r"^([3-9] s|\d\d s|.* min .*)$"))
    expect(facts).to_have_text(re.compile(r"\d s$"))
    worker.completed()
    carol.end(worker.context["taskId"], durationMs=2000)
    for clock in (head, facts):
        expect(clock).to_have_text("2 s")
    seen = board.evaluate("performance.now()")
    board.until(lambda: board.evaluate("performance.now()") > seen + 2500)
    for clock in (head, facts):
        expect(clock).to_have_text("2 s")
