"""The tests of the JavaScript client, run by node's own runner as `npm test` runs them."""

import os
import shutil
import subprocess

import pytest

from taskstatus.config.env import BASE_DIR
from tests.conftest import unavailable

SDK = BASE_DIR / "sdk" / "js"


def node(*names):
    """Run these test files; what fails is printed as node reports it."""
    program = shutil.which("node")
    if program is None:
        unavailable("Node.js 20 or later")
    files = [str(SDK / "test" / f"{name}.test.js") for name in names]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NODE_")}
    result = subprocess.run(
        [program, "--test", "--test-reporter=spec", *files],
        cwd=SDK,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.accepts("R06")
def test_states_pass_by_their_versions_alone():
    node("store", "notices")


@pytest.mark.accepts("R04")
def test_lost_doubled_and_shuffled_messages_end_in_what_the_snapshot_shows():
    node("convergence")


@pytest.mark.accepts("R19")
def test_a_raised_epoch_beats_every_older_version():
    node("epoch")


@pytest.mark.accepts("R03")
@pytest.mark.accepts("R08")
def test_a_feed_buffers_until_its_snapshot_is_in_and_claims_no_more_than_it_knows():
    node("feed", "client")


@pytest.mark.accepts("R07")
def test_clocks_run_by_themselves_and_stop_at_the_end():
    node("clock")


@pytest.mark.accepts("R10")
def test_the_next_connection_is_found_when_one_is_refused():
    node("centrifugo_link", "connect", "fallback_link", "native_link", "event_stream")


@pytest.mark.accepts("R16")
def test_what_is_visible_is_checked_now_and_then():
    node("verifier")


@pytest.mark.accepts("A10")
def test_reconnects_are_spread():
    node("backoff")


def test_everything_else():
    node("api", "details", "names", "task_list", "timeline", "watch_set")


def test_no_test_of_the_client_is_forgotten():
    with open(__file__, encoding="utf-8") as own:  # noqa: PTH123
        source = own.read()
    files = {path.name.removesuffix(".test.js") for path in (SDK / "test").glob("*.test.js")}
    assert [name for name in sorted(files) if f'"{name}"' not in source] == []
