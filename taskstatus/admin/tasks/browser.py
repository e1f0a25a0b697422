"""The list of tasks, and the way to each task's pages."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.text import capfirst

from registries.admin.lists import ReadOnlyList
from registries.admin.reach import tenant_of, within_reach
from taskstatus.admin import worklist
from taskstatus.admin.tasks.correct import correction_page
from taskstatus.admin.tasks.filters import FilterForm, SearchForm
from taskstatus.admin.tasks.page import task_page
from taskstatus.admin.tasks.words import health_badge, lifecycle_badge
from taskstatus.domain.errors import DomainError
from taskstatus.models import Task
from taskstatus.queries.task_browser import browse_tasks, find_tasks, reached_task, tenants_with_tasks

Page = Callable[..., HttpResponse]


@admin.register(Task)
class TaskAdmin(ReadOnlyList):
    """Read only: tasks change by reports and by use cases."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Task]:
        """Return what the account reaches, for those of Django's own views that are left."""
        return within_reach(request, super().get_queryset(request), "tenant_id")

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Whether the account may look: by `view_task` alone, where Django takes the right to change for one to see."""
        return request.user.has_perm("taskstatus.view_task")

    def get_urls(self) -> list[URLPattern]:
        """Put our own pages before Django's catch-all."""
        pages: dict[str, tuple[str, Page]] = {
            "": ("change", task_page),
            "correct/": ("correct", correction_page),
            **worklist.PAGES,
        }
        own = [
            path(f"<str:task_id>/{part}", self._of_task(view), name=f"taskstatus_task_{name}")
            for part, (name, view) in pages.items()
        ]
        lists = {"": ("changelist", self.changelist_view), "work/": ("work", self._work_list)}
        listed = [
            path(part, self.admin_site.admin_view(view), name=f"taskstatus_task_{name}")
            for part, (name, view) in lists.items()
        ]
        return [*listed, *own]

    def _work_list(self, request: HttpRequest) -> HttpResponse:
        return worklist.work_list_page(self, request)

    def _of_task(self, view: Page) -> Page:
        """The page of one task: absent for those who don't reach it (acceptance S13)."""

        def page(request: HttpRequest, task_id: str) -> HttpResponse:
            return view(self, request, self.reached(request, task_id))

        guarded: Page = self.admin_site.admin_view(page)
        return guarded

    def reached(self, request: HttpRequest, task_id: str) -> Task:
        """The task, if the account may see it; otherwise it is absent."""
        if not self.has_view_permission(request):
            raise Http404
        try:
            return reached_task(task_id, tenant_of(request))
        except DomainError:
            raise Http404 from None

    def context(self, request: HttpRequest, title: str, task: Task | None = None) -> dict[str, Any]:
        """What every page about tasks needs."""
        return {**self.admin_site.each_context(request), "opts": self.opts, "title": title, "task": task}

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the list, or what a search found; what is found alone is opened."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        reach = tenant_of(request)
        filters = FilterForm(request.GET, tenants_with_tasks() if reach is None else [reach])
        search = SearchForm(request.GET, label_suffix="")
        term = search.cleaned_data["q"] if search.is_valid() else ""
        if term:
            tasks = find_tasks(term, reach, filters.shown_tenant)
            if len(tasks) == 1:
                return HttpResponseRedirect(reverse("admin:taskstatus_task_change", args=[tasks[0].id]))
            shown = {"rows": _rows(tasks), "term": term}
        else:
            shown = _browsed(request, filters)
        title = str(capfirst(self.opts.verbose_name_plural))
        context = self.context(request, title) | {"filters": filters, "search": search} | shown
        return render(request, "admin/taskstatus/tasks.html", context)


def _browsed(request: HttpRequest, filters: FilterForm) -> dict[str, Any]:
    try:
        found = browse_tasks(filters.wanted(request.GET.get("after")))
    except DomainError:
        found = browse_tasks(filters.wanted(None))
    query = request.GET.copy()
    query["after"] = found.next_cursor or ""
    return {
        "rows": _rows(found.tasks),
        "found": found,
        "following": f"?{query.urlencode()}" if found.next_cursor else None,
    }


def _rows(tasks: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - a sequence of tasks
    return [
        {
            "task": task,
            "lifecycle": lifecycle_badge(task.lifecycle_status),
            "health": health_badge(task.health, task.health_reason),
        }
        for task in tasks
    ]
