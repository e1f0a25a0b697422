"""The board over Centrifugo while Centrifugo, Redis or the database restarts under load (A06)."""

import pytest
from playwright.sync_api import expect

from tests.browser.centrifugo import need_the_client
from tests.browser.pages import Board
from tests.deployment.load import PATIENCE_SECONDS, Load
from tests.deployment.parts import deployed
from tests.deployment.restarts import RESTARTS
from tests.support.cast import ALICE
from tests.support.screen import Screen
from tests.support.waiting import eventually

pytestmark = [pytest.mark.accepts("A06"), pytest.mark.timeout(600)]

# The version that each row of the list shows, by task.
ROWS = """() => Object.fromEntries([...document.querySelectorAll("article.row")]
    .map(row => [row.dataset.task, row.dataset.version]))"""


@pytest.fixture(scope="module")
def deployment(tmp_path_factory):
    """MariaDB, Redis, Centrifugo, web server and relays of this module's own, and an account for Alice."""
    need_the_client()
    with deployed(tmp_path_factory.mktemp("deployment")) as parts:
        parts.manage("shell", "--verbosity=0", "-c", f"from tests.browser.pages import account; account({ALICE!r})")
        yield parts


@pytest.fixture
def board(chromium, deployment):
    """Alice's board, open and logged in."""
    context = chromium.new_context(locale="en-GB")
    context.set_default_timeout(20_000)
    board = Board(context.new_page(), f"http://127.0.0.1:{deployment.server.port}")
    board.log_in(ALICE)
    yield board
    context.close()
    assert board.errors == []


@pytest.mark.parametrize("restart", RESTARTS)
def test_the_board_is_right_afterwards(deployment, board, restart):
    """The list, and one task's page beside it, both opened before and never loaded anew."""
    load = Load(deployment)
    load.begin()
    followed = load.task_ids[0]
    detail = board.other_tab()
    detail.page.goto(f"{board.url}/tasks/{followed}")
    expect(detail.step("s1")).to_contain_text("Running")
    for tab in (board, detail):
        tab.evaluate("window.notReloaded = true")
    load.more(50)
    restart(deployment, load)
    load.more(50)
    load.end()
    eventually(lambda: not deployment.unsettled(), PATIENCE_SECONDS, "the last message")
    fresh = Screen.of(deployment.alice()).view()
    versions = {key: task["version"] for key, task in fresh["tasks"].items()}
    eventually(lambda: board.evaluate(ROWS) == versions, PATIENCE_SECONDS, "the list")
    expect(detail.page.locator(".task-head")).to_have_attribute("data-version", versions[followed], timeout=60_000)
    expect(detail.step("s1")).to_contain_text("Done", timeout=60_000)
    for tab in (board, detail):
        tab.feed("LIVE", seconds=60)
        assert tab.evaluate("window.notReloaded") is True
