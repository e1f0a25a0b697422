"""Scopes in the admin: what each has, its export, and the import of a file."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from registries.admin.columns import column
from registries.admin.lists import ReadOnlyList
from registries.admin.pages import exchange
from registries.admin.reach import row_id, within_reach
from registries.admin.words import STATES, change_badge
from registries.history import history_of_scope
from registries.kinds import ITEM_OF
from registries.models import DefinitionScope

_LATEST = 10


@admin.register(DefinitionScope)
class ScopeAdmin(ReadOnlyList):
    """Read only: a scope comes into being with its first definition."""

    list_display = (
        column("authority_scope", _("Authority scope")),
        column("tenant_id", _("Tenant")),
        "updated_shown",
        "export_shown",
    )
    search_fields = ("tenant_id", "authority_scope")
    ordering = ("tenant_id", "authority_scope")
    change_list_template = "admin/registries/scopes.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[DefinitionScope]:
        """Return the scopes of the account's tenant."""
        return within_reach(request, super().get_queryset(request), "tenant_id")

    def get_list_display(self, request: HttpRequest) -> Any:  # noqa: ANN401 - Django's own
        """Leave the link to the export out for those who may not."""
        may_export = exchange.may_export(request)
        return [name for name in self.list_display if name != "export_shown" or may_export]

    def get_urls(self) -> list[URLPattern]:
        """Add import and export."""
        name = "registries_definitionscope"
        guard = self.admin_site.admin_view
        return [
            path("import/", guard(self._page(exchange.import_file)), name=f"{name}_import"),
            path("<int:pk>/export/", guard(self._export), name=f"{name}_export"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the list, with the way to the import."""
        return super().changelist_view(request, {"may_import": exchange.may_import(request), **(extra_context or {})})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: object = None
    ) -> HttpResponse:
        """Show what the scope has, and what was done there last."""
        scope = self.find(request, object_id)
        if not self.has_view_permission(request, scope):
            raise Http404
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": str(scope),
            "scope": scope,
            "counts": [_counted(model, scope) for model in ITEM_OF],
            "changes": [(change, change_badge(change.action)) for change in history_of_scope(scope, _LATEST)],
            "may_export": exchange.may_export(request),
            "may_import": exchange.may_import(request),
        }
        return render(request, "admin/registries/scope.html", context)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: object = None) -> HttpResponse:
        """Show the same page, which has the last changes."""
        return self.change_view(request, object_id)

    def find(self, request: HttpRequest, pk: object) -> DefinitionScope:
        """The scope, if it is the account's tenant's; otherwise it is absent."""
        scope = self.get_queryset(request).filter(pk=row_id(pk)).first()
        if scope is None:
            raise Http404
        return scope

    def _page(self, view: Callable[..., HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
        return lambda request: view(self, request)

    def _export(self, request: HttpRequest, pk: int) -> HttpResponse:
        return exchange.export(request, self.find(request, pk))

    @admin.display(description=_("last change"), ordering="updated_at")
    def updated_shown(self, scope: DefinitionScope) -> str:
        """When anything in it changed last."""
        return f"{scope.updated_at:%Y-%m-%d %H:%M} UTC"

    @admin.display(description=_("as a file"))
    def export_shown(self, scope: DefinitionScope) -> SafeString:
        """Return the link to the export."""
        address = reverse("admin:registries_definitionscope_export", args=[scope.pk])
        return format_html('<a href="{}" download>{}</a>', address, _("Export"))


def _counted(model: Any, scope: DefinitionScope) -> dict[str, Any]:  # noqa: ANN401 - one of the three kinds
    rows = model.objects.filter(scope=scope)
    counts = [(state, word, rows.filter(state=state).count()) for state, word in STATES.items()]
    return {"name": model._meta.verbose_name_plural, "model": model._meta.model_name, "counts": counts}  # noqa: SLF001
