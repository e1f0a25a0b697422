"""The lease: the narrow row that a beat writes, one for each running execution (ruling 25)."""

from django.db import models
from django.db.models import Q

from taskstatus.models._columns import count, moment, public_id
from taskstatus.models.step import Step


class ExecutionLease(models.Model):
    """How long an execution is believed without a sign of life.

    It exists from STEP_STARTED until the step, or its task, ends. No foreign key either way: a beat must not
    lock its parent row (facts measured on both servers: beats and child inserts deadlocked).
    """

    execution = models.OneToOneField(
        Step,
        models.DO_NOTHING,
        to_field="execution_id",
        db_column="execution_id",
        related_name="lease",
        primary_key=True,
        db_constraint=False,
        db_comment="Execution that is alive",
    )
    task_id = public_id("Its task, to be locked before the lease is judged")
    heartbeat_seq = count("Last heartbeatSeq", default=0)
    last_heartbeat_at = moment("Last sign of life, by the database's clock")
    timeout_seconds = count("Seconds that one sign of life is good for")
    deadline_at = moment("When it becomes overdue (ruling 29); null once its execution is STALE", null=True)

    class Meta:
        db_table = "task_execution_lease"
        db_table_comment = "Signs of life of running executions"
        constraints = [models.CheckConstraint(name="lease_timeout_positive", condition=Q(timeout_seconds__gte=1))]
        indexes = [models.Index(fields=["deadline_at", "execution"], name="lease_deadline_idx")]

    def __str__(self) -> str:
        return f"lease of {self.execution_id}"
