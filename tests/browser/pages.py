"""What a person does with the pages, and what they see."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import User
from playwright.sync_api import ConsoleMessage, Locator, Page, Request, WebSocket, expect

from taskstatus.models import UserProfile
from tests.support.waiting import PATIENCE_SECONDS

PASSWORD = "correct horse"
PATIENCE_MS = 1000 * PATIENCE_SECONDS
# Keeps what the page says for a while only: a test that looks too late finds it here.
_REMEMBER = """
window.remembered = { states: [], said: [] };
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    if (target.id === "feed") window.remembered.states.push(target.dataset.state);
    const how = target.getAttribute?.("aria-live");
    if (how) addedNodes.forEach((line) => window.remembered.said.push(`${how}: ${line.textContent}`));
  }
}).observe(document, { subtree: true, childList: true, attributeFilter: ["data-state"] });
"""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# The browser says so itself where an answer is an error or doesn't come; the page deals with it.
_EXPECTED = re.compile(r"Failed to load resource|net::ERR_|Lost connection")


def account(name: str, tenant: str = "acme") -> None:
    """Make an account with a profile, as an operator would."""
    # The suite's own hasher is not one of the service's.
    user = User.objects.create(username=name, password=PBKDF2PasswordHasher().encode(PASSWORD, "salt", 1000))
    UserProfile.objects.create(account=user, tenant_id=tenant)


@dataclass
class Board:
    """One open page; what goes wrong in its scripts is kept in `errors`."""

    page: Page
    url: str
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.add_init_script(_REMEMBER)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._hear)

    def log_in(self, name: str) -> None:
        """Log in by the form, and wait until the board is live."""
        self.page.goto(f"{self.url}/login")
        self.page.get_by_label("User name").fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Log in").click()
        self.feed("LIVE")

    def feed(self, state: str, seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until the page says that it stands so with the service."""
        expect(self.page.locator("#feed")).to_have_attribute("data-state", state, timeout=seconds * 1000)

    @contextmanager
    def falling_silent(self) -> Iterator[None]:
        """In the block the page loses its service; wait until it has said so, for however short a time."""
        self.evaluate("window.remembered.states.length = 0")
        yield
        self.until(lambda: "RECOVERING" in self.evaluate("window.remembered.states"), "the loss")

    def says(self, words: str) -> None:
        """Wait until those who listen to the page have been told these words."""
        self.until(lambda: any(words in line for line in self.said()), words)

    def said(self) -> list[str]:
        """Everything that was read out since the page was loaded."""
        lines: list[str] = self.evaluate("window.remembered.said")
        return lines

    def until(self, condition: Callable[[], object], what: str = "it", seconds: float = 2 * PATIENCE_SECONDS) -> None:
        """Let the page go on until this is so."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"{what} did not come"
            self.page.wait_for_timeout(50)

    def row(self, title: str) -> Locator:
        """The task's row of the list."""
        return self.page.locator("article.row", has=self.page.get_by_role("link", name=title, exact=True))

    def rows(self) -> list[str]:
        """The titles on the list, from the top."""
        return self.page.locator(".row-title").all_inner_texts()

    def open(self, title: str) -> None:
        """Go to the task's page."""
        self.page.get_by_role("link", name=title, exact=True).click()
        expect(self.page.get_by_role("heading", name=title, level=1)).to_be_focused()

    def step(self, step_id: str) -> Locator:
        """The step on the task's page."""
        return self.page.locator(f'[data-step="{step_id}"]')

    def evaluate(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page."""
        return self.page.evaluate(script, *arguments)

    def requests(self, part: str = "") -> list[Request]:
        """The requests that the page sends from now on, as far as this is part of their address."""
        sent: list[Request] = []

        def hear(request: Request) -> None:
            if part in request.url:
                sent.append(request)

        self.page.on("request", hear)
        return sent

    def other_tab(self) -> "Board":
        """The same board in another tab of the same browser."""
        tab = Board(self.page.context.new_page(), self.url, self.errors)
        tab.page.goto(self.url)
        tab.feed("LIVE")
        return tab

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not _EXPECTED.search(message.text):
            self.errors.append(message.text)


def sockets_of(board: Board) -> list[WebSocket]:
    """The WebSockets that the page opens from now on."""
    opened: list[WebSocket] = []

    def hear(socket: WebSocket) -> None:
        opened.append(socket)

    board.page.on("websocket", hear)
    return opened
