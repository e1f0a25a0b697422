"""The task: the unit that runs, is retried, cancelled and ends by itself; the row every writer locks first."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from taskstatus.domain.lifecycle import TERMINAL, Health, HealthReason, Lifecycle
from taskstatus.models._columns import count, identifier, moment, public_id, word, words_only
from taskstatus.models.workflow import Workflow


class Task(models.Model):
    """The current authoritative state of one task and its version (source design 5, ruling 2).

    A task's writer locks this row and nothing above it: a commit never touches the workflow (ruling 44).
    """

    id = public_id("taskId", primary_key=True)
    # Without a database constraint: with tasks split over shards, workflow and task may lie in two databases.
    workflow = models.ForeignKey(
        Workflow, models.PROTECT, related_name="tasks", db_constraint=False, db_index=False, db_comment="Its workflow"
    )
    client_task_key = identifier("The creator's own key, for creating once", 128)
    creation_hash = identifier("SHA-256 of the canonical creation request; tells a replay from a reused key")
    tenant_id = identifier("Tenant, from the creator's credential")
    owner_id = identifier("User who sees the task by owning it")
    authority_scope = identifier("Security namespace, from the creator's credential; never changes")
    coordinator_id = identifier("Service that created the task")
    product_id = identifier("Label for sorting and display; opens nothing", null=True)
    batch_id = identifier("Label that groups tasks across workflows", 128, null=True)
    parent_task_id = public_id("Task that this one was derived from", null=True)
    task_type = identifier("Kind of task; binds the status set", 128, null=True)
    billing_account_id = identifier("Who pays; never changes", 128, null=True)
    retention_policy_id = identifier("How long to keep; never changes", 128, null=True)
    data_classification = identifier("How secret; never changes", 128, null=True)
    title = models.CharField(max_length=255, db_comment="What users read")
    # Case-folded, so that a search is literal and ignores case alike on every database.
    title_folded = identifier("title in folded case, for search", 1024)
    sensitive = models.BooleanField(default=False, db_comment="Left out of what workflow viewers share")
    max_duration_seconds = count("Longest expected run in seconds", null=True)
    dynamic_policy = models.JSONField(null=True, db_comment="Rules for registering steps while running")

    attempt = count("Which run of the task this is", default=1)
    version = count("taskVersion: one more with every fact about the task", default=1)
    lifecycle_status = word("Lifecycle", default=Lifecycle.PENDING)
    business_status = identifier("Business status code; null when none agrees with the lifecycle", null=True)
    remembered_status = identifier("Last code that is not a reserved one (ruling 37)", null=True)
    status_definition_version = count("Version of the status set; null for the generic one", null=True)
    operation_definition_version = count("Version of operations to prefer when binding", null=True)
    classification_used = models.BooleanField(default=False, db_comment="The task type is in use and frozen")
    health = word("HEALTHY, DEGRADED or STALE", default=Health.HEALTHY)
    health_reason = word("Why it is not HEALTHY", null=True)
    task_source_seqs = models.JSONField(default=dict, db_comment="Last sourceSeq of task events by producer")

    summary_schema = identifier("Schema of summary_data", 128, null=True)
    summary_data = models.JSONField(null=True, db_comment="Data last accepted in this attempt, summary view only")
    failure_code = identifier("Code of the failure users are told of", 128, null=True)
    failure_message = models.CharField(max_length=512, null=True, db_comment="Redacted words for that failure")
    failed_step_id = identifier("Step whose failure that is", 128, null=True)
    requires_action = models.BooleanField(default=False, db_comment="The user has to do something")
    actions = models.JSONField(default=list, db_comment="Action codes offered to the user")
    cancel_requested_at = moment("When cancelling was asked for", null=True)
    refusal_count = count("How many reports were refused", default=0)

    created_at = moment("When it was created")
    first_started_at = moment("When its first attempt started", null=True)
    started_at = moment("When this attempt started", null=True)
    finished_at = moment("When this attempt ended", null=True)
    duration_ms = count("Reported run time in ms, else finished - started", null=True)
    updated_at = moment("When its version last rose")

    class Meta:
        db_table = "task"
        db_table_comment = "Current authoritative state of each task"
        verbose_name = _("task")
        verbose_name_plural = _("tasks")
        # Looking is Django's own `view_task`; nobody adds, changes or deletes a task by hand.
        permissions = (
            ("correct_task", "Can correct the state of tasks and of their steps"),
            ("reconcile_task", "Can have the health of a task judged at once"),
            ("revoke_execution", "Can withdraw the credentials of executions"),
        )
        constraints = [
            models.UniqueConstraint(fields=["workflow", "client_task_key"], name="task_workflow_client_key_uk"),
            words_only("task_lifecycle_known", "lifecycle_status", Lifecycle),
            words_only("task_health_known", "health", Health),
            words_only("task_health_reason_known", "health_reason", HealthReason, null=True),
            models.CheckConstraint(
                name="task_health_reason_iff_unwell",
                condition=Q(health=Health.HEALTHY, health_reason__isnull=True)
                | (~Q(health=Health.HEALTHY) & Q(health_reason__isnull=False)),
            ),
            models.CheckConstraint(name="task_version_from_one", condition=Q(version__gte=1)),
            models.CheckConstraint(name="task_attempt_from_one", condition=Q(attempt__gte=1)),
            models.CheckConstraint(
                name="task_finished_iff_terminal",
                condition=Q(lifecycle_status__in=sorted(TERMINAL), finished_at__isnull=False)
                | (~Q(lifecycle_status__in=sorted(TERMINAL)) & Q(finished_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="task_running_was_started",
                condition=~Q(lifecycle_status=Lifecycle.RUNNING) | Q(started_at__isnull=False),
            ),
            models.CheckConstraint(
                name="task_pending_not_started",
                condition=~Q(lifecycle_status=Lifecycle.PENDING) | Q(started_at__isnull=True),
            ),
            models.CheckConstraint(
                name="task_started_after_created",
                condition=Q(started_at__isnull=True) | Q(started_at__gte=F("created_at")),
            ),
            models.CheckConstraint(
                name="task_finished_after_created",
                condition=Q(finished_at__isnull=True) | Q(finished_at__gte=F("created_at")),
            ),
        ]
        indexes = [
            models.Index(fields=["workflow", "updated_at", "id"], name="task_workflow_updated_idx"),
            models.Index(fields=["tenant_id", "owner_id", "updated_at", "id"], name="task_owner_updated_idx"),
            models.Index(fields=["tenant_id", "batch_id", "created_at", "id"], name="task_batch_idx"),
            models.Index(fields=["tenant_id", "parent_task_id", "created_at", "id"], name="task_parent_idx"),
            models.Index(
                fields=["tenant_id", "authority_scope", "task_type", "status_definition_version"],
                name="task_bound_set_idx",
            ),
            # Operators and coordinators look through the tasks of a lifecycle and a health, by age; operators search by
            # the creator's key.
            models.Index(
                fields=["tenant_id", "lifecycle_status", "health", "created_at", "id"], name="task_browse_idx"
            ),
            models.Index(fields=["tenant_id", "client_task_key", "id"], name="task_client_key_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.id}"
