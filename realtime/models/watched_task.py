"""Which session watches which task, for every web worker to see."""

from django.db import models

from taskstatus.fields import IdentifierField


class WatchedTask(models.Model):
    """One task whose details the native stream of a session carries."""

    session_key = IdentifierField(max_length=64, db_comment="A hash of tenant, user and session")
    task_id = IdentifierField(max_length=40, db_comment="The task")
    channel = IdentifierField(max_length=255, db_comment="Its detail channel")
    expires_at = models.DateTimeField(db_comment="When the session no longer watches it")

    class Meta:
        db_table = "realtime_watched_task"
        db_table_comment = "Tasks that sessions watch in detail over the native stream"
        constraints = [
            models.UniqueConstraint(fields=["session_key", "task_id"], name="realtime_watched_task_uk"),
        ]
        indexes = [
            models.Index(fields=["channel"], name="realtime_watchers_idx"),
            models.Index(fields=["expires_at"], name="realtime_watch_purge_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.session_key[:8]} {self.task_id}"
