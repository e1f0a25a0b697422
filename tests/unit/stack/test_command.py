"""`scripts/stack run` ends when it is told to, and what it began ends before it."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from stacklib import cli, state
from stacklib.command import run_to_its_end
from taskstatus.config.env import BASE_DIR
from tests.support.waiting import PATIENCE_SECONDS, eventually
from tests.unit.stack.fakes import FakeService

# Takes its time to end, and says when it has: whoever kills it, or doesn't wait for it, is found out.
SLOW_TO_END = """
import pathlib, signal, sys, time
place = pathlib.Path(sys.argv[1])
def end(*_):
    time.sleep(0.7)
    (place / "ended").touch()
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
signal.signal(signal.SIGINT, end)
(place / "ready").touch()
while True:
    time.sleep(1)
"""
# The stack's own command line, with a server that is only a file.
STACK = """
import pathlib, sys
from stacklib import cli, state
place = pathlib.Path(sys.argv[1])
state.STACK_DIR = place
class Daemon:
    def pid(self):
        return 1 if (place / "server").exists() else None
    def stop(self):
        (place / "server").unlink(missing_ok=True)
        return True
class Server:
    name, daemon = "server", Daemon()
    def start(self):
        (place / "server").touch()
    def environment(self):
        return {}
sys.exit(cli.run([Server()], [sys.executable, "-c", sys.argv[2], str(place)]))
"""


@pytest.fixture
def stack(tmp_path):
    """A running `stack run` in a session of its own, whose command is ready."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(STACK), str(tmp_path), SLOW_TO_END],
        env={**os.environ, "PYTHONPATH": str(BASE_DIR / "scripts")},
        start_new_session=True,
    )
    eventually((tmp_path / "ready").exists, what="the command's start")
    yield process, tmp_path
    process.kill()
    process.wait()


def tell_it_alone(process: "subprocess.Popen[bytes]") -> None:
    """As a supervisor, or make, does."""
    process.send_signal(signal.SIGTERM)


def tell_the_group(process: "subprocess.Popen[bytes]") -> None:
    """SIGTERM to all at once: the command hears it twice."""
    os.killpg(process.pid, signal.SIGTERM)


def press_ctrl_c(process: "subprocess.Popen[bytes]") -> None:
    """The terminal tells its whole foreground group."""
    os.killpg(process.pid, signal.SIGINT)


@pytest.mark.parametrize("tell", [tell_it_alone, tell_the_group, press_ctrl_c])
def test_the_command_ends_in_its_own_time_then_the_servers_and_then_the_call(stack, tell):
    process, place = stack
    assert (place / "server").exists()
    tell(process)
    process.wait(PATIENCE_SECONDS)
    assert (place / "ended").exists()
    assert not (place / "server").exists()


def test_the_exit_code_is_the_commands_own_or_that_of_its_signal():
    assert run_to_its_end(["sh", "-c", "exit 3"], {}) == 3
    assert run_to_its_end(["sh", "-c", "kill -TERM $$"], {}) == 128 + signal.SIGTERM


def test_a_start_that_is_broken_off_leaves_no_server_behind(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(state, "STACK_DIR", tmp_path)

    class Interrupted(FakeService):
        def start(self):
            super().start()
            raise KeyboardInterrupt

    running, first, second = FakeService("a", running=True), FakeService("b"), Interrupted("c")
    with pytest.raises(KeyboardInterrupt):
        cli.start([running, first, second])
    assert [service.daemon.pid() for service in (running, first, second)] == [1, None, None]
