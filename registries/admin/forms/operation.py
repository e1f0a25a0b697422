"""The form of an operation."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from registries.admin.forms.base import DefinitionForm, choices
from registries.admin.forms.fields import JsonMapField, TextsField
from taskstatus.domain.lifecycle import WORKER_EVENTS, EventType, FailurePolicy, SequencePolicy


def _seconds(label: Any, text: Any, initial: int | None = None) -> forms.IntegerField:  # noqa: ANN401 - lazy words
    return forms.IntegerField(min_value=1, required=initial is not None, initial=initial, label=label, help_text=text)


class OperationForm(DefinitionForm):
    """One version of an operation for the task types of a pattern."""

    fieldsets = (
        (_("What it is"), ("code", "taskTypePattern", "version", "displayName", "generic")),
        (_("Who may report what"), ("producerPattern", "allowedEventTypes", "allowedDataSchemas", "sequencePolicy")),
        (_("When it fails"), ("failurePolicy", "maxAttempts", "policyExecutor", "errors")),
        (
            _("How often it is heard of"),
            (
                "heartbeatIntervalSeconds",
                "heartbeatTimeoutSeconds",
                "progressMinIntervalSeconds",
                "noProgressSeconds",
                "startDeadlineSeconds",
                "staleEscalationSeconds",
            ),
        ),
    )

    code = forms.CharField(
        max_length=128, label=_("Code"), help_text=_("What coordinators name: capital letters, digits, _ and dots.")
    )
    taskTypePattern = forms.CharField(  # noqa: N815 - as a file spells it
        max_length=128,
        initial="*",
        label=_("Task types"),
        help_text=_("A task type, a beginning and *, or * for all and for none. The most specific pattern wins."),
    )
    version = forms.IntegerField(
        min_value=1, initial=1, label=_("Version"), help_text=_("Executions keep the version that they were bound to.")
    )
    displayName = TextsField(  # noqa: N815 - as a file spells it
        label=_("Display name"), help_text=_("One language on a line, as “en: Parse the document”. Left out: the code.")
    )
    generic = forms.BooleanField(
        required=False,
        label=_("Serves operations that nothing names"),
        help_text=_("The scope's profile for operations without a definition of their own."),
    )
    producerPattern = forms.CharField(  # noqa: N815 - as a file spells it
        max_length=128,
        label=_("Producers"),
        help_text=_("The service that may execute it, or a beginning and *."),
    )
    allowedEventTypes = forms.MultipleChoiceField(  # noqa: N815 - as a file spells it
        choices=choices(event for event in EventType if event in WORKER_EVENTS),
        widget=forms.CheckboxSelectMultiple,
        initial=[event.value for event in EventType if event in WORKER_EVENTS],
        label=_("Events"),
        help_text=_("What its executions may report. Heartbeats are always allowed."),
    )
    allowedDataSchemas = JsonMapField(  # noqa: N815 - as a file spells it
        required=False,
        rows=5,
        initial=dict,
        label=_("Data schemas by event"),
        help_text=_('Which data each event may carry, as {"STEP_COMPLETED": ["document.parsed.v1"]}.'),
    )
    sequencePolicy = forms.ChoiceField(  # noqa: N815 - as a file spells it
        choices=choices(SequencePolicy),
        initial=SequencePolicy.GAPS_ALLOWED.value,
        label=_("Numbers of its reports"),
        help_text=_("Whether sourceSeq may jump."),
    )
    failurePolicy = forms.ChoiceField(  # noqa: N815 - as a file spells it
        choices=choices(FailurePolicy), label=_("Failure policy"), help_text=_("What its failure means for the task.")
    )
    maxAttempts = forms.IntegerField(  # noqa: N815 - as a file spells it
        min_value=1, initial=3, label=_("Attempts at most"), help_text=_("How often the step may be activated.")
    )
    policyExecutor = forms.CharField(  # noqa: N815 - as a file spells it
        required=False,
        max_length=64,
        label=_("Policy executor"),
        help_text=_("A service that may fail the task by this policy. Empty: the coordinator alone."),
    )
    errors = JsonMapField(  # type: ignore[assignment] # a field, which Django takes out of the class
        kind=list,
        required=False,
        rows=7,
        initial=list,
        label=_("Texts for error codes"),
        help_text=_('What users read, as [{"code": "TOO_LARGE", "userMessage": {"en": "…"}, "actions": ["RETRY"]}].'),
    )
    heartbeatIntervalSeconds = _seconds(_("Heartbeat every"), _("Seconds between two beats."), 15)  # noqa: N815
    heartbeatTimeoutSeconds = _seconds(  # noqa: N815 - as a file spells it
        _("Stale after"), _("Seconds without a beat; at least three intervals."), 60
    )
    progressMinIntervalSeconds = forms.FloatField(  # noqa: N815 - as a file spells it
        min_value=0.1, max_value=60, initial=1.0, label=_("Progress at most every"), help_text=_("Seconds, 0.1 to 60.")
    )
    noProgressSeconds = _seconds(_("Degraded after"), _("Seconds without progress. Empty: never."))  # noqa: N815
    startDeadlineSeconds = _seconds(  # noqa: N815 - as a file spells it
        _("To be started within"), _("Seconds from activation. Empty: no limit.")
    )
    staleEscalationSeconds = _seconds(_("Alarm after"), _("Seconds of being stale. Empty: no alarm."))  # noqa: N815
