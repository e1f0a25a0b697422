"""The list of tasks that need a look, each with the first reason why it does not move."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from registries.admin.reach import tenant_of
from taskstatus.admin.tasks.words import health_badge, lifecycle_badge
from taskstatus.admin.worklist.deeds import DeedLink, links, revoking
from taskstatus.admin.worklist.filters import WorkForm
from taskstatus.admin.worklist.why import ShownFinding, shown_findings
from taskstatus.domain.errors import DomainError
from taskstatus.domain.findings import OF_SERVICE, of_service
from taskstatus.models import Step
from taskstatus.projections.executions import health_since
from taskstatus.projections.spans import span
from taskstatus.queries.clock import read_clock
from taskstatus.queries.explanations import Explanation, explain
from taskstatus.queries.own_state import own_state
from taskstatus.queries.task_browser import tenants_with_tasks
from taskstatus.queries.task_windows import Found
from taskstatus.queries.work_list import work_list
from taskstatus.services.workset import is_live

if TYPE_CHECKING:
    from taskstatus.admin.tasks.browser import TaskAdmin


def work_list_page(admin: "TaskAdmin", request: HttpRequest) -> HttpResponse:
    """Show a page of it; `?after=` leads on."""
    if not admin.has_view_permission(request):
        raise PermissionDenied
    reach = tenant_of(request)
    form = WorkForm(request.GET, tenants_with_tasks() if reach is None else [reach])
    found = _found(form, request.GET.get("after"))
    query = request.GET.copy()
    query["after"] = found.next_cursor or ""
    explanations = explain(found.tasks)
    context = {
        **admin.context(request, _("Tasks that need a look")),
        "filters": form,
        "found": found,
        "service": _of_service(explanations),
        "rows": [_row(request, one) for one in explanations],
        "following": f"?{query.urlencode()}" if found.next_cursor else None,
    }
    return render(request, "admin/taskstatus/worklist.html", context)


def _found(form: WorkForm, cursor: str | None) -> Found:
    """What is asked for; a place that can't be read is the beginning."""
    try:
        return work_list(form.wanted(cursor))
    except DomainError:
        return work_list(form.wanted(None))


def _of_service(explanations: Sequence[Explanation]) -> list[ShownFinding]:
    """What is wrong with the service itself: told once above the list, and above an empty one all the more."""
    if explanations:
        own, now = explanations[0].situation.own, explanations[0].now
    else:
        own, now = own_state(), read_clock()[0]
    return shown_findings(of_service(own, now), now)


def _row(request: HttpRequest, explanation: Explanation) -> dict[str, Any]:
    task, now = explanation.task, explanation.now
    worst = _worst(explanation)
    own = [finding for finding in explanation.findings if finding.kind not in OF_SERVICE]
    since = (health_since(worst) if worst else None) or task.started_at or task.created_at
    return {
        "task": task,
        "lifecycle": lifecycle_badge(task.lifecycle_status),
        "health": health_badge(task.health, task.health_reason),
        "first": next(iter(shown_findings(own, now)), None),
        "worst": worst,
        "since": since,
        "age": span(now - since),
        "links": _links(request, explanation, worst),
    }


def _links(request: HttpRequest, explanation: Explanation, worst: Step | None) -> list[DeedLink]:
    """What the account may do about the task, and about the step that it has its health from."""
    withdrawal = revoking(request, explanation, worst) if worst is not None else None
    return [*links(request, explanation), *([withdrawal] if withdrawal is not None else [])]


def _worst(explanation: Explanation) -> Step | None:
    """The step that the task has its health from, if one is under way."""
    task = explanation.task
    live = [step for step in explanation.steps if is_live(step) and step.execution_id is not None]
    own = [step for step in live if (step.health, step.health_reason) == (task.health, task.health_reason)]
    return next(iter([*own, *live]), None)
