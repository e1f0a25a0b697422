"""Celery's broker of files, with messages that appear whole or not at all.

Kombu creates a message's file under its final name and then fills it; a worker that looks in between reads half a
message and ends (celery/kombu#1551). Here the file is filled under another name first.
"""

import time
import uuid
from pathlib import Path
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):  # type: ignore[misc]  # kombu has no types
    """Reads as Kombu's does; only the writing differs."""

    def _put(self, queue: str, payload: Any, **_kwargs: Any) -> None:  # noqa: ANN401 - Kombu's own message
        folder = Path(self.data_folder_out)
        unique = f"{round(time.monotonic() * 1000)}_{uuid.uuid4()}"
        # Without the ending of a queue's messages, nobody takes it for one.
        draft = folder / f"{unique}-draft"
        draft.write_text(dumps(payload), encoding="utf-8")
        draft.replace(folder / f"{unique}.{queue}.msg")


class Transport(filesystem.Transport):  # type: ignore[misc]  # kombu has no types
    """What CELERY_BROKER_TRANSPORT names."""

    Channel = Channel
