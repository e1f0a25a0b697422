"""The form of a data schema."""

from django import forms
from django.utils.translation import gettext_lazy as _

from registries.admin.forms.base import DefinitionForm
from registries.admin.forms.fields import JsonMapField
from registries.models.data_schema import MAX_SCHEMA_BYTES


class DataSchemaForm(DefinitionForm):
    """One data schema; its name ends in its version."""

    fieldsets = (
        (_("What it is"), ("name", "maxBytes")),
        (_("Its shape"), ("schema",)),
        (_("Who sees what"), ("views", "masks")),
    )

    name = forms.CharField(max_length=128, label=_("Name"), help_text=_("Ends in its version, as document.parsed.v1."))
    maxBytes = forms.IntegerField(  # noqa: N815 - as a file spells it
        min_value=1,
        max_value=MAX_SCHEMA_BYTES,
        initial=4096,
        label=_("Bytes at most"),
        help_text=_("The largest value, written as canonical JSON; 65,536 at most."),
    )
    schema = JsonMapField(
        rows=16,
        initial={"type": "object", "additionalProperties": False, "required": [], "properties": {}},
        label=_("JSON Schema"),
        help_text=_("Draft 2020-12. References stay within the document, patterns run in linear time."),
    )
    views = JsonMapField(
        required=False,
        rows=5,
        initial=dict,
        label=_("Views"),
        help_text=_(
            'Which members leave the service: {"USER_SUMMARY": [], "TASK_DETAIL": [], "PROJECT_BROADCAST": []}. '
            "An audience that is left out gets nothing."
        ),
    )
    masks = JsonMapField(
        required=False,
        rows=3,
        initial=dict,
        label=_("Masks"),
        help_text=_('What is done to a member before it leaves: {"resultRef": "LAST4"}; LAST4, HASH or REDACT.'),
    )
