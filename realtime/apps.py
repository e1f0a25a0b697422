"""The way of a message to an open screen."""

from django.apps import AppConfig


class RealtimeConfig(AppConfig):
    """The way of a message to an open screen."""

    name = "realtime"
    verbose_name = "Realtime"
