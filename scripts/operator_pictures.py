"""The pictures of docs/operators/registries.md: an operator of a running demo copies a status set and changes it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import Browser, Page, ViewportSize, expect

DESK: Final[ViewportSize] = {"width": 1280, "height": 860}
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
SET: Final = "DOCUMENT_PROCESS"


def take_operator_pictures(browser: Browser, told: Mapping[str, Any], folder: Path) -> None:
    """Take them all, from the list to the import."""
    folder.mkdir(parents=True, exist_ok=True)
    operator = next(user for user in told["users"] if user["role"] == "operator")
    page = opened_admin(browser, told["adminUrl"], operator, "light", DESK)
    _copy_and_change(page)
    address = page.url
    picture(page, folder / "draft.png")
    page.get_by_role("link", name="Publish…").click()
    picture(page, folder / "publish.png", height=480)
    page.goto(address)
    page.get_by_role("link", name="Compare versions").click()
    picture(page, folder / "compare.png", height=620)
    page.goto(f"{told['adminUrl']}registries/statusdefinitionset/")
    picture(page, folder / "list.png", height=480)
    _try(page)
    picture(page, folder / "try.png", height=700)
    phone = opened_admin(browser, told["adminUrl"], operator, "dark", PHONE)
    phone.goto(address)
    picture(phone, folder / "phone-dark.png", height=844)


def opened_admin(
    browser: Browser, url: str, login: dict[str, str], scheme: Literal["light", "dark"], size: ViewportSize
) -> Page:
    """The first page of the admin, for somebody who has just logged in."""
    page = browser.new_context(locale="en-GB", color_scheme=scheme, viewport=size).new_page()
    page.goto(url)
    page.get_by_label("Username").fill(login["username"])
    page.get_by_label("Password").fill(login["password"])
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="What you can look after")).to_be_visible()
    return page


def _copy_and_change(page: Page) -> None:
    """Begin the next version, with a code that nothing reaches yet."""
    page.get_by_role("link", name="Status sets").first.click()
    page.get_by_role("link", name=SET).first.click()
    page.get_by_role("link", name="Copy to the next version…").click()
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Add a code").click()
    row = page.locator("[data-row]").last
    row.get_by_label("Code", exact=True).fill("ARCHIVING")
    page.get_by_role("button", name="Save the draft").click()
    expect(page.get_by_text("is saved.")).to_be_visible()


def _try(page: Page) -> None:
    """Try to come to a code from where it can't be come to."""
    page.get_by_role("row", name="Published").get_by_role("link").first.click()
    page.get_by_role("link", name="Try an event").click()
    page.get_by_label("The task shows").fill("QUEUED")
    page.get_by_label("Event", exact=True).fill(
        '{\n  "eventId": "trial-1",\n  "eventType": "TASK_STATUS_CHANGED",\n  "businessStatus": "WAITING_REVIEW"\n}'
    )
    page.get_by_role("button", name="Try it").click()
    expect(page.get_by_text("Refused")).to_be_visible()


def picture(page: Page, file: Path, height: int = 860) -> None:
    """Keep what is at the top of the page, so many pixels of it."""
    expect(page.locator(".json-editor:not(.is-live)")).to_have_count(0)
    page.evaluate("scrollTo(0, 0)")
    page.set_viewport_size({"width": page.viewport_size["width"] if page.viewport_size else 1280, "height": height})
    page.screenshot(path=file)
