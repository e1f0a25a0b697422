"""The board over a real Centrifugo: refused, killed, started again, and never showing an older state."""

import pytest
from playwright.sync_api import expect

from tests.browser.centrifugo import realtime_service
from tests.browser.pages import Board, account
from tests.support.cast import ALICE, step_body


@pytest.fixture(scope="module")
def everything(chromium, django_db_setup, tmp_path_factory):
    """The service, its relay and Centrifugo."""
    with realtime_service(tmp_path_factory.mktemp("realtime")) as parts:
        yield parts


@pytest.fixture
def centrifugo(everything):
    """The running Centrifugo; a test may have left it dead."""
    _service, centrifugo = everything
    if not centrifugo.answers():
        centrifugo.start()
    return centrifugo


@pytest.fixture
def page(chromium, transactional_db, everything):
    """A browser page of Alice's that has not been opened yet."""
    account(ALICE)
    context = chromium.new_context(locale="en-GB")
    context.set_default_timeout(10_000)
    board = Board(context.new_page(), f"http://127.0.0.1:{everything[0].port}")
    yield board
    context.close()
    assert board.errors == []


def sockets_of(board):
    opened = []

    def hear(socket):
        opened.append(socket)

    board.page.on("websocket", hear)
    return opened


@pytest.mark.accepts("R01")
@pytest.mark.accepts("R11")
def test_tasks_appear_and_details_come_and_go_on_one_socket(page, centrifugo, carol):
    sockets, requests = sockets_of(page), page.requests("/api/v1/")
    page.log_in(ALICE)
    worker = carol.worker(carol.task(step_body(), title="Long reading")["taskId"])
    worker.started()
    expect(page.row("Long reading")).to_contain_text("Running")
    page.open("Long reading")
    expect(page.step("s1")).to_contain_text("Running")
    del requests[:]
    worker.progress(1, 2)
    expect(page.step("s1")).to_contain_text("1 of 2")
    assert not [request for request in requests if request.method == "GET" and "/tasks/" in request.url], (
        "it was pushed"
    )
    page.page.go_back()
    carol.task(step_body(), title="Begun later")
    expect(page.row("Begun later")).to_be_visible()
    ended = [request.method for request in requests if "/realtime/subscriptions/" in request.url]
    assert (len(sockets), ended) == (1, ["DELETE"])
    assert not [request for request in requests if "task-stream" in request.url]


@pytest.mark.accepts("R10")
def test_where_websockets_are_refused_the_page_goes_on_over_http(page, centrifugo, carol):
    page.page.route_web_socket("**/connection/websocket", lambda socket: socket.close(code=1011))
    streams = page.requests("/connection/http_stream")
    page.log_in(ALICE)
    worker = carol.worker(carol.task(step_body(), title="Long reading")["taskId"])
    worker.started()
    expect(page.row("Long reading")).to_contain_text("Running")
    page.open("Long reading")
    worker.progress(1, 2)
    expect(page.step("s1")).to_contain_text("1 of 2")
    assert streams


@pytest.mark.accepts("R05")
def test_a_restart_that_loses_the_history_leads_to_a_snapshot(page, centrifugo, carol):
    page.log_in(ALICE)
    worker = carol.worker(carol.task(step_body(), title="Long reading")["taskId"])
    worker.started()
    expect(page.row("Long reading")).to_contain_text("Running")
    snapshots = page.requests("/me/tasks")
    centrifugo.kill()
    page.feed("RECOVERING")
    worker.completed()
    carol.end(worker.context["taskId"])
    centrifugo.start()
    page.feed("LIVE")
    expect(page.row("Long reading")).to_contain_text("Done")
    assert snapshots


@pytest.mark.accepts("R10")
@pytest.mark.accepts("R08")
def test_without_centrifugo_the_native_stream_steps_in_and_steps_back(page, centrifugo, carol):
    page.log_in(ALICE)
    worker = carol.worker(carol.task(step_body(), title="Long reading")["taskId"])
    worker.started()
    expect(page.row("Long reading")).to_contain_text("Running")
    streams = page.requests("task-stream")
    centrifugo.kill()
    page.feed("RECOVERING")
    expect(page.row("Long reading")).to_be_visible()
    page.feed("LIVE", seconds=30)
    assert streams
    carol.task(step_body(), title="Begun without Centrifugo")
    expect(page.row("Begun without Centrifugo")).to_be_visible()

    sockets = sockets_of(page)
    centrifugo.start()
    page.page.wait_for_timeout(100)
    for _ in range(300):
        if sockets and streams[-1].failure:
            break
        page.page.wait_for_timeout(100)
    assert streams[-1].failure, "the native stream was closed"
    carol.task(step_body(), title="Begun with it again")
    expect(page.row("Begun with it again")).to_be_visible(timeout=30_000)
    page.feed("LIVE")


def test_a_page_that_is_opened_without_centrifugo_works_too(page, centrifugo, carol):
    centrifugo.kill()
    carol.task(step_body(), title="There already")
    page.page.goto(f"{page.url}/login")
    page.log_in(ALICE)
    expect(page.row("There already")).to_be_visible()
    carol.task(step_body(), title="Begun without Centrifugo")
    expect(page.row("Begun without Centrifugo")).to_be_visible()
