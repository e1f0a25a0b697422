"""Where the admin's pages about tasks are, and what they show."""

from typing import Any

from django.urls import reverse

TASKS = reverse("admin:taskstatus_task_changelist")
XSS = "<script>alert(1)</script>"


def page_of(task_id: str, name: str = "change") -> str:
    return reverse(f"admin:taskstatus_task_{name}", args=[task_id])


def shown(page: Any) -> list[str]:
    """The ids of the tasks on the list."""
    return [row["task"].id for row in page.context["rows"]]
