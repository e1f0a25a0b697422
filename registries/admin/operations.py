"""Operations in the admin."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from registries.admin.base import DefinitionAdmin
from registries.admin.columns import column
from registries.admin.forms.operation import OperationForm
from registries.models import OperationDefinition


@admin.register(OperationDefinition)
class OperationAdmin(DefinitionAdmin):
    """Operations."""

    form_class = OperationForm
    list_display = (
        column("code", _("Code")),
        column("task_type_pattern", _("Task types")),
        column("version", _("Version")),
        "state_shown",
        "scope_shown",
        column("producer_pattern", _("Producers")),
        "uses_shown",
        "latest_shown",
    )
    search_fields = ("code", "task_type_pattern", "producer_pattern")
    search_help_text = _("Part of a code, a pattern of task types, or a producer.")
    ordering = ("scope", "code", "task_type_pattern", "-version")
