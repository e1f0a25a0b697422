"""What a user asks for about the course of a task (protocol 5)."""

from taskstatus.commands.base import Part
from taskstatus.commands.fields import FreeText


class RequestCancel(Part):
    """Ask that a task be cancelled."""

    reason: FreeText | None = None
