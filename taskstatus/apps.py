"""Workflows, tasks, steps and the reports that move them."""

from django.apps import AppConfig


class TaskStatusConfig(AppConfig):
    """Workflows, tasks, steps and the reports that move them."""

    name = "taskstatus"
    verbose_name = "Task status"
