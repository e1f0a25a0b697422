"""Operators before the admin's pages in a real browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.contrib.auth.models import Permission, User
from django.db.models import Q
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.pages import PASSWORD, PATIENCE_MS, account
from tests.support.server import Server

DESK: Final[ViewportSize] = {"width": 1280, "height": 900}


def operator(name: str, rights: Q, tenant: str = "acme") -> None:
    """Make an account of staff with these rights."""
    account(name, tenant)
    user = User.objects.get(username=name)
    user.is_staff = True
    user.save()
    user.user_permissions.set(Permission.objects.filter(rights))


@contextmanager
def admin_page(chromium: Browser, service: Server, name: str, language: str = "en-GB") -> Iterator[Page]:
    """The admin, open and logged in to; a fault in a script, or a breach of the policy, fails the test."""
    context = chromium.new_context(locale=language, viewport=DESK, base_url=f"http://127.0.0.1:{service.port}")
    context.set_default_timeout(PATIENCE_MS)
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)
    _log_in(page, name)
    yield page
    context.close()
    assert errors == []


def _log_in(page: Page, name: str) -> None:
    """By the form, whatever its language."""
    page.goto("/admin/login/")
    page.locator("[name=username]").fill(name)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("#login-form [type=submit]").click()
    expect(page.locator("#user-tools")).to_be_visible()
