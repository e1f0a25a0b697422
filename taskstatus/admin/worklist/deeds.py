"""What an operator may do about a task that does not move."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from taskstatus.admin.tasks.links import CORRECT
from taskstatus.models import Step
from taskstatus.queries.explanations import Explanation
from taskstatus.services.workset import is_live


class Deed(StrEnum):
    """Each is a page of the task, under this word."""

    RECONCILE = "reconcile"
    REQUEUE = "requeue"
    REVOKE = "revoke"


@dataclass(frozen=True, slots=True)
class DeedWords:
    """What is asked, what will happen, and what the button says."""

    question: Promise
    consequences: Promise
    button: Promise


RIGHTS: Final = {
    Deed.RECONCILE: "taskstatus.reconcile_task",
    Deed.REQUEUE: "outbox.requeue_outboxmessage",
    Deed.REVOKE: "taskstatus.revoke_execution",
}
WORDS: Final = {
    Deed.RECONCILE: DeedWords(
        gettext_lazy("Judge the health of this task now?"),
        gettext_lazy(
            "The reconciler looks at each of its executions at once, as it does by itself when one is due: those that "
            "have missed a deadline become silent or degraded, and users are told. Lifecycles stay as they are."
        ),
        gettext_lazy("Judge it now"),
    ),
    Deed.REQUEUE: DeedWords(
        gettext_lazy("Send its messages again?"),
        gettext_lazy(
            "Messages about this task that were given up wait again, with all their tries. Screens take what is newer "
            "than what they show, and nothing twice."
        ),
        gettext_lazy("Send them again"),
    ),
    Deed.REVOKE: DeedWords(
        gettext_lazy("Withdraw the credentials of this execution?"),
        gettext_lazy(
            "Every token and handle of the execution stops to count at once: its worker is refused until it or its "
            "coordinator asks for new ones. The execution goes on as far as the service knows."
        ),
        gettext_lazy("Withdraw them"),
    ),
}


@dataclass(frozen=True, slots=True)
class DeedLink:
    """Where a deed is asked about."""

    words: str
    address: str


def links(request: HttpRequest, explanation: Explanation) -> list[DeedLink]:
    """What this account may do about the task as a whole now."""
    return list(_links(request, explanation))


def _links(request: HttpRequest, explanation: Explanation) -> Iterator[DeedLink]:
    task, may = explanation.task, request.user.has_perm
    if may(CORRECT.right):
        yield DeedLink(str(CORRECT.words), CORRECT.to(task))
    if is_live(task) and may(RIGHTS[Deed.RECONCILE]):
        yield DeedLink(_("Judge it now…"), address(task.id, Deed.RECONCILE))
    if explanation.situation.unpublished.dead and may(RIGHTS[Deed.REQUEUE]):
        yield DeedLink(_("Send its messages again…"), address(task.id, Deed.REQUEUE))


def revoking(request: HttpRequest, explanation: Explanation, step: Step) -> DeedLink | None:
    """Where withdrawing the credentials of a step's execution is asked about, if there is anything to withdraw."""
    if not (is_live(explanation.task) and holds_credentials(step) and request.user.has_perm(RIGHTS[Deed.REVOKE])):
        return None
    words = _("Withdraw the credentials of %(step)s…") % {"step": step.step_id}
    return DeedLink(words, address(explanation.task.id, Deed.REVOKE, step.execution_id))


def holds_credentials(step: Step) -> bool:
    """Whether somebody can report for this step."""
    return step.execution_id is not None and is_live(step)


def address(task_id: str, deed: Deed, execution_id: str | None = None) -> str:
    """The page that asks about a deed."""
    page = reverse(f"admin:taskstatus_task_{deed}", args=[task_id])
    return f"{page}?{urlencode({'execution': execution_id})}" if execution_id else page
