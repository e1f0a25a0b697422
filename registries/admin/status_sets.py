"""Status sets in the admin: the list, the rows of a draft, and the graph beside them."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from registries.admin.base import DefinitionAdmin
from registries.admin.columns import column
from registries.admin.forms.status_set import StatusFormSet, StatusSetForm
from registries.admin.graph.view import graph_context
from registries.models import StatusDefinitionSet


@admin.register(StatusDefinitionSet)
class StatusSetAdmin(DefinitionAdmin):
    """Status sets."""

    form_class = StatusSetForm
    list_display = (
        column("task_type", _("Task type")),
        column("version", _("Version")),
        "state_shown",
        "scope_shown",
        "uses_shown",
        "latest_shown",
    )
    search_fields = ("task_type", "statuses__code")
    search_help_text = _("Part of a task type, or of a code.")
    ordering = ("scope", "task_type", "-version")

    def get_urls(self) -> list[URLPattern]:
        """Add the address to which the page sends what is being written, to have it drawn."""
        view = self.admin_site.admin_view(require_POST(self.graph_view))
        return [path("graph/", view, name="registries_statusdefinitionset_graph"), *super().get_urls()]

    def graph_view(self, request: HttpRequest) -> HttpResponse:
        """Draw the codes of the form as it stands, saved or not."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        rows: list[dict[str, Any]] = StatusFormSet(request.POST, prefix="statuses").contents()
        return render(request, "admin/registries/graph.html", graph_context(rows))
