"""A bell for the processes of one host: a FIFO that holds bytes of no meaning."""

import contextlib
import errno
import os
import select
from collections.abc import Iterator
from pathlib import Path
from typing import Final

# Nobody has the FIFO open, or there is none.
NOBODY_LISTENS: Final = frozenset({errno.ENXIO, errno.ENOENT})
CAPACITY_BYTES: Final = 65_536


class FifoBell:
    """Rings by a byte; one of those who listen takes it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def ring(self) -> bool:
        """Put a byte into the FIFO, which a full one doesn't need; tell whether anybody listens. Raises OSError."""
        try:
            fifo = os.open(self._path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno in NOBODY_LISTENS:
                return False
            raise
        try:
            with contextlib.suppress(BlockingIOError):
                os.write(fifo, b"\0")
        finally:
            os.close(fifo)
        return True

    @contextlib.contextmanager
    def listening(self) -> Iterator["FifoListener"]:
        """Open the FIFO, made where it is missing."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.mkfifo(self._path, 0o600)
        # For writing too: else the end of the first writer would read as an end of file, at once and for ever.
        fifo = os.open(self._path, os.O_RDWR | os.O_NONBLOCK)
        try:
            yield FifoListener(fifo)
        finally:
            os.close(fifo)


class FifoListener:
    """The reading end."""

    def __init__(self, fifo: int) -> None:
        self._fifo = fifo

    def wait(self, seconds: float) -> bool:
        """Wait for a byte and take all that are there; tell whether there was one."""
        readable, _, _ = select.select([self._fifo], [], [], seconds)
        if readable:
            with contextlib.suppress(BlockingIOError):  # another relay took them
                os.read(self._fifo, CAPACITY_BYTES)
        return bool(readable)
