"""The composition root as a Django app: it brings the checks of the settings."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig as DjangoAdminConfig
from django.core.checks import Tags, register

from taskstatus.config import celery, checks, database_checks


class ConfigConfig(AppConfig):
    """Registers the checks that every start and every management command runs."""

    name = "taskstatus.config"
    label = "taskstatus_config"
    # Whoever sends a task, in whichever process, sends it by this application.
    celery_app = celery.app

    def ready(self) -> None:
        """Register them under Django's own tags."""
        for check in checks.SETTINGS_CHECKS:
            register(check, Tags.security)
        register(database_checks.check_database_vendor, Tags.compatibility)
        register(database_checks.check_sqlite_transactions, Tags.compatibility)
        register(database_checks.check_database_server, Tags.database)


class AdminConfig(DjangoAdminConfig):
    """Django's admin on a site of our own."""

    default_site = "taskstatus.config.admin_site.Site"
