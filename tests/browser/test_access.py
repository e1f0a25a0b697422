"""The pages for people who use a keyboard, a screen reader, strong contrast, a phone, or another language."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import AXE, findings
from tests.browser.pages import Board
from tests.support.cast import step_body
from tests.support.definitions import define, operation, status, status_set


@pytest.fixture
def busy(board, carol):
    """A board with a task of each kind, and one with trouble."""
    failing = carol.running(title="Failing")
    failing.failed()
    carol.end(failing.context["taskId"], "TASK_FAILED")
    waiting = carol.worker(
        carol.task(step_body(failurePolicy="WAIT_FOR_USER"), step_body("s2"), title="Needy")["taskId"]
    )
    waiting.started()
    waiting.failed(requiresAction=True, actions=["REVIEW"])
    carol.running(title="Moving").progress(1, 3)
    carol.task(step_body(), title="Waiting")
    expect(board.row("Waiting")).to_be_visible()
    return board


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: make setup-js")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_the_way_of_anybody(busy, scheme):
    page = busy.page
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    assert findings(page) == []
    busy.open("Needy")
    expect(busy.step("s1")).to_be_visible()
    assert findings(page) == []
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    assert findings(page) == []


def test_the_keyboard_alone_is_enough_and_the_way_back_ends_where_it_began(busy):
    page = busy.page
    page.locator("body").press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    link = page.get_by_role("link", name="Moving", exact=True)
    for _ in range(20):
        if link.evaluate("link => link === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Moving", level=1)).to_be_focused()
    page.go_back()
    expect(link).to_be_focused()


def test_focus_stays_on_a_row_that_moves(busy, carol):
    link = busy.page.get_by_role("link", name="Waiting", exact=True)
    link.focus()
    for number in range(3):
        carol.task(step_body(), title=f"Newer {number}")
    expect(busy.row("Newer 2")).to_be_visible()
    expect(link).to_be_focused()


def test_news_are_read_out_and_progress_is_not(busy, carol):
    worker = carol.worker(carol.task(step_body(), title="Talkative")["taskId"])
    busy.says("1 new task")
    worker.started()
    worker.progress(1, 2)
    expect(busy.row("Talkative")).to_contain_text("1 of 2")
    assert "1 of 2" not in " ".join(busy.said())
    worker.failed()
    carol.end(worker.context["taskId"], "TASK_FAILED")
    busy.says("The task failed")


def test_on_a_phone_nothing_is_cut_off(busy):
    page = busy.page
    page.set_viewport_size({"width": 360, "height": 740})
    overflow = "document.documentElement.scrollWidth > innerWidth"
    assert busy.evaluate(overflow) is False
    busy.open("Needy")
    expect(busy.step("s1")).to_be_visible()
    assert busy.evaluate(overflow) is False


def test_a_reader_of_chinese_reads_chinese_in_answers_and_in_pushes(board, carol):
    names = [status("QUEUED", "PENDING", "TASK", initial=True, displayName={"en": "Queued", "zh-Hans": "排队中"})]
    names.append(status("PARSING", allowedFrom=["QUEUED"], displayName={"en": "Parsing", "zh-Hans": "解析中"}))
    names.append(
        status("DONE", "SUCCEEDED", "TASK", allowedFrom=["*"], displayName={"en": "Done", "zh-Hans": "可以阅读"})
    )
    define(sets=[status_set(*names)], operations=[operation(displayName={"en": "Parse", "zh-Hans": "解析文档"})])
    board.page.get_by_role("button", name="简体中文").click()
    board.feed("LIVE")
    worker = carol.worker(carol.task(step_body(), title="Contract", taskType="PAPER")["taskId"])
    row = board.row("Contract")
    expect(row).to_contain_text("排队中")
    worker.started(businessStatus="PARSING")
    expect(row).to_contain_text("解析中")
    expect(row).to_contain_text("解析文档")
    carol.end(worker.context["taskId"], businessStatus="DONE")
    expect(row).to_contain_text("可以阅读")


def test_another_language_is_read_where_the_reader_is(busy):
    busy.open("Needy")
    busy.page.get_by_role("button", name="简体中文").click()
    expect(busy.page.get_by_role("heading", name="Needy", level=1)).to_be_visible()
    expect(busy.page.get_by_role("button", name="English")).to_be_visible()


def test_a_login_that_ends_is_said_and_the_list_stays(busy: Board):
    page = busy.page
    page.context.clear_cookies()
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.get_by_role("link", name="Log in again")).to_be_visible()
    expect(busy.row("Waiting")).to_be_visible()
