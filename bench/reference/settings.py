"""The service's own settings, middleware and all, for a site with one view that does nothing."""

from taskstatus.config.settings import *  # noqa: F403 - whatever the service has

ROOT_URLCONF = "bench.reference.app"
