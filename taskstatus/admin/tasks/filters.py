"""The forms above the list of tasks: by what it is narrowed, and the search for one name."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from taskstatus.admin.tasks.words import HEALTHS, LIFECYCLES
from taskstatus.domain.lifecycle import LIVE, Health, Lifecycle
from taskstatus.queries.task_browser import MAX_TERM, Wanted

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Ages = Mapping[str, tuple[timedelta, Promise]]

_LIVE: Final = "LIVE"
_ALL: Final = "ALL"
_LIFECYCLES: Final[Sequence[tuple[str, Promise]]] = (
    (_LIVE, _("Not ended")),
    *LIFECYCLES.items(),
    (_ALL, _("Any")),
)
_AGES: Final[Ages] = {
    "10m": (timedelta(minutes=10), _("more than 10 minutes")),
    "1h": (timedelta(hours=1), _("more than 1 hour")),
    "1d": (timedelta(days=1), _("more than 1 day")),
    "7d": (timedelta(days=7), _("more than 7 days")),
}


def age_field(label: "_StrPromise", ages: Ages) -> forms.TypedChoiceField:
    """A choice of these ages, whose value is the time itself; None where any will do."""
    return forms.TypedChoiceField(
        required=False,
        label=label,
        choices=[("", _("any time")), *((word, title) for word, (_span, title) in ages.items())],
        coerce=lambda word: ages[word][0],
        empty_value=None,
    )


class SearchForm(forms.Form):
    """One id or key, in full: parts of texts are not searched for, that would read the whole table."""

    q = forms.CharField(
        required=False,
        max_length=MAX_TERM,
        label=_("Search"),
        help_text=_("A whole taskId, workflowId, executionId, eventId or clientTaskKey."),
        widget=forms.TextInput({"type": "search", "autocomplete": "off", "spellcheck": "false"}),
    )


class OfTenant(forms.Form):
    """A form above a list that is of one tenant at a time."""

    tenant = forms.ChoiceField(required=False, label=_("Tenant"))

    def __init__(self, data: QueryDict, tenants: Sequence[str]) -> None:
        """Offer these tenants; where there is only one, it is not asked for."""
        super().__init__(data, label_suffix="")
        self.tenants = tenants
        if len(tenants) > 1:
            self.fields["tenant"].choices = [(tenant, tenant) for tenant in tenants]  # type: ignore[attr-defined]
        else:
            del self.fields["tenant"]

    @property
    def shown_tenant(self) -> str:
        """The tenant whose tasks are shown: the chosen one, else the first."""
        self.is_valid()
        return str(self.cleaned_data.get("tenant") or next(iter(self.tenants), ""))


class FilterForm(OfTenant):
    """What the list is narrowed by; without anything said, the tasks that have not ended."""

    lifecycle = forms.ChoiceField(required=False, label=_("Lifecycle"), choices=_LIFECYCLES)
    health = forms.ChoiceField(required=False, label=_("Health"), choices=[("", _("Any")), *HEALTHS.items()])
    age = age_field(_("Created ago"), _AGES)
    type = forms.CharField(required=False, max_length=128, label=_("Task type"))
    scope = forms.CharField(required=False, max_length=64, label=_("Authority scope"))

    def wanted(self, cursor: str | None) -> Wanted:
        """What is asked for, by the fields that can be read."""
        self.is_valid()
        said: dict[str, Any] = self.cleaned_data
        return Wanted(
            tenant=self.shown_tenant,
            lifecycles=_lifecycles(said.get("lifecycle") or _LIVE),
            health=Health(said["health"]) if said.get("health") else None,
            task_type=said.get("type") or None,
            authority_scope=said.get("scope") or None,
            min_age=said.get("age"),
            cursor=cursor,
        )


def _lifecycles(said: str) -> list[Lifecycle]:
    if said == _ALL:
        return list(Lifecycle)
    return sorted(LIVE) if said == _LIVE else [Lifecycle(said)]
