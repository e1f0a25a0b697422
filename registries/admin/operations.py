"""Operations in the admin."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from registries.admin.base import DefinitionAdmin
from registries.admin.forms.operation import OperationForm
from registries.models import OperationDefinition


@admin.register(OperationDefinition)
class OperationAdmin(DefinitionAdmin):
    """Operations."""

    form_class = OperationForm
    list_display = (
        "code",
        "task_type_pattern",
        "version",
        "state_shown",
        "scope_shown",
        "producer_pattern",
        "uses_shown",
        "latest_shown",
    )
    search_fields = ("code", "task_type_pattern", "producer_pattern")
    search_help_text = _("Part of a code, a pattern of task types, or a producer.")
    ordering = ("scope", "code", "task_type_pattern", "-version")
