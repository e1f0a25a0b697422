"""The page of one task: state, steps with their attempts, timeline, audit, and what else there is about it."""

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from taskstatus.admin.tasks.correct import RIGHT
from taskstatus.admin.tasks.links import links_for
from taskstatus.admin.tasks.words import health_badge, lifecycle_badge
from taskstatus.domain.durations import queue_ms, total_ms
from taskstatus.domain.versions import parse_decimal
from taskstatus.models import Step, Task, TaskEvent
from taskstatus.queries.task_file import TaskFile, task_file

if TYPE_CHECKING:
    from taskstatus.admin.tasks.browser import TaskAdmin

# Neither what the log says in columns of its own, nor what workers wrote freely: that may hold what no page shall show.
_CARRIED = ("reason", "old", "new", "error", "failedStepId", "before", "after", "progress", "phaseCode")


def task_page(admin: "TaskAdmin", request: HttpRequest, task: Task) -> HttpResponse:
    """The page; `?before=` leads to older events."""
    file = task_file(task, _version(request.GET.get("before")))
    context = {
        **admin.context(request, task.title, task),
        "file": file,
        "lifecycle": lifecycle_badge(task.lifecycle_status),
        "health": health_badge(task.health, task.health_reason),
        "queue_ms": queue_ms(task.created_at, task.first_started_at),
        "total_ms": total_ms(task.created_at, task.finished_at),
        "attempts": [_attempt(number, steps) for number, steps in _by_attempt(file.steps)],
        "events": [_event(event) for event in file.events],
        "audit": [{"entry": entry, "detail": _written(entry.detail)} for entry in file.audit],
        "siblings": _siblings(file),
        "links": links_for(request, task),
        "may_correct": request.user.has_perm(RIGHT),
    }
    return render(request, "admin/taskstatus/task.html", context)


def _version(text: str | None) -> int | None:
    try:
        return None if text is None else parse_decimal(text)
    except ValueError:
        return None


def _by_attempt(steps: Sequence[Step]) -> Iterable[tuple[int, Iterable[Step]]]:
    return groupby(steps, key=lambda step: step.task_attempt)


def _attempt(number: int, steps: Iterable[Step]) -> dict[str, Any]:
    return {
        "number": number,
        "steps": [
            {
                "step": step,
                "lifecycle": lifecycle_badge(step.lifecycle_status),
                "health": health_badge(step.health, step.health_reason),
            }
            for step in steps
        ],
    }


def _event(event: TaskEvent) -> dict[str, Any]:
    lifecycle = lifecycle_badge(event.step_lifecycle_status or event.lifecycle_status)
    return {"event": event, "lifecycle": lifecycle, "carried": _carried(event)}


def _carried(event: TaskEvent) -> str:
    payload = event.payload or {}
    told = {name: payload[name] for name in _CARRIED if name in payload}
    if "error" in told:
        told["error"] = {name: told["error"].get(name) for name in ("code", "category", "userMessage", "retryable")}
    return _written(told)


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) if value else ""


def _siblings(file: TaskFile) -> list[dict[str, Any]]:
    return [{"task": task, "lifecycle": lifecycle_badge(task.lifecycle_status)} for task in file.siblings]
