"""The Celery application: ``celery -A taskstatus.config.celery:app``."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskstatus.config.settings")

app = Celery("taskstatus")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
