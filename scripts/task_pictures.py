"""The pictures of docs/operators/tasks.md: a worker of a running demo is halted, and an operator looks into it."""

import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, expect

from operator_pictures import DESK, PHONE, opened_admin, picture

# A step of the demo is believed for a minute or two without a beat.
SILENCE_SECONDS: Final = 300
LOOK_MS: Final = 2_000


def take_task_pictures(browser: Browser, told: Mapping[str, Any], folder: Path) -> None:
    """Take them all, from the list to a correction that is not confirmed."""
    operator = next(user for user in told["users"] if user["role"] == "operator")
    parse = next(service["pid"] for service in told["services"] if service["name"] == "parse")
    page = opened_admin(browser, told["adminUrl"], operator, "light", DESK)
    with halted(parse):
        _wait_for_silence(page, f"{told['adminUrl']}taskstatus/task/work/?trouble=SILENT")
        picture(page, folder / "worklist.png", height=560)
        page.locator(".task-list th a").first.click()
        expect(page.get_by_text("has been silent for")).to_be_visible()
        address = page.url
        picture(page, folder / "why.png")
        phone = opened_admin(browser, told["adminUrl"], operator, "dark", PHONE)
        phone.goto(address)
        picture(phone, folder / "why-phone-dark.png", height=844)
        page.get_by_role("link", name="The task", exact=True).click()
        picture(page, folder / "task.png")
        silent = page.locator(".steps > li", has=page.locator(".health-STALE"))
        silent.get_by_role("link", name="Correct step").first.click()
        _fill_in(page)
        picture(page, folder / "correct.png", height=900)
        page.goto(f"{told['adminUrl']}taskstatus/task/?lifecycle=ALL")
        picture(page, folder / "tasks.png")


@contextmanager
def halted(pid: int) -> Iterator[None]:
    """In the block the process stands still, as one on a host that hangs."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def _wait_for_silence(page: Page, address: str) -> None:
    end = time.monotonic() + SILENCE_SECONDS
    page.goto(address)
    while not page.locator(".task-list .health-STALE").count():
        if time.monotonic() > end:
            raise TimeoutError("screenshots: no task fell silent")
        page.wait_for_timeout(LOOK_MS)
        page.reload()


def _fill_in(page: Page) -> None:
    """Fill in a correction and look at what it would change."""
    page.get_by_label("How it ended").select_option("Failed")
    page.get_by_label("Code of the failure").fill("HOST_LOST")
    page.get_by_label("What users read of the failure").fill("The document could not be read to its end.")
    page.get_by_label("Reason").fill("The host of the parser burned down; its pages are lost.")
    page.get_by_role("button", name="Show what it would change").click()
    expect(page.get_by_role("button", name="Confirm the correction")).to_be_visible()
