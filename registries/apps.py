"""Definitions of statuses, operations and data schemas."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RegistriesConfig(AppConfig):
    """Definitions of statuses, operations and data schemas."""

    name = "registries"
    verbose_name = _("Registries")
