"""Asking before a definition is published, retired, copied or deleted: what will happen, or what speaks against it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString

from registries.admin.columns import add_facts
from registries.admin.pages.deeds import BUTTONS, CONSEQUENCES, DONE, NOT_NOW, QUESTIONS, Deed, carry_out
from registries.admin.pages.faults import Fault, faults_of
from registries.admin.reach import actor_of
from registries.admin.words import state_badge
from registries.editing.contents import digest_of
from registries.exchange.rows import item_of
from registries.kinds import DefinitionRow
from registries.problems import DefinitionsRefusedError, Problem

if TYPE_CHECKING:
    from registries.admin.base import DefinitionAdmin


@dataclass(frozen=True, slots=True)
class Candidate:
    """One definition, and what speaks against it; `seen` says which content was looked at."""

    row: Any
    label: str
    seen: str
    faults: Sequence[Fault]

    @property
    def badge(self) -> SafeString:
        """Its state."""
        return state_badge(self.row.state)


def confirm_one(admin: "DefinitionAdmin", request: HttpRequest, row: Any, *, deed: Deed) -> HttpResponse:  # noqa: ANN401
    """The page of the button on a definition's own page."""
    if not admin.has_right(request, deed):
        raise PermissionDenied
    if request.method == "POST" and (next_row := _do(request, deed, row)):
        return HttpResponseRedirect(_address(admin, deed, next_row))
    return render(request, "admin/registries/confirm.html", _context(admin, request, deed, [row]))


def confirm_many(
    admin: "DefinitionAdmin", request: HttpRequest, rows: "QuerySet[Any]", deed: Deed
) -> HttpResponse | None:
    """The page of an action on the list; None leads back to the list."""
    if "confirmed" in request.POST:
        for row in rows:
            _do(request, deed, row)
        return None
    context = _context(admin, request, deed, list(rows)) | {
        "action": request.POST["action"],
        "checkbox": ACTION_CHECKBOX_NAME,
    }
    return render(request, "admin/registries/confirm.html", context)


def _do(request: HttpRequest, deed: Deed, row: DefinitionRow) -> DefinitionRow | None:
    """Carry it out and say so, or say everything that speaks against it."""
    name = item_of(row).label
    try:
        done = carry_out(deed, row, actor_of(request), request.POST.get(f"seen-{row.pk}"))
    except DefinitionsRefusedError as error:
        for problem in error.problems:
            messages.error(request, str(problem))
        return None
    name = item_of(done).label if deed is Deed.COPY else name
    messages.success(request, DONE[deed] % {"name": name})
    return done


def _context(admin: "DefinitionAdmin", request: HttpRequest, deed: Deed, rows: Sequence[Any]) -> dict[str, Any]:
    add_facts(rows)
    candidates = [
        Candidate(row, item_of(row).label, digest_of(row), _against(admin, request, deed, row)) for row in rows
    ]
    return {
        **admin.admin_site.each_context(request),
        "opts": admin.opts,
        "title": QUESTIONS[deed][len(rows) > 1],
        "deed": deed.value,
        "consequences": CONSEQUENCES[deed],
        "button": BUTTONS[deed],
        "candidates": candidates,
        "ready": sum(not candidate.faults for candidate in candidates),
        "original": rows[0] if len(rows) == 1 else None,
    }


def _against(admin: "DefinitionAdmin", request: HttpRequest, deed: Deed, row: Any) -> Sequence[Fault]:  # noqa: ANN401
    if not admin.may(request, deed, row):
        return [Fault(Problem("", str(NOT_NOW[deed]), item_of(row).label), "")]
    return faults_of(row) if deed is Deed.PUBLISH else ()


def _address(admin: "DefinitionAdmin", deed: Deed, row: DefinitionRow) -> str:
    name = f"admin:registries_{admin.opts.model_name}"
    return reverse(f"{name}_changelist") if deed is Deed.DELETE else reverse(f"{name}_change", args=[row.pk])
