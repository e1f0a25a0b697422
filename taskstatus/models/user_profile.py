"""Who a Django user is to this service: tenant, userId, projects, roles (protocol 2)."""

from django.conf import settings
from django.db import models

from taskstatus.models._columns import identifier


class UserProfile(models.Model):
    """A Django user's identity; without one, a logged-in user may read nothing."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="task_profile",
        primary_key=True,
        db_comment="Django's user",
    )
    tenant_id = identifier("Tenant whose tasks the user may see")
    user_id = identifier("userId within the tenant; the username where empty", blank=True, default="")
    projects = models.JSONField(default=list, blank=True, db_comment="Projects the user is a member of")
    roles = models.JSONField(default=list, blank=True, db_comment="Roles the user has")

    class Meta:
        db_table = "user_profile"
        db_table_comment = "Identity of Django users towards this service"

    def __str__(self) -> str:
        return f"{self.tenant_id}/{self.name}"

    @property
    def name(self) -> str:
        """The userId: the one recorded, else the account's username."""
        return str(self.user_id or self.account.get_username())
