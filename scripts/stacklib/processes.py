"""Servers as plain processes: started apart, known by a pid file, ended only when surely ours."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from stacklib.state import Unavailable

STOP_SECONDS = 20
POLL_SECONDS = 0.05


def command_line(pid: int) -> str:
    """Return the command line of a live process, or an empty text."""
    proc = Path(f"/proc/{pid}/cmdline")
    if proc.exists():
        with contextlib.suppress(OSError):
            return proc.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        return ""
    if Path("/proc/self").exists():
        return ""
    answer = subprocess.run(["ps", "-p", str(pid), "-o", "args="], capture_output=True, text=True, check=False)
    return answer.stdout


class Daemon:
    """One server process with its pid file and its log in ``folder``."""

    def __init__(self, folder: Path, mark: str) -> None:
        """Know the process by ``mark``, a text that only our own server's command line holds."""
        self.folder = folder
        self.mark = mark
        self.pid_path = folder / "pid"
        self.log_path = folder / "log"
        self._child: subprocess.Popen[bytes] | None = None

    def pid(self) -> int | None:
        """Return the pid of our live server; a recycled pid is not ours."""
        if self._child is not None:
            self._child.poll()  # a child that ended stays as a zombie until it is asked for
        try:
            pid = int(self.pid_path.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None
        return pid if self.mark in command_line(pid) else None

    def start(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        """Start the server in a session of its own, its output in the log."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.log_path.open("ab") as log:
            self._child = subprocess.Popen(
                command,
                cwd=self.folder,
                env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.pid_path.write_text(str(self._child.pid), encoding="ascii")
        # The system shows a new program's command line a moment after it runs.
        while self._child.poll() is None and self.mark not in command_line(self._child.pid):
            time.sleep(POLL_SECONDS)

    def wait_until(self, ready: Callable[[], bool], timeout_seconds: float) -> None:
        """Return once ``ready`` says so; raise ``Unavailable`` with the log's end where it never does."""
        deadline = time.monotonic() + timeout_seconds
        while time.monotonic() < deadline:
            if ready():
                return
            if self._child is not None and self._child.poll() is not None:
                break
            time.sleep(POLL_SECONDS)
        self.stop()
        raise Unavailable(f"it did not start; the end of {self.log_path}:\n{self._log_end()}")

    def stop(self) -> bool:
        """End our server with SIGTERM, then SIGKILL; return whether there was one to end."""
        pid = self.pid()
        if pid is None:
            self.pid_path.unlink(missing_ok=True)
            return False
        os.kill(pid, signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        while self.pid() is not None and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        if self.pid() is not None:
            os.kill(pid, signal.SIGKILL)
        if self._child is not None and self._child.pid == pid:
            self._child.wait()  # its command line is gone a moment before it can be asked for
        self.pid_path.unlink(missing_ok=True)
        return True

    def _log_end(self) -> str:
        lines = self.log_path.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(f"    {line}" for line in lines[-12:])
