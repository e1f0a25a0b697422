"""The WSGI application that gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application

from taskstatus.config.startup import require_sound_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskstatus.config.settings")

application = get_wsgi_application()
require_sound_settings()
