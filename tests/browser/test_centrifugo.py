"""The board over a real Centrifugo: refused, killed, started again, and never showing an older state."""

import pytest
from playwright.sync_api import expect

from tests.browser.pages import sockets_of
from tests.support.cast import ALICE, step_body


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
    expect(page.page.get_by_role("region", name="What happened").locator("li").first).to_be_visible()
    del requests[:]
    worker.progress(1, 2)
    expect(page.step("s1")).to_contain_text("1 of 2")
    assert not [request for request in requests if request.method == "GET" and "/tasks/" in request.url], (
        "it was pushed"
    )
    page.page.go_back()
    carol.task(step_body(), title="Begun later")
    expect(page.row("Begun later")).to_be_visible()
    page.until(lambda: [request for request in requests if "/realtime/subscriptions/" in request.url])
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
    with page.falling_silent():
        centrifugo.kill()
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
    with page.falling_silent():
        centrifugo.kill()
    expect(page.row("Long reading")).to_be_visible()
    page.feed("LIVE")
    assert streams
    carol.task(step_body(), title="Begun without Centrifugo")
    expect(page.row("Begun without Centrifugo")).to_be_visible()

    sockets = sockets_of(page)
    centrifugo.start()
    page.until(lambda: sockets and streams[-1].failure, "the end of the native stream")
    carol.task(step_body(), title="Begun with it again")
    expect(page.row("Begun with it again")).to_be_visible()
    page.feed("LIVE")


def test_a_page_that_is_opened_without_centrifugo_works_too(page, centrifugo, carol):
    centrifugo.kill()
    carol.task(step_body(), title="There already")
    page.page.goto(f"{page.url}/login")
    page.log_in(ALICE)
    expect(page.row("There already")).to_be_visible()
    carol.task(step_body(), title="Begun without Centrifugo")
    expect(page.row("Begun without Centrifugo")).to_be_visible()
