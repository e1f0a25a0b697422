"""Who did what to a definition, and what each change changed (acceptance G06)."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from registries.admin.pages.differences import shown
from registries.admin.words import SOURCES, change_badge
from registries.exchange.rows import item_of
from registries.history import history_of

if TYPE_CHECKING:
    from registries.admin.base import DefinitionAdmin


def history(admin: "DefinitionAdmin", request: HttpRequest, row: Any) -> HttpResponse:  # noqa: ANN401 - any kind's row
    """The page."""
    entries = [
        {
            "change": past.change,
            "deed": change_badge(past.change.action),
            "source": SOURCES.get(past.change.source, past.change.source),
            "differences": shown(past.differences),
        }
        for past in history_of(row)
    ]
    context = {
        **admin.admin_site.each_context(request),
        "opts": admin.opts,
        "original": row,
        "title": _("History of %(name)s") % {"name": item_of(row).label},
        "entries": entries,
    }
    return render(request, "admin/registries/history.html", context)
