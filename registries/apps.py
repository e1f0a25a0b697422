"""Definitions of statuses, operations and data schemas."""

from django.apps import AppConfig


class RegistriesConfig(AppConfig):
    """Definitions of statuses, operations and data schemas."""

    name = "registries"
    verbose_name = "Registries"
