"""One command for the realtime layer; to this app a channel is a string and a payload is text (ruling 18)."""

from enum import StrEnum

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from taskstatus.fields import IdentifierField


class Command(StrEnum):
    """What the relay shall do."""

    PUBLISH = "PUBLISH"
    REVOKE = "REVOKE"


class Status(StrEnum):
    """How far a command has come (source design 5.1).

    SUPERSEDED is an end of its own: a state that a newer one made needless was never published, and a row that said
    it was would lie to whoever follows a report, and to every rate and delay that is taken from PUBLISHED rows.
    """

    PENDING = "PENDING"
    PROCESSING = "PROCESSING"
    PUBLISHED = "PUBLISHED"
    SUPERSEDED = "SUPERSEDED"
    DEAD = "DEAD"


class OutboxMessage(models.Model):
    """A PUBLISH of one payload to one channel, or a REVOKE of one subscriber.

    The design's four-column unique key is left out: versions are taken under the aggregate's row lock (ruling 28).
    """

    command = IdentifierField(max_length=16, default=Command.PUBLISH, db_comment="PUBLISH or REVOKE")
    aggregate_type = IdentifierField(max_length=16, db_comment="Which kind of version the message carries")
    aggregate_id = IdentifierField(max_length=40, db_comment="Whose version it is")
    aggregate_version = models.PositiveBigIntegerField(db_comment="Version that the message announces")
    epoch = models.PositiveBigIntegerField(db_comment="Data epoch of that version")
    channel = IdentifierField(max_length=255, db_comment="Where it is published")
    projection = IdentifierField(max_length=32, db_comment="Audience that the payload was made for")
    # Text, not a JSON column: it is written once, sent as it is, and never looked into by the database.
    payload = models.TextField(db_comment="The message as JSON text")
    coalescible = models.BooleanField(default=False, db_comment="A newer row of the same kind may replace it")
    event_id = IdentifierField(max_length=64, null=True, db_comment="Event that caused it, for following one report")
    status = IdentifierField(max_length=16, default=Status.PENDING, db_comment="How far it has come")
    available_at = models.DateTimeField(db_default=Now(), db_comment="Not to be claimed before")
    claim_token = IdentifierField(max_length=64, null=True, db_comment="Claim under which a relay holds it")
    claimed_by = IdentifierField(max_length=128, null=True, db_comment="Relay that holds it, or held it last")
    claimed_until = models.DateTimeField(null=True, db_comment="When that claim lapses")
    attempts = models.PositiveIntegerField(default=0, db_comment="How often publishing was tried")
    last_error = models.CharField(max_length=1024, null=True, db_comment="Last failure, without secrets")
    created_at = models.DateTimeField(db_default=Now(), db_comment="When it was committed")
    published_at = models.DateTimeField(null=True, db_comment="When it was published")

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        db_table = "task_outbox"
        db_table_comment = "Commands for the realtime layer, committed with their facts"
        constraints = [
            models.CheckConstraint(name="outbox_command_known", condition=Q(command__in=[c.value for c in Command])),
            models.CheckConstraint(name="outbox_status_known", condition=Q(status__in=[s.value for s in Status])),
            models.CheckConstraint(
                name="outbox_published_has_time",
                condition=~Q(status=Status.PUBLISHED) | Q(published_at__isnull=False),
            ),
            models.CheckConstraint(
                name="outbox_claim_whole",
                condition=~Q(status=Status.PROCESSING)
                | Q(claim_token__isnull=False, claimed_by__isnull=False, claimed_until__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["status", "available_at", "id"], name="outbox_claim_idx"),
            models.Index(fields=["status", "claimed_until", "id"], name="outbox_claim_lapse_idx"),
        ]
        permissions = [
            ("requeue_outboxmessage", "Can requeue dead letters"),
            ("discard_outboxmessage", "Can discard dead letters"),
        ]

    def __str__(self) -> str:
        return f"{self.command} {self.channel} {self.aggregate_id}@{self.aggregate_version}"
