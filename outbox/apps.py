"""Messages that follow a commit, and what becomes of them."""

from django.apps import AppConfig


class OutboxConfig(AppConfig):
    """Messages that follow a commit, and what becomes of them."""

    name = "outbox"
    verbose_name = "Outbox"
