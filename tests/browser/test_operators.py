"""Operators in a real browser: from the list to a task, and a correction by keyboard alone (C30, O06)."""

from collections.abc import Iterator

import pytest
from django.db.models import Q
from playwright.sync_api import Browser, Page, expect

from taskstatus.models import AuditEntry, Task
from tests.browser.axe import AXE, findings
from tests.browser.operators import admin_page, operator
from tests.support.cast import Coordinator, Worker, step_body
from tests.support.server import Server


@pytest.fixture
def page(chromium: Browser, service: Server) -> Iterator[Page]:
    """Return Olga's browser, logged in to the admin."""
    operator("olga", Q(codename__in=("view_task", "correct_task")))
    with admin_page(chromium, service, "olga") as page:
        yield page


def visit(page: Page, path: str) -> None:
    page.goto(f"/admin/{path}")


@pytest.fixture
def worker(carol: Coordinator) -> Worker:
    """Return a worker whose step runs, beside one that waits."""
    worker = carol.worker(carol.task(step_body(), step_body("s2"))["taskId"])
    worker.started()
    return worker


@pytest.mark.accepts("C30")
def test_a_hanging_step_is_found_looked_at_and_corrected(page: Page, worker: Worker) -> None:
    page.get_by_role("link", name="Tasks", exact=True).click()
    expect(page.get_by_role("link", name="Parse the contract")).to_be_visible()
    page.get_by_label("Search").fill(worker.context["executionId"])
    page.get_by_label("Search").press("Enter")
    expect(page.get_by_role("heading", name="Parse the contract")).to_be_visible()
    page.get_by_role("link", name="Correct step s1…").click()
    expect(page.get_by_label("What is corrected")).to_have_value("s1")
    page.get_by_label("How it ended").select_option("Failed")
    page.get_by_label("Code of the failure").fill("PAGES_LOST")
    page.get_by_role("button", name="Show what it would change").click()
    alert = page.get_by_role("alert")
    expect(alert).to_be_focused()
    alert.get_by_role("link", name="Reason").click()
    reason = page.get_by_label("Reason")
    expect(reason).to_be_focused()
    expect(reason).to_have_attribute("aria-invalid", "true")
    reason.fill("The host burned down.")
    page.get_by_role("button", name="Show what it would change").click()
    row = page.get_by_role("row", name="The step's lifecycle")
    expect(row.get_by_role("cell").first).to_contain_text("Running")
    expect(row.get_by_role("cell").last).to_contain_text("Failed")
    assert not AuditEntry.objects.exists()
    page.get_by_role("button", name="Confirm the correction").click()
    expect(page.get_by_text("The correction is made")).to_be_visible()
    expect(page.get_by_text("TASK_CORRECTED")).to_be_visible()
    assert worker.report("STEP_COMPLETED").code == "TERMINAL_STATE"


@pytest.mark.accepts("C30")
def test_a_task_is_corrected_by_the_keyboard_alone(page: Page, worker: Worker) -> None:
    visit(page, f"taskstatus/task/{worker.context['taskId']}/correct/")
    page.get_by_label("How it ended").focus()
    page.keyboard.type("Canc")
    page.get_by_label("Reason").focus()
    page.keyboard.type("Asked for by phone.")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Show what it would change")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Parse the contract")).to_be_focused()
    page.get_by_role("button", name="Confirm the correction").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The correction is made")).to_be_visible()
    assert Task.objects.get().lifecycle_status == "CANCELLED"


def every_page(page: Page, worker: Worker) -> Iterator[str]:
    """Each kind of page in turn; the form with its errors, and the preview, among them."""
    task = f"taskstatus/task/{worker.context['taskId']}/"
    for path in ("taskstatus/task/", "taskstatus/task/?q=nothing", task, f"{task}correct/"):
        visit(page, path)
        yield path
    page.get_by_role("button", name="Show what it would change").click()
    expect(page.get_by_role("alert")).to_be_visible()
    yield "errors"
    page.get_by_label("How it ended").select_option("Failed")
    page.get_by_label("Reason").fill("https://example.org/" + "a-long-word" * 20)
    page.get_by_role("button", name="Show what it would change").click()
    expect(page.get_by_role("button", name="Confirm the correction")).to_be_visible()
    yield "preview"


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_its_screen(page: Page, worker: Worker, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    for path in every_page(page, worker):
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: make setup-js")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_stands_in_the_way_of_operators(page: Page, worker: Worker, scheme: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    found = {path: findings(page) for path in every_page(page, worker)}
    assert {path: faults for path, faults in found.items() if faults} == {}
