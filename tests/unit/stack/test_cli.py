"""What `scripts/stack` does with servers that are there, that are not, and that can't be had."""

import pytest

from stacklib import cli, state
from tests.unit.stack.fakes import FakeService


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(state, "STACK_DIR", tmp_path)
    monkeypatch.delenv("CI", raising=False)


def test_starting_leaves_alone_what_runs():
    running, absent = FakeService("a", running=True), FakeService("b")
    started, missing = cli.start([running, absent])
    assert (started, missing) == ([absent], {})


def test_only_running_servers_are_in_the_environment():
    assert cli.environment([FakeService("a", running=True), FakeService("b")]) == {"A_URL": "a://x"}


def test_run_ends_what_it_started_and_nothing_else(tmp_path):
    before, own = FakeService("a", running=True), FakeService("b")
    code = cli.run([before, own], ["sh", "-c", f'echo "$A_URL $B_URL" > {tmp_path}/seen; exit 3'])
    assert code == 3
    assert (tmp_path / "seen").read_text() == "a://x b://x\n"
    assert (before.daemon.pid(), own.daemon.pid()) == (1, None)


def test_run_hands_on_why_a_server_is_missing(tmp_path):
    broken = FakeService("a", trouble="no apt here\nsecond line")
    assert cli.run([broken], ["sh", "-c", f'echo "$STACK_MISSING" > {tmp_path}/seen']) == 0
    assert (tmp_path / "seen").read_text() == "a: no apt here\n"


def test_in_continuous_integration_a_missing_server_fails(tmp_path, monkeypatch):
    monkeypatch.setenv("CI", "true")
    seen = tmp_path / "seen"
    assert cli.run([FakeService("a", trouble="no apt here")], ["touch", str(seen)]) == 1
    assert not seen.exists()


def test_ports_and_secrets_are_remembered():
    assert state.remembered_port("a") == state.remembered_port("a")
    assert state.remembered_port("a") != state.remembered_port("b")
    assert state.remembered_secret("a") == state.remembered_secret("a")
    assert state.remembered_secret("a") != state.remembered_secret("b")


@pytest.mark.parametrize("options", [["run"], ["run", "--mysql"], ["--mysql", "run"]])
def test_what_stands_behind_two_dashes_is_the_command(monkeypatch, options):
    ran = []
    monkeypatch.setattr(cli, "run", lambda _services, command: ran.append(command) or 0)
    assert cli.main([*options, "--", "pytest", "--mysql", "--", "x"]) == 0
    assert ran == [["pytest", "--mysql", "--", "x"]]
