"""What the three kinds of definition share in the admin: list, pages, rights."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext_lazy as _

from registries.admin.columns import DefinitionList
from registries.admin.filters import ScopeFilter, StateFilter
from registries.admin.forms.base import DefinitionForm
from registries.admin.lists import TitledList
from registries.admin.pages import compare, confirm, editor, history
from registries.admin.pages.deeds import NEEDED_STATE, Deed
from registries.admin.reach import row_id, within_reach
from registries.admin.words import state_badge
from registries.states import State


class DefinitionAdmin(TitledList):
    """One kind of definition; the pages behind the list are our own, in `registries.admin.pages`."""

    form_class: ClassVar[type[DefinitionForm]]
    list_filter = (StateFilter, ScopeFilter)
    list_select_related = ("scope",)
    list_per_page = 50
    show_full_result_count = False
    actions = ("publish_selected", "retire_selected", "copy_selected")
    change_list_template = "admin/registries/change_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return what the account reaches; a row of another tenant is nowhere (acceptance S13)."""
        return within_reach(request, super().get_queryset(request).select_related("scope"))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search in whichever case it is typed: identifiers are compared as bytes, so each case is looked for."""
        found, _has_twins = super().get_search_results(request, queryset, search_term)
        for term in sorted({search_term.lower(), search_term.upper()} - {search_term}):
            found = found | super().get_search_results(request, queryset, term)[0]
        return found, True

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[DefinitionList]:
        """Return the list that knows uses and changes."""
        return DefinitionList

    def get_urls(self) -> list[URLPattern]:
        """Add the pages that Django's own admin lacks, before its catch-all."""
        name = self.opts.model_name
        own = [
            path(f"<int:pk>/{deed}/", self._page(confirm.confirm_one, deed=deed), name=f"registries_{name}_{deed}")
            for deed in (Deed.PUBLISH, Deed.RETIRE, Deed.COPY)
        ]
        compared = path("<int:pk>/compare/", self._page(compare.compare), name=f"registries_{name}_compare")
        return [*own, compared, *super().get_urls()]

    def _page(self, view: Callable[..., HttpResponse], **fixed: Any) -> Callable[..., HttpResponse]:
        def page(request: HttpRequest, pk: int) -> HttpResponse:
            return view(self, request, self.find(request, pk), **fixed)

        return self.admin_site.admin_view(page)

    def find(self, request: HttpRequest, pk: object) -> Any:  # noqa: ANN401 - a row of the admin's kind
        """The row, if the account may see it; otherwise it is absent."""
        row = self.get_queryset(request).filter(pk=row_id(pk)).first()
        if row is None or not self.has_view_permission(request, row):
            raise Http404
        return row

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: object = None) -> HttpResponse:
        """Begin a draft."""
        return editor.add(self, request)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: object = None
    ) -> HttpResponse:
        """Edit a draft, or look at what is frozen."""
        return editor.change(self, request, self.find(request, object_id))

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: object = None) -> HttpResponse:
        """Throw a draft away, once that was confirmed."""
        return confirm.confirm_one(self, request, self.find(request, object_id), deed=Deed.DELETE)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: object = None) -> HttpResponse:
        """Show who did what, and what it changed."""
        return history.history(self, request, self.find(request, object_id))

    # Rights. A frozen definition is never changed nor deleted, whatever the account may do.

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ANN401 - Django's own
        """Whether the account may edit drafts, and this is one."""
        return super().has_change_permission(request, obj) and _is_draft(obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ANN401 - Django's own
        """Whether the account may delete drafts, and this is one."""
        return super().has_delete_permission(request, obj) and _is_draft(obj)

    def has_publish_permission(self, request: HttpRequest) -> bool:
        """Whether the account may publish."""
        return request.user.has_perm(f"registries.publish_{self.opts.model_name}")

    def has_retire_permission(self, request: HttpRequest) -> bool:
        """Whether the account may retire."""
        return request.user.has_perm(f"registries.retire_{self.opts.model_name}")

    def has_right(self, request: HttpRequest, deed: Deed) -> bool:
        """Whether the account may do so at all; where a row's state stands in the way, the page says it."""
        match deed:
            case Deed.PUBLISH:
                return self.has_publish_permission(request)
            case Deed.RETIRE:
                return self.has_retire_permission(request)
            case Deed.COPY:
                return self.has_add_permission(request)
            case Deed.DELETE:
                return self.has_delete_permission(request)

    def may(self, request: HttpRequest, deed: Deed, row: Any) -> bool:  # noqa: ANN401 - a row of the admin's kind
        """Whether the account has the right, and the row's state leaves room for it."""
        return self.has_right(request, deed) and NEEDED_STATE.get(deed, row.state) == row.state

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Leave Django's own deletion out: drafts are deleted on their page, and nothing else is."""
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    @admin.action(description=_("Publish the selected drafts…"), permissions=["publish"])
    def publish_selected(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        """Ask, then publish."""
        return confirm.confirm_many(self, request, queryset, Deed.PUBLISH)

    @admin.action(description=_("Retire the selected definitions…"), permissions=["retire"])
    def retire_selected(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        """Ask, then retire."""
        return confirm.confirm_many(self, request, queryset, Deed.RETIRE)

    @admin.action(description=_("Copy the selected to their next version…"), permissions=["add"])
    def copy_selected(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        """Ask, then copy."""
        return confirm.confirm_many(self, request, queryset, Deed.COPY)

    # Columns.

    @admin.display(description=_("state"), ordering="state")
    def state_shown(self, row: Any) -> SafeString:  # noqa: ANN401 - a row of the admin's kind
        """The state with its colour."""
        return state_badge(row.state)

    @admin.display(description=_("scope"), ordering="scope")
    def scope_shown(self, row: Any) -> str:  # noqa: ANN401 - a row of the admin's kind
        """Tenant and authority scope."""
        return str(row.scope)

    @admin.display(description=_("in use by"))
    def uses_shown(self, row: Any) -> SafeString:  # noqa: ANN401 - a row of the admin's kind
        """How much is bound to it; where the column has no head, it says so itself."""
        return format_html('<span class="only-narrow">{} </span>{}', _("in use by"), str(row.uses))

    @admin.display(description=_("last change"))
    def latest_shown(self, row: Any) -> str:  # noqa: ANN401 - a row of the admin's kind
        """Who did what, and how long ago."""
        if row.latest is None:
            return "-"
        when = _("%(time)s ago") % {"time": timesince(row.latest.changed_at, depth=1)}
        return format_html(
            '<span class="who">{}</span> <time datetime="{}" title="{}">{}</time>',
            row.latest.actor,
            row.latest.changed_at.isoformat(),
            row.latest.changed_at.strftime("%Y-%m-%d %H:%M UTC"),
            when,
        )


def _is_draft(row: Any) -> bool:  # noqa: ANN401 - a row, or None where Django asks in general
    return row is None or row.state == State.DRAFT
