"""The stack's servers are known by more than a number: it ends only what it started."""

import subprocess
import sys

import pytest

from stacklib.processes import Daemon
from stacklib.state import Unavailable

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]
STUBBORN = [
    sys.executable,
    "-uc",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready'); time.sleep(600)",
]


@pytest.fixture
def daemon(tmp_path):
    made = Daemon(tmp_path / "server", f"--mark={tmp_path}")
    yield made
    made.stop()


def test_a_started_server_is_found_and_ended(daemon):
    daemon.start([*SLEEPER, daemon.mark])
    assert daemon.pid() is not None
    assert daemon.stop()
    assert daemon.pid() is None


def test_another_call_finds_it_by_its_pid_file(daemon):
    daemon.start([*SLEEPER, daemon.mark])
    assert Daemon(daemon.folder, daemon.mark).pid() == daemon.pid()


def test_ending_twice_ends_once(daemon):
    daemon.start([*SLEEPER, daemon.mark])
    assert daemon.stop()
    assert not daemon.stop()


def test_a_stranger_with_the_remembered_number_is_left_alone(daemon):
    with subprocess.Popen(SLEEPER) as stranger:
        daemon.folder.mkdir()
        daemon.pid_path.write_text(str(stranger.pid))
        assert not daemon.stop()
        assert stranger.poll() is None
        stranger.terminate()


def test_a_server_that_will_not_end_is_killed(daemon, monkeypatch):
    monkeypatch.setattr("stacklib.processes.STOP_SECONDS", 0.2)
    daemon.start([*STUBBORN, daemon.mark])
    daemon.wait_until(lambda: b"ready" in daemon.log_path.read_bytes(), timeout_seconds=60)
    assert daemon.stop()
    daemon._child.wait(timeout=60)


def test_a_server_that_dies_at_once_is_reported_with_its_last_words(daemon):
    daemon.start([sys.executable, "-c", "raise SystemExit('no room on the disk')", daemon.mark])
    with pytest.raises(Unavailable, match="no room on the disk"):
        daemon.wait_until(lambda: False, timeout_seconds=60)


def test_a_server_that_never_answers_is_ended(daemon):
    daemon.start([*SLEEPER, daemon.mark])
    with pytest.raises(Unavailable):
        daemon.wait_until(lambda: False, timeout_seconds=0.2)
    assert daemon.pid() is None
