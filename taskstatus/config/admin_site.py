"""The admin's site: what its pages may load is what all pages may."""

from collections.abc import Callable
from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _

from taskstatus.pages.security import self_contained


class Site(AdminSite):
    """Django's site, under the policy of the pages."""

    site_header = _("Task status: administration")
    site_title = _("Task status")
    index_title = _("What you can look after")

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002
        """Return the guarded view; no page of the admin runs a script of another host, or one written into it."""
        return self_contained(super().admin_view(view, cacheable))

    @method_decorator(self_contained)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Return the login, under the same policy."""
        return super().login(request, extra_context)
