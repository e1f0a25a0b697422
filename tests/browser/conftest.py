"""The stage of the browser tests: the service in processes of its own, and a real Chromium before it."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.centrifugo import Centrifugo, realtime_service
from tests.browser.pages import FLAGS, PATIENCE_MS, Board, account
from tests.conftest import unavailable
from tests.support.cast import ALICE, Coordinator, coordinator
from tests.support.server import Server, serving


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Return Debian's Chromium; Playwright's own loop in this thread must not keep Django from its database."""
    path = shutil.which("chromium")
    if path is None:
        unavailable("Chromium (apt-get install chromium)")
    expect.set_options(timeout=PATIENCE_MS)
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS, timeout=2 * PATIENCE_MS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="package")
def processes(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return the running service, for all tests: they have users and tasks of their own."""
    with serving(tmp_path_factory.mktemp("service")) as server:
        yield server


@pytest.fixture
def service(transactional_db: None, processes: Server) -> Server:
    """Return the running service; a test may have left it dead."""
    if not processes.listens():
        processes.start()
    return processes


@pytest.fixture
def carol(transactional_db: None) -> Coordinator:
    """Return the coordinator who starts tasks for Alice."""
    return coordinator()


@pytest.fixture
def board(chromium: Browser, service: Server) -> Iterator[Board]:
    """Return Alice's board, open and logged in."""
    account(ALICE)
    context = chromium.new_context(locale="en-GB", viewport={"width": 1100, "height": 900})
    context.set_default_timeout(PATIENCE_MS)
    board = Board(context.new_page(), f"http://127.0.0.1:{service.port}")
    board.log_in(ALICE)
    yield board
    context.close()
    assert board.errors == []


@pytest.fixture(scope="module")
def everything(
    chromium: Browser, django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Centrifugo]]:
    """Return the service, its relay and Centrifugo, all of them running, for the tests of one file."""
    with realtime_service(tmp_path_factory.mktemp("realtime")) as parts:
        yield parts


@pytest.fixture
def centrifugo(everything: tuple[Server, Centrifugo]) -> Centrifugo:
    """Return the running Centrifugo; a test may have left it dead."""
    _service, centrifugo = everything
    if not centrifugo.answers():
        centrifugo.start()
    return centrifugo


@pytest.fixture
def page(chromium: Browser, transactional_db: None, everything: tuple[Server, Centrifugo]) -> Iterator[Board]:
    """Return a browser page of Alice's that has not been opened yet."""
    account(ALICE)
    context = chromium.new_context(locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    board = Board(context.new_page(), f"http://127.0.0.1:{everything[0].port}")
    yield board
    context.close()
    assert board.errors == []
