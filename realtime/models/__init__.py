"""What the web workers of one deployment share. None of it is a fact: each row lapses by itself."""

from realtime.models.seat import Seat
from realtime.models.watched_task import WatchedTask

__all__ = ["Seat", "WatchedTask"]
