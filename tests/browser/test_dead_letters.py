"""The list of dead letters in a real browser: it fits a desk's window and a phone's, and is worked by the keyboard."""

from collections.abc import Iterator
from typing import Final, Literal

import pytest
from django.db.models import Q
from playwright.sync_api import Browser, Locator, Page, expect

from outbox.models import OutboxMessage
from outbox.models.message import Command, Status
from taskstatus.projections.channels import detail_channel, user_channel
from tests.browser.axe import AXE, findings
from tests.browser.operators import admin_page, operator
from tests.relay.support import message, put
from tests.support.server import Server

LIST: Final = "/admin/outbox/outboxmessage/"
TASK: Final = f"tsk_{'0123456789' * 3}"
REASON: Final = (
    "The realtime layer answered 503 to POST https://realtime.internal.example.org/api/batch: " + "busy " * 150
)
# Boxes with more in them than they show; those of a form's rows cut it off.
WIDE: Final = """[...document.querySelectorAll("html, #content, .results, .form-row")]
  .filter((box) => box.scrollWidth > box.clientWidth).map((box) => `${box.localName}.${box.className}`)"""
EVERY_RIGHT = Q(codename__in=("view_outboxmessage", "requeue_outboxmessage", "discard_outboxmessage"))


@pytest.fixture
def letters(transactional_db: None) -> list[int]:
    """Dead letters whose ids, channels and reasons are as long as they get; their ids."""
    channels = [detail_channel("acme", TASK), user_channel("acme", f"{'a-very-long-name' * 10}@example.org")]
    revoked = message(2**40, TASK, command=Command.REVOKE, channel=channels[1], payload='{"user":"' + "a" * 900 + '"}')
    ids = put(message(7, TASK, channel=channels[0]), revoked)
    OutboxMessage.objects.filter(pk__in=ids).update(status=Status.DEAD, attempts=20, last_error=REASON)
    return ids


@pytest.fixture
def page(chromium: Browser, service: Server) -> Iterator[Page]:
    """Return Rita's browser, logged in to the admin."""
    operator("rita", EVERY_RIGHT)
    with admin_page(chromium, service, "rita") as page:
        yield page


def row_of(page: Page, letter: int) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=str(letter), exact=True))


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_scrolls_sideways_or_is_cut_off(page: Page, letters: list[int], width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    for path in (LIST, f"{LIST}?status=ALL&q=nothing", f"{LIST}{letters[1]}/change/"):
        page.goto(path)
        assert page.evaluate(WIDE) == [], path


def test_a_letter_says_what_is_not_told_and_its_page_says_why_in_full(page: Page, letters: list[int]) -> None:
    page.goto(LIST)
    row = row_of(page, letters[0])
    expect(row).to_contain_text(f"PUBLISH {TASK} v7")
    expect(row).to_contain_text("The realtime layer answered 503")
    expect(row).not_to_contain_text(REASON.strip())
    row.get_by_role("link").click()
    expect(page.get_by_text(REASON.strip())).to_be_visible()


def test_letters_are_sent_again_by_the_keyboard_alone(service: Server, page: Page, letters: list[int]) -> None:
    # A process keeps the ids of content types in mind, which each test's database gives anew.
    service.kill_everything()
    service.start()
    page.goto(LIST)
    page.get_by_label("Action:").focus()
    page.keyboard.type("Send")
    row_of(page, letters[0]).get_by_role("checkbox").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Go").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 dead letter waits to be sent again.")).to_be_visible()
    assert OutboxMessage.objects.get(pk=letters[0]).status != Status.DEAD


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: make setup-js")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_stands_in_the_way_of_anybody(
    page: Page, letters: list[int], scheme: Literal["light", "dark"], width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(LIST)
    assert findings(page) == []
    # Django's sheet for forms imports another.
    page.goto(f"{LIST}{letters[0]}/change/")
    assert findings(page, preload=False) == []
