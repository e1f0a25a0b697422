"""The composition root as a Django app: it brings the checks of the settings."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Registers the settings' checks."""

    name = "taskstatus.config"
    label = "taskstatus_config"
