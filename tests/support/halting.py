"""Gunicorn's settings for a service that stands still after its first commit of reports, until a test lets it go on.

``gunicorn -c python:tests.support.halting``: what a request does is then told to end surely in its middle.
"""

import os
import time
from pathlib import Path

from taskstatus.config import gunicorn
from taskstatus.config.gunicorn import *  # noqa: F403 - all of it

STANDING, GO_ON = "standing-still", "go-on"
# The time in which the test looks around counts too.
graceful_timeout = 60


def post_fork(server: object, worker: object) -> None:  # type: ignore[no-redef]
    """Begin as every worker does, and stand still between the transactions of one request."""
    gunicorn.post_fork(server, worker)
    from outbox import enqueue  # noqa: PLC0415 - its models are there only now

    nudge = enqueue.nudge  # type: ignore[attr-defined]

    def nudge_and_stand_still() -> None:
        nudge()
        _stand_still()

    enqueue.nudge = nudge_and_stand_still  # type: ignore[attr-defined]


def _stand_still() -> None:
    folder = Path(os.environ["VAR_DIR"])
    try:
        (folder / STANDING).touch(exist_ok=False)
    except FileExistsError:
        return
    while not (folder / GO_ON).exists():
        time.sleep(0.02)
