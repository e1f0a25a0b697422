"""Running a command to its end, whatever this process is told meanwhile."""

import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType

Handler = Callable[[int, FrameType | None], None]


def run_to_its_end(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run a command and return its exit code.

    SIGTERM is handed on to it. Ctrl-C reaches it by itself, as everything in the terminal's foreground; here nothing is
    given up before it has ended.
    """
    child: subprocess.Popen[bytes] | None = None

    def hand_on(number: int, _frame: FrameType | None) -> None:
        if child is not None:
            child.send_signal(number)

    with told(signal.SIGTERM, hand_on), told(signal.SIGINT, nothing):
        child = subprocess.Popen(command, env=environment)
        code = child.wait()
    return code if code >= 0 else 128 - code


@contextmanager
def told(number: signal.Signals, handler: Handler) -> Iterator[None]:
    """Do this about a signal within the block. A handler, unlike SIG_IGN, is not inherited by the command."""
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def nothing(_number: int, _frame: FrameType | None) -> None:
    """Take note of a signal, and go on."""


def leave(number: int, _frame: FrameType | None) -> None:
    """End this process the way of an exception, so that what it began is tidied up."""
    raise SystemExit(128 + number)
