"""Correcting a task: a form, a look at what is and what would be, and only then the deed (ruling 16)."""

from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from registries.admin.reach import actor_of
from taskstatus.admin.tasks.correction_form import CorrectionForm
from taskstatus.admin.tasks.correction_words import shown_values
from taskstatus.commands.corrections import CorrectTask
from taskstatus.domain.errors import DomainError
from taskstatus.models import Task
from taskstatus.projections.context import DEFAULT_LANGUAGE
from taskstatus.queries.correctable import correctable
from taskstatus.services.correct_task import correct_task
from taskstatus.services.correct_task_preview import Preview, preview_correction

if TYPE_CHECKING:
    from taskstatus.admin.tasks.browser import TaskAdmin

RIGHT: Final = "taskstatus.correct_task"
# Until a preview was looked at, nobody has seen a version.
_UNSEEN: Final = "-"


def correction_page(admin: "TaskAdmin", request: HttpRequest, task: Task) -> HttpResponse:
    """The form; sent, the preview; confirmed, the correction. A step may be chosen beforehand by `?step=`."""
    if not request.user.has_perm(RIGHT):
        raise PermissionDenied
    known = correctable(task, get_language() or DEFAULT_LANGUAGE)
    if request.method != "POST":
        form = CorrectionForm(known=known, initial={"stepId": request.GET.get("step", "")})
        return _form(admin, request, task, form)
    form = CorrectionForm(request.POST, known=known)
    if "_back" in request.POST:
        return _form(admin, request, task, CorrectionForm(known=known, initial=request.POST.dict()))
    command = form.command(request.POST.get("seen") or _UNSEEN)
    if command is None:
        return _form(admin, request, task, form)
    try:
        if "_confirm" in request.POST:
            return _carry_out(admin, request, task, form, command)
        return _preview(admin, request, form, preview_correction(task.id, command, actor_of(request)))
    except DomainError as error:
        form.show(error)
        return _form(admin, request, task, form)


def _carry_out(
    admin: "TaskAdmin", request: HttpRequest, task: Task, form: CorrectionForm, command: CorrectTask
) -> HttpResponse:
    """Do it, if the task is as the preview showed it; otherwise show the preview anew, and nothing is written."""
    try:
        version = correct_task(task.id, command, actor_of(request))
    except DomainError as error:
        if error.code != "VERSION_MISMATCH":
            raise
        messages.warning(request, _("The task has changed since you looked, and nothing was corrected. Look again."))
        return _preview(admin, request, form, preview_correction(task.id, command, actor_of(request)))
    messages.success(request, _("The correction is made: it is version %(version)d.") % {"version": version})
    return HttpResponseRedirect(reverse("admin:taskstatus_task_change", args=[task.id]))


def _form(admin: "TaskAdmin", request: HttpRequest, task: Task, form: CorrectionForm) -> HttpResponse:
    faults = [(form[name], errors) for name, errors in form.errors.items()] if form.is_bound else []
    context = {"form": form, "faults": faults, **admin.context(request, _("Correct the task"), task)}
    return render(request, "admin/taskstatus/correct.html", context)


def _preview(admin: "TaskAdmin", request: HttpRequest, form: CorrectionForm, preview: Preview) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "preview": preview,
        "values": shown_values(preview.old, preview.new),
        "sent": [(field.html_name, field.value()) for field in form if field.value()],
        **admin.context(request, _("Look before you confirm"), preview.task),
    }
    return render(request, "admin/taskstatus/correct_preview.html", context)
