"""Accounts in the admin, with the profile that ties each to its tenant (acceptance S13)."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from taskstatus.models import UserProfile

if TYPE_CHECKING:
    StackedInline = admin.StackedInline[UserProfile, User]
    AccountBase = UserAdmin[User]
else:
    StackedInline = admin.StackedInline
    AccountBase = UserAdmin


class ProfileInline(StackedInline):
    """Who the account is to the service; only superusers may say so, since it decides what the account reaches."""

    model = UserProfile
    verbose_name_plural = _("Profile for the task status service")
    can_delete = True

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ANN401 - Django's own
        """Superusers alone."""
        return bool(request.user.is_superuser)

    has_add_permission = has_change_permission = has_delete_permission = has_view_permission


admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(AccountBase):
    """Django's own page of an account, with its profile."""

    inlines = (*UserAdmin.inlines, ProfileInline)
