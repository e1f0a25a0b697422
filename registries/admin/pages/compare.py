"""Comparing two versions of a definition, member by member."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from registries.admin.pages.differences import shown
from registries.differences import differences
from registries.editing.contents import content_of
from registries.exchange.rows import item_of
from registries.item import family_and_version
from registries.models import DataSchemaDefinition, OperationDefinition, StatusDefinitionSet

if TYPE_CHECKING:
    from registries.admin.base import DefinitionAdmin


def compare(admin: "DefinitionAdmin", request: HttpRequest, row: Any) -> HttpResponse:  # noqa: ANN401 - any kind's row
    """The page: the row's version and another, both to be chosen."""
    family = _family(admin, request, row)
    after = _chosen(request.GET.get("after"), family, row)
    older = [one for one in family if family.index(one) < family.index(after)]
    before = _chosen(request.GET.get("before"), family, older[-1] if older else after)
    context = {
        **admin.admin_site.each_context(request),
        "opts": admin.opts,
        "original": row,
        "title": _("Compare versions"),
        "family": [{"pk": one.pk, "label": item_of(one).label, "state": one.state} for one in family],
        "before": before,
        "after": after,
        "before_label": item_of(before).label,
        "after_label": item_of(after).label,
        "differences": shown(differences(content_of(before), content_of(after))),
    }
    return render(request, "admin/registries/compare.html", context)


def _chosen(pk: str | None, family: list[Any], otherwise: Any) -> Any:  # noqa: ANN401 - any kind's rows
    return next((one for one in family if str(one.pk) == pk), otherwise)


def _family(admin: "DefinitionAdmin", request: HttpRequest, row: Any) -> list[Any]:  # noqa: ANN401 - any kind's row
    """All versions of the definition, the oldest first."""
    rows = admin.get_queryset(request).filter(scope=row.scope)
    match row:
        case StatusDefinitionSet():
            return list(rows.filter(task_type=row.task_type).order_by("version"))
        case OperationDefinition():
            return list(rows.filter(code=row.code).order_by("task_type_pattern", "version"))
        case DataSchemaDefinition():
            family, _version = family_and_version(row.name)
            found = [one for one in rows if family_and_version(one.name)[0] == family]
            return sorted(found, key=lambda one: family_and_version(one.name)[1])
    raise TypeError(row)
