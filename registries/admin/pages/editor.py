"""Writing drafts, and looking at what is frozen."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from registries.admin.columns import add_facts
from registries.admin.forms.base import ScopeForm
from registries.admin.graph.view import graph_context
from registries.admin.pages.deeds import Deed
from registries.admin.pages.faults import faults_of, mark_lines
from registries.admin.pages.read_only import facts_of
from registries.admin.pages.sheet import Sheet
from registries.admin.reach import actor_of, tenant_of
from registries.editing.contents import content_of, digest_of
from registries.editing.make_draft import make_draft
from registries.editing.save_draft import save_draft
from registries.exchange.rows import item_of
from registries.kinds import DefinitionRow
from registries.problems import DefinitionConflictError, DefinitionsRefusedError

if TYPE_CHECKING:
    from registries.admin.base import DefinitionAdmin


def add(admin: "DefinitionAdmin", request: HttpRequest) -> HttpResponse:
    """The page on which a draft begins."""
    if not admin.has_add_permission(request):
        raise PermissionDenied
    data = request.POST if request.method == "POST" else None
    place = ScopeForm(data, own_tenant=tenant_of(request), initial={"authorityScope": request.GET.get("scope", "")})
    sheet = Sheet(admin.form_class, data)
    if data is not None and place.is_valid() & sheet.is_valid() and (row := _make(admin, request, place, sheet)):
        messages.success(request, _("The draft of %(name)s was made.") % {"name": item_of(row).label})
        return HttpResponseRedirect(_after_saving(admin, request, row))
    title = _("New %(kind)s") % {"kind": admin.opts.verbose_name}
    return render(request, "admin/registries/draft.html", _context(admin, request, sheet, title) | {"place": place})


def change(admin: "DefinitionAdmin", request: HttpRequest, row: Any) -> HttpResponse:  # noqa: ANN401 - any kind's row
    """A draft in its form for those who may edit it; everything else to be read."""
    if not admin.has_change_permission(request, row):
        return _show(admin, request, row)
    data = request.POST if request.method == "POST" else None
    sheet = Sheet(admin.form_class, data, content_of(row))
    if data is not None and sheet.is_valid() and (saved := _save(request, row, sheet)):
        messages.success(request, _("%(name)s is saved.") % {"name": item_of(saved).label})
        return HttpResponseRedirect(_after_saving(admin, request, saved))
    faults = faults_of(row)
    if data is None:
        mark_lines(sheet.form, content_of(row), faults)
    context = _context(admin, request, sheet, item_of(row).label) | _about(admin, request, row)
    seen = data.get("seen", "") if data is not None else digest_of(row)
    return render(request, "admin/registries/draft.html", context | {"faults": faults, "seen": seen})


def _make(admin: "DefinitionAdmin", request: HttpRequest, place: ScopeForm, sheet: Sheet) -> DefinitionRow | None:
    where = place.cleaned_data
    try:
        return make_draft(admin.model, sheet.content(), where["tenant"], where["authorityScope"], actor_of(request))
    except DefinitionsRefusedError as error:
        sheet.show(error.problems)
        return None


def _save(request: HttpRequest, row: DefinitionRow, sheet: Sheet) -> DefinitionRow | None:
    try:
        return save_draft(row, sheet.content(), actor_of(request), request.POST.get("seen"))
    except DefinitionConflictError as error:
        for problem in error.problems:
            messages.error(request, str(problem))
    except DefinitionsRefusedError as error:
        sheet.show(error.problems)
    return None


def _show(admin: "DefinitionAdmin", request: HttpRequest, row: Any) -> HttpResponse:  # noqa: ANN401 - any kind's row
    if request.method == "POST":
        raise PermissionDenied
    content = content_of(row)
    context = {
        **admin.admin_site.each_context(request),
        "opts": admin.opts,
        "title": item_of(row).label,
        "groups": facts_of(admin.form_class(), content),
        "statuses": content.get("statuses"),
        **_about(admin, request, row),
    }
    if "statuses" in content:
        context |= graph_context(content["statuses"])
    return render(request, "admin/registries/frozen.html", context)


def _context(admin: "DefinitionAdmin", request: HttpRequest, sheet: Sheet, title: str) -> dict[str, Any]:
    drawn = graph_context(sheet.statuses()) if sheet.rows is not None else {}
    return {
        **admin.admin_site.each_context(request),
        "opts": admin.opts,
        "title": title,
        "sheet": sheet,
        "form": sheet.form,
        "rows": sheet.rows,
        "has_publish_permission": admin.has_publish_permission(request),
        **drawn,
    }


def _about(admin: "DefinitionAdmin", request: HttpRequest, row: Any) -> dict[str, Any]:  # noqa: ANN401 - any kind's row
    add_facts([row])
    return {
        "original": row,
        "may": {deed.value: admin.may(request, deed, row) for deed in Deed},
        "may_try": request.user.has_perm("registries.try_events"),
    }


def _after_saving(admin: "DefinitionAdmin", request: HttpRequest, row: DefinitionRow) -> str:
    """On to the question whether to publish, if that was the button; otherwise back to the draft."""
    page = "publish" if "_publish" in request.POST else "change"
    return reverse(f"admin:registries_{admin.opts.model_name}_{page}", args=[row.pk])
