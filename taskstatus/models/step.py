"""The step: one row for every attempt of every step of every task attempt, and what its execution may do."""

from django.db import models
from django.db.models import F, Q

from taskstatus.domain.lifecycle import TERMINAL, DurationSource, FailurePolicy, Health, HealthReason, Lifecycle
from taskstatus.models._columns import count, identifier, moment, public_id, word, words_only
from taskstatus.models.task import Task


class Step(models.Model):
    """One attempt of one step; `execution_id` names its actual run once it was activated (source design 3.3.2).

    The task's row lock guards its steps: nobody writes a step without holding it.
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="steps", db_index=False, db_comment="Its task")
    task_attempt = count("Attempt of the task that it belongs to")
    step_id = identifier("stepId within the task", 128)
    client_step_key = identifier("The registrant's own key", 128)
    attempt = count("stepAttempt", default=1)
    is_current = models.BooleanField(default=True, db_comment="Newest attempt in the task's current attempt")
    is_dynamic = models.BooleanField(default=False, db_comment="Registered while running")
    position = count("Order of creation within the task", default=0)
    execution_id = public_id("executionId; null until activated", null=True, unique=True)
    parent_execution_id = public_id("Execution that registered it", null=True)
    depth = count("How deep below a known step", default=0)
    producer_id = identifier("Service that executes it", null=True)
    expected_producer = identifier("Service that it was planned for", null=True)
    coordinator_id = identifier("Service that activated or registered it", null=True)
    registration_hash = identifier("SHA-256 of the canonical registration of a dynamic step", null=True)
    credential_generation = count("Tokens and handles of older generations are revoked", default=1)

    operation_code = identifier("What it does", 128)
    # No foreign key: the registries are another app, and a bound definition outlives its retirement there.
    operation_definition_id = count("Row of the bound operation; null for the built-in profile", null=True)
    operation_definition_version = count("Version of the bound operation; null before binding", null=True)
    declared = models.JSONField(default=dict, db_comment="Options named by the known step, used at each attempt")
    display_name = models.CharField(max_length=255, null=True, db_comment="Name given at registration")
    depends_on = models.JSONField(default=list, db_comment="Steps shown as coming before; never enforced")
    failure_policy = word("What its failure means, frozen when activated")
    max_attempts = count("How many attempts the operation allows", default=1)
    heartbeat_interval_seconds = count("Agreed seconds between beats")
    heartbeat_timeout_seconds = count("Seconds without a beat until it is STALE")
    no_progress_seconds = count("Seconds without progress until DEGRADED", null=True)
    start_deadline_seconds = count("Seconds to start after activation", null=True)
    stale_escalation_seconds = count("Seconds of STALE until it is escalated", null=True)

    lifecycle_status = word("Lifecycle", default=Lifecycle.PENDING)
    business_status = identifier("Business status code; null when none agrees with the lifecycle", null=True)
    health = word("HEALTHY, DEGRADED or STALE", default=Health.HEALTHY)
    health_reason = word("Why it is not HEALTHY", null=True)
    health_since = moment("When health or its reason last changed; null: never", null=True)
    stale_since = moment("When it became STALE", null=True)
    stale_escalated_at = moment("When a long STALE was told of once more", null=True)
    health_due_at = moment("When the reconciler has to look at it though nothing is heard", null=True)
    version = count("stepVersion: goes on over the step's attempts", default=1)
    source_seq = count("Last sourceSeq of its worker", default=0)
    health_source_seqs = models.JSONField(default=dict, db_comment="Last sourceSeq of health reporters by producer")
    last_heartbeat_seq = count("Last heartbeatSeq, kept when the lease ends", default=0)
    last_heartbeat_at = moment("Last beat, kept when the lease ends", null=True)

    phase_code = identifier("Fine-grained phase within the run", null=True)
    phase_label = models.CharField(max_length=255, null=True, db_comment="Words for the phase")
    message = models.TextField(null=True, db_comment="Latest message of its worker")
    progress = models.JSONField(null=True, db_comment="current, total and unit of the latest progress")
    progress_seq = count("Last progressSeq", default=0)
    progress_updated_at = moment("When progress was last reported", null=True)
    progress_moved_at = moment("When progress last went on, where no_progress_seconds counts from it", null=True)
    progress_versioned_at = moment("When a STEP_PROGRESS last made a version", null=True)
    pending_event_id = identifier("Progress accepted and not yet a version (ruling 35)", null=True)
    pending_payload_hash = identifier("SHA-256 of that progress", null=True)
    pending_report = models.JSONField(null=True, db_comment="That progress as it will be recorded")
    pending_flush_at = moment("When that progress has to become a version", null=True)

    data_schema = identifier("Schema of state_data", 128, null=True)
    state_data = models.JSONField(null=True, db_comment="Data last accepted from its worker")
    error_category = identifier("Family of the error", 128, null=True)
    error_code = identifier("Stable code of the error", 128, null=True)
    error_message = models.CharField(max_length=512, null=True, db_comment="Redacted words for users")
    error_retryable = models.BooleanField(null=True, db_comment="Whether another attempt may succeed")
    diagnostics_ref = models.CharField(max_length=255, null=True, db_comment="For operators only; leaves no endpoint")

    created_at = moment("When the row was made")
    activated_at = moment("When it received its execution", null=True)
    started_at = moment("When it started", null=True)
    finished_at = moment("When it ended", null=True)
    duration_ms = count("Run time in ms as its worker measured it", null=True)
    duration_source = word("How duration_ms was measured", null=True)
    updated_at = moment("When its version last rose")

    class Meta:
        db_table = "task_step"
        db_table_comment = "Steps: one row per attempt, with its execution and state"
        constraints = [
            models.UniqueConstraint(fields=["task", "task_attempt", "step_id", "attempt"], name="task_step_attempt_uk"),
            words_only("task_step_lifecycle_known", "lifecycle_status", Lifecycle),
            words_only("task_step_health_known", "health", Health),
            words_only("task_step_health_reason_known", "health_reason", HealthReason, null=True),
            words_only("task_step_policy_known", "failure_policy", FailurePolicy),
            words_only("task_step_duration_source_known", "duration_source", DurationSource, null=True),
            models.CheckConstraint(
                name="task_step_health_reason_iff_unwell",
                condition=Q(health=Health.HEALTHY, health_reason__isnull=True)
                | (~Q(health=Health.HEALTHY) & Q(health_reason__isnull=False)),
            ),
            models.CheckConstraint(
                name="task_step_stale_since_iff_stale",
                condition=Q(health=Health.STALE, stale_since__isnull=False)
                | (~Q(health=Health.STALE) & Q(stale_since__isnull=True, stale_escalated_at__isnull=True)),
            ),
            models.CheckConstraint(name="task_step_attempt_from_one", condition=Q(attempt__gte=1, task_attempt__gte=1)),
            models.CheckConstraint(name="task_step_version_from_one", condition=Q(version__gte=1)),
            models.CheckConstraint(
                name="task_step_finished_iff_terminal",
                condition=Q(lifecycle_status__in=sorted(TERMINAL), finished_at__isnull=False)
                | (~Q(lifecycle_status__in=sorted(TERMINAL)) & Q(finished_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="task_step_ran_with_execution",
                condition=Q(lifecycle_status=Lifecycle.PENDING) | Q(execution_id__isnull=False),
            ),
            models.CheckConstraint(
                name="task_step_execution_has_producer",
                condition=Q(execution_id__isnull=True) | Q(producer_id__isnull=False),
            ),
            models.CheckConstraint(
                name="task_step_timeout_covers_beats",
                condition=Q(heartbeat_timeout_seconds__gte=3 * F("heartbeat_interval_seconds")),
            ),
            models.CheckConstraint(
                name="task_step_duration_has_source",
                condition=Q(duration_ms__isnull=True, duration_source__isnull=True)
                | Q(duration_ms__isnull=False, duration_source__isnull=False),
            ),
            models.CheckConstraint(
                name="task_step_pending_report_whole",
                condition=Q(
                    pending_event_id__isnull=True,
                    pending_payload_hash__isnull=True,
                    pending_report__isnull=True,
                    pending_flush_at__isnull=True,
                )
                | Q(
                    pending_event_id__isnull=False,
                    pending_payload_hash__isnull=False,
                    pending_report__isnull=False,
                    pending_flush_at__isnull=False,
                ),
            ),
        ]
        indexes = [
            models.Index(fields=["task", "is_current"], name="task_step_current_idx"),
            models.Index(fields=["pending_flush_at", "id"], name="task_step_flush_idx"),
            models.Index(fields=["health_due_at", "id"], name="task_step_health_due_idx"),
            models.Index(fields=["operation_definition_id"], name="task_step_operation_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.task_id}/{self.step_id}#{self.task_attempt}.{self.attempt}"


class ActivationCommand(models.Model):
    """A coordinator's commandId and the execution it led to; repeated, it leads there again (C27)."""

    task_id = public_id("Task the command was about")
    command_id = identifier("The coordinator's commandId", 128)
    body_hash = identifier("SHA-256 of step and canonical body")
    # By executionId: a step attempt made in the same transaction has no other key yet on MySQL.
    execution = models.ForeignKey(
        Step,
        models.PROTECT,
        to_field="execution_id",
        db_constraint=False,
        db_index=False,
        db_comment="Where it led",
    )
    created_at = moment("When it was first given")

    class Meta:
        db_table = "task_activation_command"
        db_table_comment = "Activation commands that were carried out"
        constraints = [models.UniqueConstraint(fields=["task_id", "command_id"], name="activation_command_uk")]

    def __str__(self) -> str:
        return f"{self.task_id} {self.command_id}"


class ExecutionHandle(models.Model):
    """The hash of one opaque credential of an execution (source design 3.3.4); the handle itself is never stored."""

    handle_hash = identifier("SHA-256 of the handle", primary_key=True)
    execution_id = public_id("Execution it stands for")
    task_id = public_id("Task of that execution")
    tenant_id = identifier("Tenant of that execution")
    authority_scope = identifier("Security namespace of that execution")
    producer_id = identifier("Only this service may use it")
    generation = count("Credential generation of the step that it was issued in")
    expires_at = moment("When it stops to count")
    created_at = moment("When it was issued")

    class Meta:
        db_table = "task_execution_handle"
        db_table_comment = "Hashed execution handles"
        indexes = [models.Index(fields=["expires_at", "handle_hash"], name="execution_handle_expiry_idx")]

    def __str__(self) -> str:
        return f"handle of {self.execution_id}"
