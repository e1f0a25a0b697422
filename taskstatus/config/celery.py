"""The Celery application: ``celery -A taskstatus.config.celery:app``."""

import logging.config
import os

from celery import Celery
from celery.signals import beat_init, celeryd_init, setup_logging
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from taskstatus.config.startup import require_sound_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskstatus.config.settings")

app = Celery("taskstatus")
# For threads too: what Celery calls current is so in the thread that made it alone.
app.set_default()
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def check_settings(**_kwargs: object) -> None:
    """Refuse to work with unsafe settings, as the web server and manage.py do."""
    try:
        require_sound_settings()
    except ImproperlyConfigured as fault:
        # A signal's receiver may fail and the worker goes on; only an exit is not caught.
        raise SystemExit(str(fault)) from None


def use_own_logging(**_kwargs: object) -> None:
    """Keep the service's logging: Celery configures its own unless somebody answers this signal."""
    logging.config.dictConfig(settings.LOGGING)


celeryd_init.connect(check_settings)
beat_init.connect(check_settings)
setup_logging.connect(use_own_logging)
