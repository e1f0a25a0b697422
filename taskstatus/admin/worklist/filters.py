"""The form above the list of tasks that need a look."""

from datetime import timedelta
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from taskstatus.admin.tasks.filters import Ages, OfTenant, age_field
from taskstatus.admin.tasks.words import REASONS
from taskstatus.admin.worklist.words import TROUBLES
from taskstatus.domain.lifecycle import HealthReason
from taskstatus.queries.work_list import Trouble, WantedWork

_AGES: Final[Ages] = {
    "1m": (timedelta(minutes=1), _("more than 1 minute")),
    "10m": (timedelta(minutes=10), _("more than 10 minutes")),
    "1h": (timedelta(hours=1), _("more than 1 hour")),
    "1d": (timedelta(days=1), _("more than 1 day")),
}


class WorkForm(OfTenant):
    """What the list is narrowed by; without anything said, the tasks that are silent or degraded."""

    trouble = forms.ChoiceField(required=False, label=_("Trouble"), choices=list(TROUBLES.items()))
    reason = forms.ChoiceField(required=False, label=_("Why"), choices=[("", _("Any reason")), *REASONS.items()])
    age = age_field(_("For"), _AGES)
    type = forms.CharField(required=False, max_length=128, label=_("Task type"))
    operation = forms.CharField(required=False, max_length=128, label=_("Operation"))
    producer = forms.CharField(required=False, max_length=64, label=_("Executor"))
    scope = forms.CharField(required=False, max_length=64, label=_("Authority scope"))

    def wanted(self, cursor: str | None) -> WantedWork:
        """What is asked for, by the fields that can be read."""
        self.is_valid()
        said: dict[str, Any] = self.cleaned_data
        return WantedWork(
            tenant=self.shown_tenant,
            trouble=Trouble(said.get("trouble") or Trouble.UNWELL),
            reason=HealthReason(said["reason"]) if said.get("reason") else None,
            task_type=said.get("type") or None,
            authority_scope=said.get("scope") or None,
            operation=said.get("operation") or None,
            producer=said.get("producer") or None,
            min_age=said.get("age"),
            cursor=cursor,
        )
