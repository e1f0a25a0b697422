"""Reading text/event-stream as a browser does."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Event:
    """One event, with the id that the client would come back with."""

    name: str
    id: str
    data: str

    @property
    def body(self) -> Any:
        """The data's JSON."""
        return json.loads(self.data)


class Parser:
    """Takes bytes in whatever pieces and gives events; keeps the comment lines and the retry time."""

    def __init__(self):
        self.comments = []
        self.retry_ms = None
        self.text = b""
        self._rest = b""
        self._events = asyncio.Queue()

    def feed(self, piece):
        self.text += piece
        *blocks, self._rest = (self._rest + piece).split(b"\n\n")
        for block in blocks:
            self._block(block.decode())

    def end(self):
        self._events.put_nowait(None)

    async def event(self):
        """The next event, None at the end."""
        return await self._events.get()

    def waiting(self):
        """The events that are there by now."""
        return [self._events.get_nowait() for _ in range(self._events.qsize())]

    def _block(self, block):
        fields = {}
        for line in block.split("\n"):
            if line.startswith(":"):
                self.comments.append(line)
                continue
            name, _, value = line.partition(": ")
            fields[name] = f"{fields[name]}\n{value}" if name in fields else value
        if "retry" in fields:
            self.retry_ms = int(fields["retry"])
        if "data" in fields:
            self._events.put_nowait(Event(fields["event"], fields["id"], fields["data"]))
