"""What the service adds to the admin beyond its registries: accounts with their profiles, tasks, and trying events."""

from taskstatus.admin.accounts import AccountAdmin
from taskstatus.admin.tasks import TaskAdmin

__all__ = ["AccountAdmin", "TaskAdmin"]
