"""The list of tasks fills and moves by itself, with real workers' reports over the native stream."""

import pytest
from playwright.sync_api import expect

from tests.support.cast import ALICE, step_body, task_body


@pytest.mark.accepts("R01")
def test_a_new_task_appears_without_a_reload_and_moves_to_its_end(board, carol):
    page = board.page
    expect(page.get_by_role("heading", name="No tasks yet")).to_be_visible()
    board.evaluate("window.notReloaded = true")
    streams = board.requests("stream")

    task = carol.task(step_body(), title="Read the contract")["taskId"]
    row = board.row("Read the contract")
    expect(row).to_be_visible()
    worker = carol.worker(task)
    worker.started()
    worker.progress(18, 36, phaseLabel="Reading page 18")
    expect(row).to_contain_text("18 of 36 pages")
    expect(row).to_contain_text("Reading page 18")
    worker.completed()
    carol.end(task)

    expect(page.get_by_role("region", name="Finished").locator("article")).to_contain_text("Read the contract")
    expect(row).to_contain_text("Done")
    assert board.evaluate("window.notReloaded") is True
    assert streams == []


@pytest.mark.accepts("R02")
def test_failures_and_what_they_ask_of_the_reader_show_on_the_list_and_pop_up_once(board, carol):
    task = carol.task(step_body(failurePolicy="WAIT_FOR_USER"), step_body("s2"), title="Translate")["taskId"]
    worker = carol.worker(task)
    worker.started()
    worker.failed(requiresAction=True, actions=["REVIEW"])
    row = board.row("Translate")
    expect(row).to_contain_text("Waiting for you")
    expect(row).to_contain_text("It broke.")
    toast = board.page.locator(".toast")
    expect(toast).to_contain_text("Your help is needed")

    carol.end(task, "TASK_FAILED")
    expect(row).to_contain_text("Failed")
    expect(board.page.locator(".toast", has_text="The task failed")).to_be_visible()

    board.page.reload()
    board.feed("LIVE")
    expect(row).to_contain_text("Failed")
    expect(toast).to_have_count(0)


@pytest.mark.accepts("R12")
def test_many_tasks_of_several_workflows_arrive_interleaved_on_one_connection(board, carol):
    titles = [f"Paper {number}" for number in range(6)]
    first = carol.workflow(*[task_body(step_body(), title=title) for title in titles[:3]])
    second = carol.workflow(*[task_body(step_body(), title=title) for title in titles[3:]])
    pairs = zip(first["tasks"], second["tasks"], strict=True)
    workers = [carol.worker(task["taskId"]) for pair in pairs for task in pair]
    for worker in workers:
        worker.started()
    for worker in workers[::2]:
        worker.progress(1, 2)
    for title in titles:
        expect(board.row(title)).to_contain_text("Running")
    expect(board.page.locator(".progress-text", has_text="1 of 2")).to_have_count(3)
    assert len(board.rows()) == 6


def test_filters_search_and_numbers(board, carol):
    page = board.page
    done = carol.task(step_body(), title="Annual report")["taskId"]
    carol.task(step_body(), title="Annual plan")
    carol.worker(done).started()
    carol.end(done)
    expect(page.locator('[data-filter="SUCCEEDED"]')).to_contain_text("1")
    page.locator('[data-filter="SUCCEEDED"]').click()
    expect(board.row("Annual plan")).to_have_count(0)
    expect(page.locator(".row-title")).to_have_text(["Annual report"])
    page.get_by_role("searchbox").fill("plan")
    expect(page.get_by_role("heading", name="No task matches")).to_be_visible()
    expect(page).to_have_url(f"{board.url}/?show=succeeded&q=plan")
    page.get_by_role("button", name="Show all tasks").click()
    expect(board.row("Annual plan")).to_be_visible()
    carol.task(step_body(), title="Annual party")
    page.get_by_role("searchbox").fill("PARTY")
    expect(page.locator(".row-title")).to_have_text(["Annual party"])


def test_more_is_loaded_at_the_end_of_the_list(board, carol):
    bodies = [task_body(step_body(), title=f"Paper {number:02}") for number in range(60)]
    carol.workflow(*bodies)
    board.page.reload()
    more = board.page.get_by_role("button", name="Show more")
    expect(board.page.locator("article.row")).to_have_count(50)
    more.click()
    expect(board.page.locator("article.row")).to_have_count(60)
    expect(more).to_have_count(0)
    assert sorted(board.rows()) == [body["title"] for body in bodies]


def test_more_that_cannot_be_loaded_says_so_and_can_be_asked_for_again(board, carol):
    carol.workflow(*[task_body(step_body(), title=f"Paper {number:02}") for number in range(60)])
    board.page.reload()
    more = board.page.get_by_role("button", name="Show more")
    problem = board.page.get_by_role("alert").filter(has_text="This could not be loaded")
    expect(board.page.locator("article.row")).to_have_count(50)
    board.feed("LIVE")
    board.page.route("**/api/v1/me/tasks*", lambda route: route.fulfill(status=503))
    more.click()
    expect(problem).to_be_visible()
    board.page.unroute_all()
    more.click()
    expect(board.page.locator("article.row")).to_have_count(60)
    expect(more).to_have_count(0)
    expect(problem).to_have_count(0)


@pytest.mark.accepts("R09")
def test_what_the_page_has_never_heard_of_is_shown_all_the_same(board, carol):
    members = {"productId": "no-such-product", "title": "A strange thing"}
    worker = carol.worker(carol.task(step_body("s1", "MARTIAN.DANCE_STEP"), **members)["taskId"])
    worker.started()
    worker.completed(data={"schema": "generic.result.v1", "value": {"moonsSeen": 2, "isRed": True}})
    expect(board.row("A strange thing")).to_contain_text("Running")
    board.open("A strange thing")
    expect(board.step("s1")).to_contain_text("Martian: dance step")
    expect(board.step("s1").get_by_text("Moons seen")).to_be_visible()
    expect(board.step("s1").get_by_text("yes", exact=True)).to_be_visible()


def test_nobody_sees_the_tasks_of_others(board, carol):
    carol.workflow(task_body(step_body(), title="Bob's own"), ownerId="bob")
    carol.workflow(task_body(step_body(), title="Alice's own"), ownerId=ALICE)
    expect(board.row("Alice's own")).to_be_visible()
    assert board.rows() == ["Alice's own"]
