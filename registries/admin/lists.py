"""What lists of the registries share: their title, and for some that nothing on them is edited."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


class TitledList(ModelAdmin):
    """A list under the name of what it lists."""

    show_facets = admin.ShowFacets.NEVER

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the list."""
        title = capfirst(self.opts.verbose_name_plural)
        return super().changelist_view(request, {"title": title, **(extra_context or {})})


class ReadOnlyList(TitledList):
    """Rows that use cases make, and that nobody makes, changes or deletes by hand."""

    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody may."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ANN401 - Django's own
        """Nobody may."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ANN401 - Django's own
        """Nobody may."""
        return False
