"""Whose definitions an account reaches: all of them, its tenant's, or none (acceptance S13).

The registries know no accounts. The setting `REGISTRIES_TENANT_OF` names the function that says which tenant an
account belongs to; None is one without a tenant.
"""

from collections.abc import Callable
from typing import Final, TypeVar, cast

from django.conf import settings
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.module_loading import import_string

from registries.actors import MAX_NAME, Actor

_TENANT: Final = "_registries_tenant"
_NOBODYS: Final = ""
_MOST_DIGITS: Final = 18
RowT = TypeVar("RowT", bound=Model)


def tenant_of(request: HttpRequest) -> str | None:
    """The only tenant that the request's account reaches; None for a superuser, who reaches all."""
    if request.user.is_superuser:
        return None
    if not hasattr(request, _TENANT):
        find = cast("Callable[[object], str | None]", import_string(settings.REGISTRIES_TENANT_OF))
        setattr(request, _TENANT, find(request.user) or _NOBODYS)
    return cast("str", getattr(request, _TENANT))


def within_reach(request: HttpRequest, rows: "QuerySet[RowT]", column: str = "scope__tenant_id") -> "QuerySet[RowT]":
    """The rows of the account's tenant; those of others are as if they weren't there."""
    tenant = tenant_of(request)
    return rows if tenant is None else rows.filter(**{column: tenant}) if tenant else rows.none()


def actor_of(request: HttpRequest) -> Actor:
    """Who changes definitions by this request."""
    return Actor(request.user.get_username()[:MAX_NAME], tenant_of(request))


def row_id(text: object) -> int:
    """The row's number in an address; 0, which no row has, for what is no number."""
    digits = str(text)
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS else 0
