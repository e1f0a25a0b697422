"""What a page missed is brought by Centrifugo's history, or, where that can't be, by a snapshot (R05)."""

import pytest
import requests
from playwright.sync_api import expect

from outbox.models import OutboxMessage
from tests.support.cast import ALICE, step_body, task_body
from tests.support.waiting import eventually

KEPT = 300


class Line:
    """The page's way to Centrifugo, to be cut and mended; there is no way around it."""

    def __init__(self, board):
        self._is_cut, self._sockets = False, []
        board.page.route_web_socket("**/connection/websocket", self._connect)
        board.page.route("**/me/task-stream", lambda route: route.abort())

    def cut(self):
        """Nothing gets through."""
        self._is_cut = True
        for socket in self._sockets:
            socket.close()
        self._sockets = []

    def mend(self):
        """The next connection gets through."""
        self._is_cut = False

    def _connect(self, socket):
        if self._is_cut:
            socket.close()
            return
        socket.connect_to_server()
        self._sockets.append(socket)


@pytest.fixture
def line(page, centrifugo):
    """The line of a board that is open and live."""
    line = Line(page)
    page.log_in(ALICE)
    return line


@pytest.fixture
def worker(carol, page, line):
    """A worker whose task is on the board."""
    worker = carol.worker(carol.task(step_body(), title="Long reading")["taskId"])
    worker.started()
    expect(page.row("Long reading")).to_contain_text("Running")
    return worker


def all_is_published():
    """Wait until the relay has nothing more to do."""
    waiting = OutboxMessage.objects.filter(status__in=["PENDING", "PROCESSING"])
    eventually(lambda: not waiting.exists(), what="the last message")


def forget(centrifugo, channel):
    """Let Centrifugo lose the history of a channel."""
    settings = centrifugo.settings
    answer = requests.post(
        f"{settings['CENTRIFUGO_API_URL']}/history_remove",
        json={"channel": channel},
        headers={"X-API-Key": settings["CENTRIFUGO_API_KEY"]},
        timeout=5,
    )
    assert answer.json().get("error") is None


def ends_meanwhile(page, line, carol, worker):
    """While the line is cut the task ends and another begins; the page still shows what it had."""
    with page.falling_silent():
        line.cut()
    worker.completed()
    carol.end(worker.context["taskId"])
    carol.task(step_body(), title="Begun meanwhile")
    all_is_published()
    expect(page.row("Long reading")).to_contain_text("Running")


def is_true_again(page):
    """The page shows what has happened, and says that it is live."""
    expect(page.row("Long reading")).to_contain_text("Done")
    expect(page.row("Begun meanwhile")).to_be_visible()
    page.feed("LIVE")


def test_a_history_that_is_there_needs_no_snapshot(page, line, carol, worker):
    snapshots = page.requests("/me/tasks")
    ends_meanwhile(page, line, carol, worker)
    line.mend()
    is_true_again(page)
    assert snapshots == []


@pytest.mark.accepts("R05")
def test_a_lost_history_leads_to_a_snapshot(page, line, carol, worker, centrifugo):
    snapshots = page.requests("/me/tasks")
    ends_meanwhile(page, line, carol, worker)
    forget(centrifugo, f"task_user:acme/{ALICE}")
    line.mend()
    is_true_again(page)
    assert snapshots


@pytest.mark.accepts("R05")
def test_more_than_is_kept_leads_to_a_snapshot(page, line, carol, worker):
    snapshots = page.requests("/me/tasks")
    with page.falling_silent():
        line.cut()
    worker.completed()
    carol.end(worker.context["taskId"])
    for part in range(4):
        carol.workflow(*[task_body(title=f"Paper {part}.{number}") for number in range(KEPT // 4 + 1)])
    all_is_published()
    line.mend()
    page.feed("LIVE")
    expect(page.row("Long reading")).to_contain_text("Done")
    expect(page.row("Paper 3.75")).to_be_visible()
    assert snapshots


@pytest.mark.accepts("R05")
def test_a_detail_whose_newest_state_was_lost_is_read(page, line, carol, worker, centrifugo):
    page.open("Long reading")
    expect(page.step("s1")).to_contain_text("Running")
    with page.falling_silent():
        line.cut()
    worker.progress(2, 3)
    all_is_published()
    forget(centrifugo, f"task_detail:acme/{worker.context['taskId']}")
    line.mend()
    expect(page.step("s1")).to_contain_text("2 of 3")
    page.feed("LIVE")
    worker.completed()
    expect(page.step("s1")).to_contain_text("Done")


@pytest.mark.accepts("R05")
def test_a_restarted_centrifugo_leaves_no_old_state_on_a_tasks_page(page, carol, centrifugo):
    page.log_in(ALICE)
    worker = carol.worker(carol.task(step_body(), title="Long reading")["taskId"])
    worker.started()
    page.open("Long reading")
    expect(page.step("s1")).to_contain_text("Running")
    read = page.requests(f"/tasks/{worker.context['taskId']}")
    with page.falling_silent():
        centrifugo.kill()
    worker.completed()
    carol.end(worker.context["taskId"])
    centrifugo.start()
    page.feed("LIVE")
    expect(page.step("s1")).to_contain_text("Done")
    expect(page.page.locator(".task-head .status")).to_have_text("Done")
    assert read
    assert page.rows() == []
