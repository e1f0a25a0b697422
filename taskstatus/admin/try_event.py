"""The page on which an event is tried against a definition: accepted, or the exact refusal; nothing is written."""

import json
from typing import Any, Final

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from registries.admin.base import DefinitionAdmin
from registries.admin.forms.fields import JsonEditor
from registries.exchange.rows import item_of
from registries.kinds import DefinitionRow
from registries.models import DataSchemaDefinition, OperationDefinition, StatusDefinitionSet
from registries.states import State
from taskstatus.admin.trial_scenes import initial_scene
from taskstatus.domain.lifecycle import Role
from taskstatus.services.trial_scene import Scene
from taskstatus.services.try_event import Verdict, try_event

_MODELS: Final[dict[str, type[DefinitionRow]]] = {
    "statusdefinitionset": StatusDefinitionSet,
    "operationdefinition": OperationDefinition,
    "dataschemadefinition": DataSchemaDefinition,
}


class TrialForm(forms.Form):
    """The event, and on what it is tried."""

    event = forms.CharField(
        strip=False,
        label=_("Event"),
        help_text=_("The body of a report, as JSON. Ids and sequence numbers are replaced by the trial task's own."),
        widget=JsonEditor(14),
    )
    current_status = forms.CharField(
        required=False,
        label=_("The task shows"),
        help_text=_("The business status that the task has when the event comes. Empty: as it begins."),
    )
    task_type = forms.CharField(required=False, label=_("Task type"), help_text=_("Empty: a task without a type."))
    operation_code = forms.CharField(
        required=False, label=_("Operation"), help_text=_("Whose step reports, for a step event.")
    )
    producer_id = forms.CharField(
        required=False, label=_("Producer"), help_text=_("The service that speaks. Empty: one that may.")
    )
    role = forms.ChoiceField(
        choices=[(Role.COORDINATOR.value, _("the coordinator")), (Role.WORKER.value, _("the policy executor"))],
        initial=Role.COORDINATOR.value,
        label=_("Task events speak as"),
        help_text=_("A policy executor may only report TASK_FAILED."),
    )
    task_id = forms.CharField(
        required=False,
        label=_("Or a stored task"),
        help_text=_("The id of a task of this scope: the event then meets that task as it stands. Nothing is written."),
    )


def trial_page(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    """The page; posting it judges the event."""
    model_admin = _admin(kind)
    row = model_admin.find(request, pk)
    if not request.user.has_perm("registries.try_events"):
        raise PermissionDenied
    scene, event = initial_scene(row)
    initial = {**scene, "event": json.dumps(event, indent=2, ensure_ascii=False)}
    form = TrialForm(request.POST if request.method == "POST" else None, initial=initial, label_suffix="")
    verdict = _judge(form, row) if form.is_bound and form.is_valid() else None
    context = {
        **admin.site.each_context(request),
        "opts": model_admin.opts,
        "original": row,
        "title": _("Try an event on %(name)s") % {"name": item_of(row).label},
        "form": form,
        "verdict": verdict,
        "receipt": json.dumps(verdict.receipt, indent=2, ensure_ascii=False) if verdict and verdict.receipt else "",
        "is_draft": row.state == State.DRAFT,
    }
    return render(request, "admin/registries/try.html", context)


def _admin(kind: str) -> DefinitionAdmin:
    model_admin = admin.site.get_model_admin(_MODELS[kind]) if kind in _MODELS else None
    if not isinstance(model_admin, DefinitionAdmin):
        raise Http404
    return model_admin


def _judge(form: TrialForm, row: Any) -> Verdict:  # noqa: ANN401 - a row of any kind
    given = {name: value or None for name, value in form.cleaned_data.items()}
    event = str(given.pop("event"))
    role = Role(str(given.pop("role")))
    version = row.version if isinstance(row, StatusDefinitionSet) and given["task_type"] == row.task_type else None
    operation = row.version if isinstance(row, OperationDefinition) and given["operation_code"] == row.code else None
    scene = Scene(
        tenant=row.scope.tenant_id,
        authority_scope=row.scope.authority_scope,
        status_definition_version=version,
        operation_definition_version=operation,
        role=role,
        **given,
    )
    return try_event(event.encode(), scene, [row] if row.state == State.DRAFT else ())
