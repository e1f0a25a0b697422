"""The board in a real browser, which writes down when each version of a task was on the screen."""

import time
from collections.abc import Collection, Iterable
from typing import Self

from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser

from bench.environment import TENANT

Version = tuple[str, str]
"""A task's id and one of its versions."""

# When a row first showed a version, in Unix milliseconds: after the frame in which it was drawn.
_WATCH = """
window.shown = {};
const note = (row) => {
    const key = `${row.dataset.task} ${row.dataset.version}`;
    requestAnimationFrame(() => { window.shown[key] ??= Date.now(); });
};
new MutationObserver((changes) => {
    for (const { target } of changes) if (target.matches?.("article.row")) note(target);
}).observe(document, { subtree: true, attributeFilter: ["data-version"] });
"""
_ROWS = "[...document.querySelectorAll('article.row')].map(row => row.dataset.task)"


def viewer(name: str) -> str:
    """The session of a user with this name, who is made at the first call."""
    from django.contrib.auth.models import User  # noqa: PLC0415 - needs Django to be set up

    from taskstatus.models import UserProfile  # noqa: PLC0415 - the same

    account, _ = User.objects.get_or_create(username=name)
    UserProfile.objects.get_or_create(account=account, defaults={"tenant_id": TENANT})
    client = Client()
    client.force_login(account)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


class Board:
    """An open board."""

    def __init__(self, browser: Browser, port: int, session: str) -> None:
        """Open it with the session of somebody who is logged in."""
        address = f"http://127.0.0.1:{port}"
        self._context = browser.new_context()
        self._context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": address}])
        self._page = self._context.new_page()
        self._page.add_init_script(_WATCH)
        self._page.goto(address)
        self._page.wait_for_selector("#feed[data-state=LIVE]")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._context.close()

    def listen(self, seconds: float) -> None:
        """Let the page go on."""
        self._page.wait_for_timeout(1000 * seconds)

    def wait_for(self, task_ids: Iterable[str]) -> None:
        """Return when all of these tasks are on the page."""
        wanted = set(task_ids)
        while not wanted <= set(self._page.evaluate(_ROWS)):
            self.listen(0.05)

    def wait_for_versions(self, versions: Collection[Version], seconds: float) -> None:
        """Return when all of these were on the screen."""
        end = time.monotonic() + seconds
        while not self.seen().keys() >= set(versions):
            if time.monotonic() > end:
                raise RuntimeError("the board does not show what was reported")
            self.listen(0.05)

    def seen(self) -> dict[Version, float]:
        """When each version of a task was first on the screen, in Unix milliseconds."""
        shown: dict[str, float] = self._page.evaluate("window.shown")
        return {(key.split()[0], key.split()[1]): at for key, at in shown.items()}
