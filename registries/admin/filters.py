"""By what the lists are narrowed: state and scope, of which an operator is offered only their own."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from registries.admin.reach import row_id, within_reach
from registries.admin.words import STATES
from registries.models import DefinitionScope


class StateFilter(admin.SimpleListFilter):
    """Drafts, published, retired."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: "admin.ModelAdmin[Any]") -> list[tuple[str, Any]]:
        """Return the states."""
        return list(STATES.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows in that state."""
        return queryset.filter(state=self.value()) if self.value() in STATES else queryset


class ScopeFilter(admin.SimpleListFilter):
    """The scopes that the account reaches."""

    title = _("scope")
    parameter_name = "scope"

    def lookups(self, request: HttpRequest, model_admin: "admin.ModelAdmin[Any]") -> list[tuple[str, Any]]:
        """Return them by tenant and name."""
        scopes = within_reach(request, DefinitionScope.objects.all(), "tenant_id")
        return [(str(scope.pk), str(scope)) for scope in scopes.order_by("tenant_id", "authority_scope")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the scope's rows."""
        return queryset.filter(scope_id=row_id(self.value())) if self.value() else queryset
