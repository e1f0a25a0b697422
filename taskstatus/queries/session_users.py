"""The user behind a Django session (protocol 2)."""

import re
from typing import Any, Final

from django.contrib.auth.base_user import AbstractBaseUser

from taskstatus.domain.characters import NAME
from taskstatus.domain.errors import DomainError
from taskstatus.identity.principals import User
from taskstatus.models import UserProfile

_NAME: Final = re.compile(NAME)
_MAX_NAME: Final = 64


def session_user(account: AbstractBaseUser, session_key: str) -> User:
    """Who the account is to this service; raises PERMISSION_REQUIRED without a profile that can be used."""
    profile = UserProfile.objects.filter(account_id=account.pk).select_related("account").first()
    if profile is None or not all(_is_name(name) for name in (profile.tenant_id, profile.name)):
        raise DomainError("PERMISSION_REQUIRED", "This account has no profile for the task status service.")
    return User(
        tenant=profile.tenant_id,
        user_id=profile.name,
        projects=_names(profile.projects),
        roles=_names(profile.roles),
        session_id=session_key,
    )


def tenant_of(account: AbstractBaseUser) -> str | None:
    """The tenant that the account's profile names; None without a profile that can be used."""
    profile = UserProfile.objects.filter(account_id=account.pk).first()
    return profile.tenant_id if profile is not None and _is_name(profile.tenant_id) else None


def _names(values: Any) -> frozenset[str]:  # noqa: ANN401 - a JSON column, edited by hand
    return frozenset(value for value in values if _is_name(value)) if isinstance(values, list) else frozenset()


def _is_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _MAX_NAME and _NAME.fullmatch(value) is not None
