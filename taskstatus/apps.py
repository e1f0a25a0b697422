"""Workflows, tasks, steps and the reports that move them."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TaskStatusConfig(AppConfig):
    """Workflows, tasks, steps and the reports that move them."""

    name = "taskstatus"
    verbose_name = _("Task status")
