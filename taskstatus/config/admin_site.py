"""The admin's site: what its pages may load is what all pages may."""

from collections.abc import Callable
from typing import Any, Final

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _

from taskstatus.pages.security import self_contained

_APPS: Final = ("taskstatus", "registries", "outbox", "auth")
_MODELS: Final = (
    "Task",
    "WorkList",
    "StatusDefinitionSet",
    "OperationDefinition",
    "DataSchemaDefinition",
    "DefinitionScope",
    "DefinitionChange",
)


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

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return what there is to look after, in the order of how often it is."""
        apps = super().get_app_list(request, app_label)
        for app in apps:
            app["models"] += [_work_list(model) for model in app["models"] if model["object_name"] == "Task"]
            app["models"].sort(key=lambda model: _place(_MODELS, model["object_name"]))
        return sorted(apps, key=lambda app: _place(_APPS, app["app_label"]))


def _work_list(tasks: dict[str, Any]) -> dict[str, Any]:
    """The list of tasks that need a look, as one more entry beside the tasks."""
    name, address = _("Tasks that need a look"), reverse("admin:taskstatus_task_work")
    return {**tasks, "name": name, "object_name": "WorkList", "admin_url": address}


def _place(order: tuple[str, ...], name: str) -> int:
    return order.index(name) if name in order else len(order)
