"""A place in a limited number of them, which all web workers have to agree on."""

from django.db import models

from taskstatus.fields import IdentifierField


class Seat(models.Model):
    """One numbered place of those that a session or a user may hold at once.

    The number is what makes the limit exact: two workers that give away the last place at the same moment want the
    same row, and one of them doesn't get it. No lock, no transaction, on every database.
    """

    holder = IdentifierField(max_length=64, db_comment="Whose places are counted: a hash of session or user")
    number = models.PositiveIntegerField(db_comment="Which of the holder's places, from 0")
    lease = IdentifierField(max_length=64, db_comment="What the place was given for")
    expires_at = models.DateTimeField(db_comment="When it is free again")

    class Meta:
        db_table = "realtime_seat"
        db_table_comment = "Places in limited numbers: detail subscriptions of a session, streams of a user"
        constraints = [
            models.UniqueConstraint(fields=["holder", "number"], name="realtime_seat_number_uk"),
            models.UniqueConstraint(fields=["holder", "lease"], name="realtime_seat_lease_uk"),
        ]
        indexes = [models.Index(fields=["expires_at"], name="realtime_seat_purge_idx")]

    def __str__(self) -> str:
        return f"{self.holder[:8]} #{self.number}"
