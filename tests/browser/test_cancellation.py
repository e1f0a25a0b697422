"""Asking on a task's page that it be cancelled: for who may, while there is something to cancel."""

import json
import re

import pytest
from playwright.sync_api import expect

from taskstatus.models import AuditEntry, TaskEvent
from tests.browser.axe import AXE, findings
from tests.browser.pages import Board, account
from tests.support.api import fresh, user_api
from tests.support.beats import beat, results
from tests.support.cast import ALICE, BOB, step_body

ASKED = re.compile(r"^Cancelling was asked for \(.*\d.*\)$")

ASK_OUTRIGHT = """async (id) => {
  const { csrfToken } = JSON.parse(document.getElementById("page-settings").textContent);
  const headers = { "X-CSRFToken": csrfToken, "Content-Type": "application/json" };
  const answer = await fetch(`/api/v1/tasks/${id}:requestCancel`, { method: "POST", headers });
  return [answer.status, await answer.json()];
}"""


@pytest.fixture
def worker(board, carol):
    """The worker of a running task of Alice's, whose page is open."""
    worker = carol.running(title="Long reading")
    expect(board.row("Long reading")).to_contain_text("Running")
    board.open("Long reading")
    return worker


def button(board):
    return board.page.get_by_role("button", name="Cancel…")


def dialog(board):
    return board.page.get_by_role("dialog", name="Cancel this task?")


def asked_for(board):
    return board.page.locator("#content").get_by_text(ASKED)


def ask(board, reason=""):
    button(board).click()
    dialog(board).get_by_label("Reason").fill(reason)
    dialog(board).get_by_role("button", name="Ask to cancel").click()


@pytest.mark.accepts("H09")
def test_a_wish_reaches_the_worker_and_is_shown_until_the_end(board, carol, worker):
    task_id = worker.context["taskId"]
    watching = board.other_tab()
    ask(board, "Wrong file.")
    expect(dialog(board)).to_be_hidden()
    asked = asked_for(board)
    expect(asked).to_be_visible()
    expect(button(board)).to_be_hidden()
    expect(board.page.get_by_role("heading", name="Long reading", level=1)).to_be_focused()
    board.says("Cancelling was asked for")
    expect(watching.row("Long reading").get_by_text(ASKED)).to_be_visible()
    happened = board.page.get_by_role("region", name="What happened").locator("li").first
    expect(happened).to_contain_text("alice asked that the task be cancelled")
    expect(board.page.get_by_text("Wrong file.")).to_have_count(0)
    assert AuditEntry.objects.get(action="REQUEST_CANCEL").detail["reason"] == "Wrong file."
    (told,) = results(beat(worker))
    assert told["cancelRequested"] is True
    worker.report("STEP_CANCELLED").accepted()
    carol.end(task_id, "TASK_CANCELLED")
    expect(board.page.locator(".task-head .status")).to_have_text("Cancelled")
    expect(asked).to_be_hidden()
    expect(watching.row("Long reading").get_by_text(ASKED)).to_be_hidden()


def test_the_keyboard_alone_can_ask_and_can_think_better_of_it(board, worker):
    page = board.page
    button(board).focus()
    page.keyboard.press("Enter")
    expect(dialog(board).get_by_label("Reason")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog(board)).to_be_hidden()
    expect(button(board)).to_be_focused()
    assert TaskEvent.objects.filter(event_type="TASK_CANCEL_REQUESTED").count() == 0
    page.keyboard.press("Enter")
    for name in ("Don't cancel", "Ask to cancel"):
        page.keyboard.press("Tab")
        expect(dialog(board).get_by_role("button", name=name)).to_be_focused()
    page.keyboard.press("Enter")
    expect(asked_for(board)).to_be_visible()


def test_who_may_only_look_is_not_offered_it_and_who_may_operate_is(board, carol):
    for title, permission in (("To see", "VIEW"), ("To run", "OPERATE")):
        shared = [{"principalType": "USER", "principalId": ALICE, "permission": permission}]
        carol.workflow(
            {"clientTaskKey": fresh(), "title": title, "knownSteps": [step_body()], "sharedWith": shared}, ownerId=BOB
        )
    board.page.reload()
    board.open("To see")
    expect(board.step("s1")).to_be_visible()
    expect(button(board)).to_be_hidden()
    board.page.go_back()
    board.open("To run")
    ask(board)
    expect(asked_for(board)).to_be_visible()


def test_the_offer_outlives_pushes_and_ends_with_the_task(board, carol, worker):
    expect(button(board)).to_be_visible()
    worker.progress(3, 9)
    expect(board.step("s1")).to_contain_text("3 of 9 pages")
    expect(button(board)).to_be_visible()
    button(board).click()
    expect(dialog(board)).to_be_visible()
    carol.end(worker.context["taskId"])
    expect(dialog(board)).to_be_hidden()
    expect(button(board)).to_be_hidden()
    board.says("there is nothing left to cancel")
    expect(board.page.get_by_role("heading", name="Long reading", level=1)).to_be_focused()


def test_somebody_elses_wish_closes_the_question(board, carol, worker):
    task_id = worker.context["taskId"]
    carol.api.put(f"/tasks/{task_id}/grants/USER/{BOB}", {"permission": "OPERATE"}).ok()
    button(board).click()
    expect(dialog(board)).to_be_visible()
    user_api(BOB).post(f"/tasks/{task_id}:requestCancel").ok()
    expect(dialog(board)).to_be_hidden()
    expect(asked_for(board)).to_be_visible()
    expect(board.page.get_by_role("region", name="What happened")).to_contain_text("bob asked")


def test_a_new_attempt_can_be_cancelled_anew(board, carol, worker):
    task_id = worker.context["taskId"]
    ask(board)
    expect(button(board)).to_be_hidden()
    carol.end(task_id, "TASK_CANCELLED")
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"}).ok()
    expect(board.page.locator(".task-head")).to_contain_text("attempt 2")
    expect(asked_for(board)).to_be_hidden()
    ask(board)
    expect(asked_for(board)).to_be_visible()
    assert TaskEvent.objects.filter(event_type="TASK_CANCEL_REQUESTED").count() == 2


PROBLEMS = [
    (503, "DATABASE_BUSY", "The service could not take it right now."),
    (403, "PERMISSION_REQUIRED", "This page is too old to ask."),
    (401, "TOKEN_MISSING", "You are not logged in any more."),
    (400, "INVALID_FIELD", "The reason can't be taken as it is."),
]


@pytest.mark.parametrize(("status", "code", "words"), PROBLEMS, ids=[code for _, code, _ in PROBLEMS])
def test_a_refusal_is_told_in_words_and_the_reason_is_still_there(board, worker, status, code, words):
    problem = json.dumps({"code": code, "detail": "Internal words."})
    board.page.route(
        "**/*:requestCancel",
        lambda route: route.fulfill(status=status, body=problem, content_type="application/problem+json"),
    )
    ask(board, "Wrong file.")
    alert = dialog(board).get_by_role("alert")
    expect(alert).to_contain_text(words)
    expect(dialog(board).get_by_label("Reason")).to_have_value("Wrong file.")
    expect(board.page.get_by_text("Internal words.")).to_have_count(0)
    board.page.unroute_all()
    dialog(board).get_by_role("button", name="Ask to cancel").click()
    expect(asked_for(board)).to_be_visible()


def test_while_it_asks_it_says_so_and_asks_once(board, worker):
    held = []

    def hold(route):
        held.append(route)

    board.page.route("**/*:requestCancel", hold)
    ask(board)
    asking = dialog(board).get_by_role("button", name="Asking…")
    expect(asking).to_be_focused()
    asking.click(force=True)
    board.page.keyboard.press("Enter")
    board.until(lambda: held, "the request")
    assert len(held) == 1
    board.page.unroute_all()
    expect(asked_for(board)).to_be_visible()
    assert worker.context["taskId"] in held[0].request.url


def test_a_right_that_was_taken_away_meanwhile_is_told(board, carol):
    created = carol.workflow({"clientTaskKey": "t", "title": "Bob's own", "knownSteps": [step_body()]}, ownerId=BOB)
    grant = f"/tasks/{created['tasks'][0]['taskId']}/grants/USER/{ALICE}"
    carol.api.put(grant, {"permission": "OPERATE"}).ok()
    board.page.reload()
    board.open("Bob's own")
    expect(button(board)).to_be_visible()
    carol.api.put(grant, {"permission": "VIEW"}).ok()
    ask(board)
    expect(dialog(board).get_by_role("alert")).to_have_text("You may look at this task, but not cancel it.")
    dialog(board).get_by_role("button", name="Don't cancel").click()
    expect(button(board)).to_be_hidden()


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: make setup-js")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_question_stands_in_nobodys_way(board, worker, scheme):
    assert worker.context["taskId"]
    board.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    assert findings(board.page) == []
    button(board).click()
    expect(dialog(board)).to_be_visible()
    assert findings(board.page) == []
    dialog(board).get_by_role("button", name="Ask to cancel").click()
    expect(asked_for(board)).to_be_visible()
    assert findings(board.page) == []


def test_on_a_phone_in_chinese_nothing_is_cut_off(board, worker):
    page = board.page
    assert worker.context["taskId"]
    page.set_viewport_size({"width": 360, "height": 640})
    page.get_by_role("button", name="简体中文").click()
    page.get_by_role("button", name="取消任务…").click()
    question = page.get_by_role("dialog", name="取消此任务")
    expect(question).to_be_visible()
    overflow = "document.documentElement.scrollWidth > innerWidth"
    box = question.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert box["y"] + box["height"] <= 640
    assert board.evaluate(overflow) is False
    question.get_by_role("button", name="请求取消").click()
    expect(page.locator("#content").get_by_text(re.compile("^已请求取消.*\\d"))).to_be_visible()
    assert board.evaluate(overflow) is False
    page.get_by_role("link", name="全部任务").click()
    expect(board.row("Long reading").get_by_text(re.compile("^已请求取消.*\\d"))).to_be_visible()
    assert board.evaluate(overflow) is False


def test_on_a_phone_the_list_says_it_whole(board, worker):
    user_api(ALICE).post(f"/tasks/{worker.context['taskId']}:requestCancel").ok()
    board.page.set_viewport_size({"width": 360, "height": 640})
    board.page.go_back()
    tag = board.row("Long reading").get_by_text(ASKED)
    expect(tag).to_be_visible()
    whole, part = board.row("Long reading").locator(".row-meta").bounding_box(), tag.bounding_box()
    assert part["x"] + part["width"] <= whole["x"] + whole["width"]


def test_nobody_learns_of_a_task_by_asking(board, carol):
    account(BOB)
    tab = Board(board.page.context.browser.new_context(locale="en-GB").new_page(), board.url, board.errors)
    tab.log_in(BOB)
    task_id = carol.task()["taskId"]
    told = [tab.evaluate(ASK_OUTRIGHT, name) for name in (task_id, "tsk_none")]
    tab.page.context.close()
    assert told[0] == told[1]
    assert told[0][0] == 404
