"""A scope's definitions as one file: written, and read again after the difference was looked at (acceptance G07)."""

import base64
import binascii
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from registries.admin.pages.differences import shown
from registries.admin.reach import actor_of
from registries.admin.words import KINDS, STATES, change_badge
from registries.exchange.export import export_definitions
from registries.exchange.load import load_definitions
from registries.exchange.plan import Change
from registries.exchange.preview import ImportPreview, PreviewedChange, preview_import
from registries.exchange.yaml_reader import MAX_FILE_BYTES
from registries.models import DefinitionScope
from registries.problems import DefinitionsRefusedError

if TYPE_CHECKING:
    from registries.admin.scopes import ScopeAdmin


class FileForm(forms.Form):
    """Where the definitions come from: a file, or what was pasted."""

    file = forms.FileField(
        required=False,
        label=gettext_lazy("Definitions file"),
        help_text=gettext_lazy("YAML in UTF-8, 1 MiB at most: one tenant and one authority scope."),
        widget=forms.FileInput({"accept": ".yaml,.yml,text/yaml"}),
    )
    text = forms.CharField(
        required=False,
        strip=False,
        label=gettext_lazy("or its text"),
        help_text=gettext_lazy("Paste it here instead of choosing a file."),
        widget=forms.Textarea({"rows": 12, "spellcheck": "false", "class": "code"}),
    )

    def clean(self) -> dict[str, Any]:
        """See that there is something to read."""
        given = super().clean() or {}
        if not given.get("file") and not given.get("text", "").strip():
            raise forms.ValidationError(_("Choose a file, or paste its text."))
        return given

    def bytes(self) -> bytes:
        """What was given, one byte more than allowed at most."""
        file = self.cleaned_data.get("file")
        if isinstance(file, UploadedFile):
            return bytes(file.read(MAX_FILE_BYTES + 1))
        return str(self.cleaned_data["text"]).encode()


def may_import(request: HttpRequest) -> bool:
    """Whether the account has the right to import."""
    return request.user.has_perm("registries.import_definitions")


def may_export(request: HttpRequest) -> bool:
    """Whether the account has the right to export."""
    return request.user.has_perm("registries.export_definitions")


def export(request: HttpRequest, scope: DefinitionScope) -> HttpResponse:
    """The scope as a file to be kept."""
    if not may_export(request):
        raise PermissionDenied
    text = export_definitions(scope.tenant_id, scope.authority_scope)
    name = f"{scope.tenant_id}-{scope.authority_scope}.yaml"
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type="application/yaml; charset=utf-8", headers=disposition)


def import_file(admin: "ScopeAdmin", request: HttpRequest) -> HttpResponse:
    """Ask for a file; show what it would change; load it once that was agreed to."""
    if not may_import(request):
        raise PermissionDenied
    if "content" in request.POST:
        return _load(admin, request)
    form = FileForm(request.POST, request.FILES) if request.method == "POST" else FileForm()
    if form.is_bound and form.is_valid():
        return _preview(admin, request, form.bytes())
    return _page(admin, request, {"form": form})


def _preview(admin: "ScopeAdmin", request: HttpRequest, content: bytes) -> HttpResponse:
    try:
        preview = preview_import(content, actor_of(request))
    except DefinitionsRefusedError as error:
        return _page(admin, request, {"form": FileForm(), "problems": error.problems})
    changes = [_shown(one) for one in preview.changes if one.change is not Change.UNCHANGED]
    context = {
        "preview": preview,
        "changes": changes,
        "unchanged": len(preview.changes) - len(changes),
        "problems": preview.problems,
        "content": base64.b64encode(content).decode(),
        "form": FileForm(),
    }
    return _page(admin, request, context)


def _shown(one: PreviewedChange) -> dict[str, Any]:
    return {
        "name": one.name,
        "kind": KINDS.get(one.kind, one.kind),
        "badge": change_badge(one.change),
        "before": STATES[one.state_before] if one.state_before else "",
        "after": STATES[one.state_after],
        "differences": shown(one.differences),
        "is_new": one.change is Change.CREATED,
    }


def _load(admin: "ScopeAdmin", request: HttpRequest) -> HttpResponse:
    try:
        content = base64.b64decode(request.POST["content"], validate=True)
    except binascii.Error:
        return _page(admin, request, {"form": FileForm()})
    try:
        report = load_definitions(content, actor_of(request), request.POST.get("stamp"))
    except DefinitionsRefusedError as error:
        for problem in error.problems:
            messages.error(request, str(problem))
        return _preview(admin, request, content)
    count = sum(step.change is not Change.UNCHANGED for step in report.steps)
    told = ngettext("%(count)d definition was changed.", "%(count)d definitions were changed.", count)
    messages.success(request, told % {"count": count})
    scope = DefinitionScope.objects.get(tenant_id=report.tenant, authority_scope=report.authority_scope)
    if not admin.has_view_permission(request):
        return HttpResponseRedirect(reverse("admin:index"))
    return HttpResponseRedirect(reverse("admin:registries_definitionscope_change", args=[scope.pk]))


def _page(admin: "ScopeAdmin", request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    preview = context.get("preview")
    title = (
        _("Import into %(scope)s") % {"scope": f"{preview.tenant}/{preview.authority_scope}"}
        if isinstance(preview, ImportPreview)
        else _("Import a definitions file")
    )
    shared = {**admin.admin_site.each_context(request), "opts": admin.opts, "title": title}
    return render(request, "admin/registries/import.html", shared | context)
