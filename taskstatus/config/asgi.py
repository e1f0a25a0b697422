"""The ASGI application, for servers that hold many connections open."""

import os

from django.core.asgi import get_asgi_application

from taskstatus.config.startup import require_sound_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskstatus.config.settings")

application = get_asgi_application()
require_sound_settings()
