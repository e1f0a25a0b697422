"""The page that answers why a task does not move (ruling 17)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise

from taskstatus.admin.tasks.words import health_badge, lifecycle_badge
from taskstatus.admin.worklist.deeds import links, revoking
from taskstatus.admin.worklist.words import ACTORS, CLOCKS
from taskstatus.domain.clocks import running_clocks
from taskstatus.domain.findings import Finding
from taskstatus.domain.next_commands import Actor, NextCommand, next_commands
from taskstatus.domain.situation import last_reported_at
from taskstatus.models import Step, Task
from taskstatus.projections.finding_advice import advice
from taskstatus.projections.finding_words import sentence
from taskstatus.projections.judgement_words import foretold
from taskstatus.projections.spans import span
from taskstatus.projections.task_detail import last_heartbeat, lease_of
from taskstatus.queries.explanations import Explanation
from taskstatus.queries.why_file import BoundOperation, WhyFile, why_file
from taskstatus.services.workset import is_live

if TYPE_CHECKING:
    from taskstatus.admin.tasks.browser import TaskAdmin

# The oldest of those that wait; more of them tell nothing more.
_MESSAGES: Final = 50


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding in words."""

    finding: Finding
    sentence: str
    advice: str


@dataclass(frozen=True, slots=True)
class ShownClock:
    """A clock in words; `left` is how long it has to run, or for how long it has run out."""

    words: Promise
    due: Any
    left: str
    has_run_out: bool


def why_page(admin: "TaskAdmin", request: HttpRequest, task: Task) -> HttpResponse:
    """Show the findings, and everything that they are made of."""
    file = why_file(task)
    explanation = file.explanation
    reported_at = last_reported_at(task, explanation.steps)
    context = {
        **admin.context(request, task.title, task),
        "file": file,
        "now": explanation.now,
        "lifecycle": lifecycle_badge(task.lifecycle_status),
        "health": health_badge(task.health, task.health_reason),
        "findings": shown_findings(explanation.findings, explanation.now),
        "links": links(request, explanation),
        "last_age": span(explanation.now - task.updated_at),
        "reported_at": reported_at,
        "reported_age": span(explanation.now - reported_at) if reported_at else "",
        "steps": [
            _step(explanation, step) | {"revoking": revoking(request, explanation, step)} for step in explanation.steps
        ],
        "refusals": [{"row": row, "age": span(explanation.now - row.refused_at)} for row in file.refusals],
        "messages_left": [_message(explanation, one) for one in explanation.messages[:_MESSAGES]],
        "more_messages": max(0, len(explanation.messages) - _MESSAGES),
        "operations": [_operation(request, one) for one in file.operations],
        "status_set": _status_set(request, file),
        "commands": _commands(next_commands(task, explanation.steps)),
    }
    return render(request, "admin/taskstatus/why.html", context)


def shown_findings(found: Iterable[Finding], now: datetime) -> list[ShownFinding]:
    """The findings in words, as seen at `now`, in their order."""
    return [ShownFinding(one, sentence(one, now), advice(one)) for one in found]


def _step(explanation: Explanation, step: Step) -> dict[str, Any]:
    task, now = explanation.task, explanation.now
    lease, heard = lease_of(step), last_heartbeat(step)
    runs = is_live(task) and is_live(step) and step.execution_id is not None
    clocks = running_clocks(step, task, lease, now) if runs else []
    is_deaf = explanation.situation.own.deaf_since(now) is not None
    return {
        "step": step,
        "lifecycle": lifecycle_badge(step.lifecycle_status),
        "health": health_badge(step.health, step.health_reason),
        "lease": lease,
        "heard": heard,
        "heard_age": span(now - heard) if heard else "",
        "health_age": span(now - step.health_since) if step.health_since else "",
        "clocks": [ShownClock(CLOCKS[c.name], c.due, span(abs(c.left)), c.has_run_out) for c in clocks],
        "foretold": foretold(explanation.foretold(step), step, task) if runs and not is_deaf else "",
    }


def _message(explanation: Explanation, message: Any) -> dict[str, Any]:  # noqa: ANN401 - a row of the outbox
    return {"row": message, "age": span(explanation.now - message.created_at)}


def _operation(request: HttpRequest, bound: BoundOperation) -> dict[str, Any]:
    row = bound.definition
    link = _definition_link(request, "operationdefinition", row.pk) if row is not None else ""
    return {"step": bound.step, "row": row, "link": link}


def _status_set(request: HttpRequest, file: WhyFile) -> dict[str, Any] | None:
    row = file.status_set
    return None if row is None else {"row": row, "link": _definition_link(request, "statusdefinitionset", row.pk)}


def _definition_link(request: HttpRequest, kind: str, pk: int) -> str:
    """Where the definition is in the registries' admin; empty for who may not look there."""
    if not request.user.has_perm(f"registries.view_{kind}"):
        return ""
    return reverse(f"admin:registries_{kind}_change", args=[pk])


def _commands(commands: Iterable[NextCommand]) -> list[tuple[Promise, list[tuple[str, list[str]]]]]:
    """By who may, and by the step that it is about; an empty one is the task itself."""
    told: dict[Actor, dict[str, list[str]]] = {}
    for one in commands:
        told.setdefault(one.actor, {}).setdefault(one.step.step_id if one.step else "", []).append(one.command)
    return [(ACTORS[actor], list(steps.items())) for actor, steps in told.items()]
