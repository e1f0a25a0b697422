"""Business statuses of a task type, one set for each version (source design 4.5, 4.6)."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from registries.models.base import Definition, one_of, state_has_its_times
from taskstatus.domain.lifecycle import AppliesTo, Lifecycle, Severity
from taskstatus.fields import IdentifierField


class StatusDefinitionSet(Definition):
    """One version of a task type's business statuses; tasks stay with the version that they were bound to."""

    task_type = IdentifierField(max_length=128, db_comment="Task type whose statuses these are")
    version = models.PositiveIntegerField(db_comment="Version of the set, counted from 1 by its authors")
    task_data_schemas = models.JSONField(default=list, db_comment="Names of schemas that task events may carry")

    class Meta:
        verbose_name = _("status set")
        verbose_name_plural = _("status sets")
        permissions = (
            ("publish_statusdefinitionset", "Can publish status sets"),
            ("retire_statusdefinitionset", "Can retire status sets"),
        )
        db_table = "status_definition_set"
        db_table_comment = "Versions of the business statuses of a task type"
        constraints = (
            state_has_its_times("status_definition_set_state_times"),
            models.UniqueConstraint(fields=["scope", "task_type", "version"], name="status_definition_set_uk"),
            models.CheckConstraint(condition=Q(version__gte=1), name="status_definition_set_version_from_1"),
        )

    def __str__(self) -> str:
        return f"{self.task_type} v{self.version}"


class StatusDefinition(models.Model):
    """One code of a set. A code may have two rows, one for tasks and one for steps (ruling 8)."""

    status_set = models.ForeignKey(
        StatusDefinitionSet, on_delete=models.CASCADE, related_name="statuses", db_comment="Set it belongs to"
    )
    code = IdentifierField(max_length=64, db_comment="Business status code")
    applies_to_task = models.BooleanField(db_comment="Whether a task can have this status")
    applies_to_step = models.BooleanField(db_comment="Whether a step can have this status")
    display_name = models.JSONField(default=dict, db_comment="Text by language tag")
    lifecycle = IdentifierField(max_length=16, db_comment="Lifecycle that the code stands for")
    terminal = models.BooleanField(db_comment="Whether the code ends its task or step")
    severity = IdentifierField(max_length=16, default=Severity.INFO.value, db_comment="How strongly it is shown")
    order = models.IntegerField(default=0, db_column="sort_order", db_comment="Position among the set's codes")
    initial = models.BooleanField(default=False, db_comment="Whether a new task begins with it")
    allowed_from = models.JSONField(default=list, db_comment="Codes it may follow, with @none and *")
    presentation = models.JSONField(default=dict, db_comment="Colour token, icon key and label key; never markup")

    class Meta:
        db_table = "status_definition"
        db_table_comment = "Codes of the business status sets"
        constraints = (
            models.UniqueConstraint(fields=["status_set", "code", "applies_to_task"], name="status_definition_task_uk"),
            models.UniqueConstraint(fields=["status_set", "code", "applies_to_step"], name="status_definition_step_uk"),
            models.CheckConstraint(
                condition=Q(applies_to_task=True) | Q(applies_to_step=True), name="status_definition_applies"
            ),
            one_of("lifecycle", Lifecycle, "status_definition_lifecycle_known"),
            one_of("severity", Severity, "status_definition_severity_known"),
        )

    def __str__(self) -> str:
        return self.code

    @property
    def applies_to(self) -> list[AppliesTo]:
        """Whose status it can be."""
        scopes = {AppliesTo.STEP: self.applies_to_step, AppliesTo.TASK: self.applies_to_task}
        return [scope for scope, applies in scopes.items() if applies]
