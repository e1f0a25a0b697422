"""What the service adds to the admin beyond its registries: accounts with their profiles, and trying events."""

from taskstatus.admin.accounts import AccountAdmin

__all__ = ["AccountAdmin"]
