"""What a task's page leads to: one entry for each further page about the task."""

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from taskstatus.admin.tasks.correct import RIGHT
from taskstatus.models import Task


@dataclass(frozen=True, slots=True)
class TaskLink:
    """A page about one task: its words, the name of its address, which takes the taskId, and the right it asks for."""

    words: Promise
    address: str
    right: str

    def to(self, task: Task) -> str:
        """Where the page of this task is."""
        return reverse(self.address, args=[task.id])


CORRECT: Final = TaskLink(_("Correct…"), "admin:taskstatus_task_correct", RIGHT)
LINKS: Final = (
    TaskLink(_("Why does it not move?"), "admin:taskstatus_task_why", "taskstatus.view_task"),
    CORRECT,
)


def links_for(request: HttpRequest, task: Task) -> list[tuple[Promise, str]]:
    """The words and addresses of the pages that the account may open."""
    return [(link.words, link.to(task)) for link in LINKS if request.user.has_perm(link.right)]
