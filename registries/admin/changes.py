"""The history of all definitions a tenant has, those included that were deleted (acceptance G06)."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from registries.admin.columns import column
from registries.admin.filters import ScopeFilter
from registries.admin.lists import ReadOnlyList
from registries.admin.pages.differences import shown
from registries.admin.reach import row_id, within_reach
from registries.admin.words import CHANGES, KINDS, SOURCES, change_badge
from registries.exchange.plan import Change
from registries.history import past_change
from registries.models import DefinitionChange


class DeedFilter(admin.SimpleListFilter):
    """What was done."""

    title = _("what was done")
    parameter_name = "action"

    def lookups(self, request: HttpRequest, model_admin: "admin.ModelAdmin[Any]") -> list[tuple[str, Any]]:
        """Return what can be done."""
        return [(change, word) for change, word in CHANGES.items() if change != Change.UNCHANGED]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the changes of that sort."""
        return queryset.filter(action=self.value()) if self.value() in CHANGES else queryset


@admin.register(DefinitionChange)
class ChangeAdmin(ReadOnlyList):
    """Read only: a history that can be edited is none."""

    list_display = (
        column("name", _("Name")),
        "kind_shown",
        "deed_shown",
        column("actor", _("who")),
        "source_shown",
        column("scope", _("scope")),
        "when_shown",
    )
    list_filter = (DeedFilter, ScopeFilter)
    list_select_related = ("scope",)
    search_fields = ("name", "actor")
    search_help_text = _("Part of a definition's name, or of a person's.")
    ordering = ("-id",)
    show_full_result_count = False
    change_list_template = "admin/registries/change_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[DefinitionChange]:
        """Return the changes of the account's tenant."""
        return within_reach(request, super().get_queryset(request))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: object = None
    ) -> HttpResponse:
        """Show one change: who, when, and what it changed."""
        change = self.get_queryset(request).filter(pk=row_id(object_id)).first()
        if change is None or not self.has_view_permission(request, change):
            raise Http404
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": change.name,
            "change": change,
            "deed": change_badge(change.action),
            "kind": KINDS.get(change.kind, change.kind),
            "source": SOURCES.get(change.source, change.source),
            "differences": shown(past_change(change).differences),
        }
        return render(request, "admin/registries/change.html", context)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: object = None) -> HttpResponse:
        """Show the change itself: it has no other history."""
        return self.change_view(request, object_id)

    @admin.display(description=_("kind"), ordering="kind")
    def kind_shown(self, change: DefinitionChange) -> str:
        """What sort of definition it was."""
        return str(KINDS.get(change.kind, change.kind))

    @admin.display(description=_("what was done"), ordering="action")
    def deed_shown(self, change: DefinitionChange) -> SafeString:
        """What was done, with its colour."""
        return change_badge(change.action)

    @admin.display(description=_("when"), ordering="id")
    def when_shown(self, change: DefinitionChange) -> str:
        """When it was done, by the clock that all of the service goes by."""
        return f"{change.changed_at:%Y-%m-%d %H:%M} UTC"

    @admin.display(description=_("how"))
    def source_shown(self, change: DefinitionChange) -> str:
        """By the admin or by a file."""
        return str(SOURCES.get(change.source, change.source))
