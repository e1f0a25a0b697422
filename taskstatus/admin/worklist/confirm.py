"""The question before each deed, and the deed."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from registries.admin.reach import actor_of
from taskstatus.admin.tasks.correction_words import problems_of
from taskstatus.admin.worklist.deeds import RIGHTS, WORDS, Deed, holds_credentials
from taskstatus.domain.errors import DomainError
from taskstatus.models import Task
from taskstatus.queries.aggregates import current_steps
from taskstatus.services.operator_deeds import reconcile_for, requeue_for
from taskstatus.services.revoke_credentials import revoke_credentials

if TYPE_CHECKING:
    from taskstatus.admin.tasks.browser import TaskAdmin

_Page = Callable[..., HttpResponse]


def deed_pages() -> Mapping[str, tuple[str, _Page]]:
    """The page of each deed: the end of its address, its name, the view."""
    return {f"{deed}/": (deed.value, partial(deed_page, deed=deed)) for deed in Deed}


def deed_page(admin: "TaskAdmin", request: HttpRequest, task: Task, *, deed: Deed) -> HttpResponse:
    """Ask; sent, do it, say so, and lead back to why the task does not move."""
    if not request.user.has_perm(RIGHTS[deed]):
        raise PermissionDenied
    execution_id = _execution(request, task) if deed is Deed.REVOKE else None
    if request.method == "POST":
        try:
            messages.success(request, _DEEDS[deed](task, execution_id or "", actor_of(request).name))
        except DomainError as error:
            messages.error(request, " ".join(str(words) for _field, words in problems_of(error)))
        return HttpResponseRedirect(reverse("admin:taskstatus_task_why", args=[task.id]))
    words = WORDS[deed]
    context = {"words": words, "deed": deed, "execution_id": execution_id}
    context |= admin.context(request, str(words.question), task)
    return render(request, "admin/taskstatus/confirm_deed.html", context)


def _execution(request: HttpRequest, task: Task) -> str:
    """The execution that is named: a current one of this task, which somebody can report for."""
    name = request.GET.get("execution")
    known = [step.execution_id for step in current_steps([task.id])[task.id] if holds_credentials(step)]
    if name not in known or name is None:
        raise Http404
    return name


def _reconcile(task: Task, _execution_id: str, actor: str) -> str:
    done = reconcile_for(task, actor)
    if done.is_deaf:
        return _("Nothing was judged: nobody takes reports at present, so silence proves nothing.")
    if done.failed:
        return _("Its health could not be judged; the log says why.")
    if not done.changed:
        return _("Its health was judged, and nothing has changed.")
    return ngettext(
        "Its health was judged: %(count)s execution changed.",
        "Its health was judged: %(count)s executions changed.",
        done.changed,
    ) % {"count": done.changed}


def _requeue(task: Task, _execution_id: str, actor: str) -> str:
    count = requeue_for(task, actor)
    told = ngettext("%(count)s message waits again.", "%(count)s messages wait again.", count)
    return told % {"count": count}


def _revoke(_task: Task, execution_id: str, actor: str) -> str:
    revoke_credentials(execution_id, actor)
    return _("The credentials of %(execution)s no longer count.") % {"execution": execution_id}


_DEEDS: Final[Mapping[Deed, Callable[[Task, str, str], str]]] = {
    Deed.RECONCILE: _reconcile,
    Deed.REQUEUE: _requeue,
    Deed.REVOKE: _revoke,
}
