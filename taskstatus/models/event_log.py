"""The immutable log of what became true of each task, and the record of which reports were already accepted."""

from django.db import models
from django.db.models import Q

from taskstatus.domain.lifecycle import DurationSource, Health, HealthReason, Lifecycle
from taskstatus.models._columns import count, identifier, moment, public_id, word, words_only


class TaskEvent(models.Model):
    """One accepted fact. (task, taskVersion) is its place; versions of a task have no gap (C18).

    Further unique keys of the source design are implied by the version taken under the task's lock (ruling 28).
    """

    task_id = public_id("Task the fact is about")
    task_version = count("taskVersion that the fact received")
    workflow_id = public_id("Workflow of that task")
    event_id = identifier("Reporter's eventId, or one made by the service")
    event_type = identifier("What happened")
    task_attempt = count("Attempt of the task")
    step_id = identifier("Step, for facts about one", 128, null=True)
    step_attempt = count("Attempt of the step", null=True)
    step_version = count("stepVersion that the fact received", null=True)
    execution_id = public_id("Execution that reported or was concerned", null=True)
    parent_execution_id = public_id("Parent of that execution", null=True)
    operation_code = identifier("Operation of that execution", 128, null=True)
    producer_id = identifier("Service that said so")
    source_seq = count("Place in the producer's own stream; null for facts made here (ruling 5)", null=True)
    lifecycle_status = word("Task lifecycle after the fact")
    business_status = identifier("Task business status after the fact", null=True)
    step_lifecycle_status = word("Step lifecycle after the fact", null=True)
    step_business_status = identifier("Step business status after the fact", null=True)
    health = word("Task health after the fact")
    health_reason = word("Why the task is not HEALTHY", null=True)
    data_schema = identifier("Schema of the data it carries", 128, null=True)
    error_code = identifier("Error code it carries", 128, null=True)
    duration_ms = count("Run time in ms as reported", null=True)
    duration_source = word("How duration_ms was measured", null=True)
    payload = models.JSONField(null=True, db_comment="The rest of what it carries")
    occurred_at = moment("When it happened, by the reporter's clock", null=True)
    received_at = moment("When it was received, by the database's clock")
    committed_at = moment("When it became a fact, by the database's clock")

    class Meta:
        db_table = "task_event_log"
        db_table_comment = "Immutable timeline of each task"
        constraints = [
            models.UniqueConstraint(fields=["task_id", "task_version"], name="task_event_version_uk"),
            words_only("task_event_lifecycle_known", "lifecycle_status", Lifecycle),
            words_only("task_event_step_lifecycle_known", "step_lifecycle_status", Lifecycle, null=True),
            words_only("task_event_health_known", "health", Health),
            words_only("task_event_health_reason_known", "health_reason", HealthReason, null=True),
            words_only("task_event_duration_source_known", "duration_source", DurationSource, null=True),
            models.CheckConstraint(name="task_event_version_from_one", condition=Q(task_version__gte=1)),
            models.CheckConstraint(
                name="task_event_step_whole",
                condition=Q(step_id__isnull=True, step_attempt__isnull=True, step_version__isnull=True)
                | Q(step_id__isnull=False, step_attempt__isnull=False, step_version__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task_id}@{self.task_version} {self.event_type}"


class EventDedup(models.Model):
    """That an eventId was accepted, of what content, and the receipt it was given (ruling 4: unique per tenant)."""

    tenant_id = identifier("Tenant in which the eventId is unique")
    event_id = identifier("The reporter's eventId")
    authority_scope = identifier("Security namespace of what it was about")
    producer_id = identifier("Service that reported it")
    aggregate_id = public_id("Task or workflow it was about")
    payload_hash = identifier("SHA-256 of the canonical content and the execution it was resolved to")
    result = models.JSONField(db_comment="The receipt first given")
    created_at = moment("When it was accepted")

    class Meta:
        db_table = "task_event_dedup"
        db_table_comment = "Accepted eventIds and their first receipts"
        constraints = [models.UniqueConstraint(fields=["tenant_id", "event_id"], name="event_dedup_uk")]

    def __str__(self) -> str:
        return f"{self.tenant_id} {self.event_id}"
