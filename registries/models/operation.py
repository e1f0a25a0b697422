"""Operations: who may report what about them, and what their failure means (source design 4.7)."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from registries.models.base import Definition, one_of, state_has_its_times
from registries.states import State
from taskstatus.domain.lifecycle import FailurePolicy, SequencePolicy
from taskstatus.fields import IdentifierField

FEWEST_INTERVALS_IN_A_TIMEOUT = 3


class OperationDefinition(Definition):
    """One version of an operation for the task types of a pattern; an execution keeps its row."""

    code = IdentifierField(max_length=128, db_comment="Operation code")
    task_type_pattern = IdentifierField(
        max_length=128,
        default="*",
        db_comment="Task types it is for: exact, prefix and *, or * for all and none",
    )
    version = models.PositiveIntegerField(db_comment="Version, counted from 1 by its authors")
    display_name = models.JSONField(default=dict, db_comment="Text by language tag")
    producer_pattern = IdentifierField(
        max_length=128, db_comment="Services that may execute it: exact, or prefix and *"
    )
    allowed_event_types = models.JSONField(default=list, db_comment="Step events that its executions may report")
    allowed_data_schemas = models.JSONField(default=dict, db_comment="Names of data schemas by event type")
    failure_policy = IdentifierField(max_length=32, db_comment="What its failure means for the task")
    max_attempts = models.PositiveIntegerField(default=3, db_comment="Step attempts that may be activated")
    heartbeat_interval_seconds = models.PositiveIntegerField(default=15, db_comment="Seconds between two beats")
    heartbeat_timeout_seconds = models.PositiveIntegerField(default=60, db_comment="Seconds without a beat to STALE")
    no_progress_seconds = models.PositiveIntegerField(null=True, db_comment="Seconds without progress to DEGRADED")
    start_deadline_seconds = models.PositiveIntegerField(null=True, db_comment="Seconds from activation to start")
    sequence_policy = IdentifierField(
        max_length=16, default=SequencePolicy.GAPS_ALLOWED.value, db_comment="Whether sourceSeq may jump"
    )
    policy_executor = IdentifierField(
        max_length=64, null=True, db_comment="Service that may fail a task by the failure policy"
    )
    progress_min_interval_seconds = models.FloatField(
        default=1.0, db_comment="Seconds between two versioned progress reports of a step"
    )
    stale_escalation_seconds = models.PositiveIntegerField(null=True, db_comment="Seconds of STALE before an alarm")
    errors = models.JSONField(default=list, db_comment="Texts and actions that users see for an error code")
    generic = models.BooleanField(default=False, db_comment="Whether it serves operations that nothing names")

    class Meta:
        verbose_name = _("operation")
        verbose_name_plural = _("operations")
        permissions = (
            ("publish_operationdefinition", "Can publish operations"),
            ("retire_operationdefinition", "Can retire operations"),
        )
        db_table = "operation_definition"
        db_table_comment = "Versions of operations: producers, events, data schemas, failure policy"
        constraints = (
            state_has_its_times("operation_definition_state_times"),
            models.UniqueConstraint(
                fields=["scope", "code", "task_type_pattern", "version"], name="operation_definition_uk"
            ),
            one_of("failure_policy", FailurePolicy, "operation_definition_policy_known"),
            one_of("sequence_policy", SequencePolicy, "operation_definition_sequence_known"),
            models.CheckConstraint(
                condition=Q(version__gte=1, max_attempts__gte=1, heartbeat_interval_seconds__gte=1),
                name="operation_definition_counts_from_1",
            ),
            models.CheckConstraint(
                condition=Q(progress_min_interval_seconds__gte=0.1, progress_min_interval_seconds__lte=60),
                name="operation_definition_progress_interval",
            ),
            models.CheckConstraint(
                condition=Q(state=State.DRAFT.value)
                | Q(heartbeat_timeout_seconds__gte=FEWEST_INTERVALS_IN_A_TIMEOUT * F("heartbeat_interval_seconds")),
                name="operation_definition_three_beats",
            ),
        )

    def __str__(self) -> str:
        return f"{self.code} v{self.version} for {self.task_type_pattern}"
