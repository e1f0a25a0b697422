"""What goes over the native stream, byte by byte (protocol 6)."""

import json
from dataclasses import dataclass
from typing import Final

COMMENT: Final = b":\n\n"
FAREWELL: Final = b": the server closes this stream; come back with the last id\n\n"


@dataclass(frozen=True, slots=True)
class Frame:
    """One event. Of two frames with the same subject the later one replaces the earlier, if that is coalescible."""

    body: bytes
    subject: tuple[str, ...]
    coalescible: bool = False


def message(cursor: str, payload: str) -> bytes:
    """An event with one of the protocol's messages, which is JSON text."""
    return event("message", cursor, payload)


def reset(cursor: str, epoch: int) -> bytes:
    """The event that tells a client to load the snapshot: what it missed can't be sent again."""
    return event("reset", cursor, json.dumps({"kind": "reset", "epoch": str(epoch)}, separators=(",", ":")))


def heartbeat(cursor: str) -> bytes:
    """The event that only moves the client's cursor."""
    return event("heartbeat", cursor, "{}")


def retry(milliseconds: int) -> bytes:
    """How long a client waits before it connects again."""
    return b"retry: %d\n\n" % milliseconds


def event(name: str, cursor: str, data: str) -> bytes:
    """One event in the form of text/event-stream; a line break in the data begins a data line of its own."""
    lines = data.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\ndata: ")
    return f"id: {cursor}\nevent: {name}\ndata: {lines}\n\n".encode()
