"""Messages that follow a commit, and what becomes of them."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OutboxConfig(AppConfig):
    """Messages that follow a commit, and what becomes of them."""

    name = "outbox"
    verbose_name = _("Outbox")
