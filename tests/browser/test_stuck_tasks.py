"""The list of tasks that need a look and the page that says why, in a real browser, on a desk and on a phone."""

from collections.abc import Iterator
from typing import Final, Literal

import pytest
from django.db.models import Q
from playwright.sync_api import Browser, Page, ViewportSize, expect

from outbox.models import OutboxMessage
from taskstatus.models import AuditEntry
from tests.browser.axe import AXE, findings
from tests.browser.operators import admin_page, operator
from tests.support.cast import Coordinator, step_body
from tests.support.reconciling import outage, reconciled, silence
from tests.support.server import Server

PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
EVERY_DEED = ("view_task", "correct_task", "reconcile_task", "revoke_execution", "requeue_outboxmessage")


@pytest.fixture
def stuck(carol: Coordinator) -> str:
    """A task with all kinds of trouble: silent, refused, with dead messages, after an outage; its id."""
    steps = [step_body(noProgressSeconds=900, staleEscalationSeconds=600), step_body("s2"), step_body("s3")]
    task_id: str = carol.task(*steps, title="Parse the contract")["taskId"]
    workers = [carol.worker(task_id, step) for step in ("s1", "s2")]
    for worker in workers:
        worker.started()
    for _ in range(3):
        worker.report("STEP_PROGRESS", progressSeq=1, data={"schema": "unheard.of.v1", "value": {}})
    OutboxMessage.objects.filter(aggregate_id=task_id).update(status="DEAD", attempts=20, last_error="refused")
    silence(workers[0])
    reconciled()
    outage(30, 10)
    return task_id


@pytest.fixture
def language() -> str:
    """Return what Rita's browser speaks."""
    return "en-GB"


@pytest.fixture
def page(chromium: Browser, service: Server, language: str) -> Iterator[Page]:
    """Return Rita's browser, logged in to the admin."""
    operator("rita", Q(codename__in=EVERY_DEED))
    with admin_page(chromium, service, "rita", language) as page:
        yield page


@pytest.mark.accepts("O06")
def test_an_operator_goes_from_the_list_to_the_reason_and_withdraws_credentials(page: Page, stuck: str) -> None:
    page.goto("/admin/taskstatus/task/")
    page.get_by_role("link", name="Tasks that need a look").click()
    page.get_by_role("link", name="Parse the contract").click()
    expect(page.get_by_text("Reports are being refused: SCHEMA_NOT_ALLOWED x 3 from worker-a")).to_be_visible()
    expect(page.get_by_text("worker-a, which runs step s1, has been silent for")).to_be_visible()
    page.get_by_role("link", name="Withdraw the credentials of s1…").click()
    expect(page.get_by_role("heading", name="Withdraw the credentials of this execution?")).to_be_visible()
    page.get_by_role("button", name="Withdraw them").click()
    expect(page.get_by_text("no longer count.")).to_be_visible()
    assert AuditEntry.objects.get(action="REVOKE_CREDENTIALS").actor == "rita"


@pytest.mark.usefixtures("stuck")
def test_filters_are_kept_while_one_looks(page: Page) -> None:
    page.goto("/admin/taskstatus/task/work/")
    page.get_by_label("Executor").fill("worker-b")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("No task that fits these filters needs a look.")).to_be_visible()
    expect(page.get_by_label("Executor")).to_have_value("worker-b")


def paths(task_id: str) -> list[str]:
    return [f"/admin/taskstatus/task/{part}" for part in ("work/", f"{task_id}/why/", f"{task_id}/reconcile/")]


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: make setup-js")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_the_way_of_anybody(page: Page, stuck: str, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for path in paths(stuck):
        page.goto(path)
        assert findings(page) == [], path


def test_nothing_is_wider_than_a_phone(page: Page, stuck: str) -> None:
    page.set_viewport_size(PHONE)
    for path in paths(stuck):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path


@pytest.mark.parametrize("language", ["zh-CN"])
def test_it_speaks_chinese(page: Page, stuck: str) -> None:
    page.goto(f"/admin/taskstatus/task/{stuck}/why/")
    expect(page.get_by_role("heading", name="为什么不动")).to_be_visible()
    expect(page.get_by_text("没有消息").first).to_be_visible()
