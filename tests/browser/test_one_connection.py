"""One connection carries it all: many tasks, and details that come and go beside them (R11, R12)."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.pages import sockets_of
from tests.support.cast import ALICE, step_body, task_body

TOKEN = """async (taskIds) => {
    const { csrfToken } = JSON.parse(document.getElementById("page-settings").textContent);
    const headers = { "Content-Type": "application/json", "X-CSRFToken": csrfToken };
    const statuses = [];
    for (const taskId of taskIds) {
        const options = { method: "POST", headers, body: JSON.stringify({ taskId }) };
        statuses.push((await fetch("/api/v1/realtime/subscription-token", options)).status);
    }
    return statuses;
}"""


class Wiretap:
    """What goes over the page's WebSockets, both ways."""

    def __init__(self, board):
        self.sent, self.received = [], []
        self.sockets = sockets_of(board)
        board.page.on("websocket", self._listen)

    def _listen(self, socket):
        socket.on("framesent", lambda frame: self.sent.extend(lines(frame)))
        socket.on("framereceived", lambda frame: self.received.extend(lines(frame)))

    def commands(self, name):
        """The channels of the commands of this name that the page has sent."""
        return [line[name]["channel"] for line in self.sent if name in line]

    def published(self):
        """The messages that came, in order."""
        pushes = (line["push"] for line in self.received if "push" in line)
        return [push["pub"]["data"] for push in pushes if "pub" in push]


def lines(frame):
    """The commands or replies of a frame."""
    text = frame if isinstance(frame, str) else frame.decode()
    return [json.loads(line) for line in text.splitlines() if line]


@pytest.mark.accepts("R12")
def test_tasks_of_several_workflows_arrive_interleaved_on_one_socket(page, centrifugo, carol):
    wire = Wiretap(page)
    page.log_in(ALICE)
    titles = [f"Paper {number}" for number in range(6)]
    created = [carol.workflow(*[task_body(step_body(), title=title) for title in titles[n::2]]) for n in range(2)]
    pairs = zip(created[0]["tasks"], created[1]["tasks"], strict=True)
    workers = [carol.worker(task["taskId"]) for pair in pairs for task in pair]
    for worker in workers:
        worker.started()
    for title in titles:
        expect(page.row(title)).to_contain_text("Running")
    order = [body["workflowId"] for body in wire.published() if body["kind"] == "task.summary"]
    turns = [one for one, before in zip(order, [None, *order], strict=False) if one != before]
    assert len(turns) > 4
    assert set(turns) == {workflow["workflowId"] for workflow in created}
    assert (len(wire.sockets), wire.commands("subscribe")) == (1, [])


@pytest.mark.accepts("R11")
def test_opening_and_closing_details_touches_their_own_channel_alone(page, centrifugo, carol):
    wire = Wiretap(page)
    page.log_in(ALICE)
    created = carol.workflow(*[task_body(step_body(), title=f"Paper {number}") for number in range(3)])
    tasks = [task["taskId"] for task in created["tasks"]]
    details = [f"task_detail:acme/{task}" for task in tasks]
    for number, task in enumerate(tasks):
        page.open(f"Paper {number}")
        page.until(lambda opened=details[: number + 1]: wire.commands("subscribe") == opened)
        worker = carol.worker(task)
        worker.started()
        expect(page.step("s1")).to_contain_text("Running")
        page.page.go_back()
        page.until(lambda left=details[: number + 1]: wire.commands("unsubscribe") == left)
        expect(page.row(f"Paper {number}")).to_contain_text("Running")
    assert wire.commands("subscribe") == details
    assert wire.commands("unsubscribe") == details
    assert len(wire.sockets) == 1
    asked = page.requests("/me/tasks")
    carol.task(step_body(), title="Begun later")
    expect(page.row("Begun later")).to_be_visible()
    assert asked == []


@pytest.mark.accepts("R11")
def test_over_the_limit_the_server_says_no_and_everything_else_goes_on(page, centrifugo, carol):
    wire = Wiretap(page)
    page.log_in(ALICE)
    others = carol.workflow(*[task_body(title=f"Other {number}") for number in range(21)])["tasks"]
    statuses = page.evaluate(TOKEN, [task["taskId"] for task in others])
    assert statuses == [200] * 20 + [429]

    worker = carol.worker(carol.task(step_body(), title="One too many")["taskId"])
    with page.page.expect_response("**/realtime/subscription-token") as refused:
        page.open("One too many")
    assert refused.value.status == 429
    worker.started()
    expect(page.step("s1")).to_contain_text("Running")
    worker.progress(1, 2)
    expect(page.step("s1")).to_contain_text("1 of 2")
    page.page.go_back()
    carol.task(step_body(), title="Begun later")
    expect(page.row("Begun later")).to_be_visible()
    assert (len(wire.sockets), wire.commands("subscribe")) == (1, [])


@pytest.mark.accepts("R11")
@pytest.mark.accepts("R12")
def test_on_the_native_stream_details_come_and_go_without_another_connection(board, carol):
    streams, sets = board.requests("task-stream"), board.requests("task-watch-set")
    created = carol.workflow(*[task_body(step_body(), title=f"Paper {number}") for number in range(3)])
    tasks = [task["taskId"] for task in created["tasks"]]
    for number, task in enumerate(tasks):
        board.open(f"Paper {number}")
        board.until(lambda task=task: task in watched(sets))
        worker = carol.worker(task)
        worker.started()
        expect(board.step("s1")).to_contain_text("Running")
        board.page.go_back()
        expect(board.row(f"Paper {number}")).to_contain_text("Running")
    carol.task(step_body(), title="Begun later")
    expect(board.row("Begun later")).to_be_visible()
    assert streams == []
    assert watched(sets) == set(tasks)


def watched(requests):
    """The tasks that these requests ask to watch."""
    return {task for request in requests if request.method == "PUT" for task in request.post_data_json["taskIds"]}
