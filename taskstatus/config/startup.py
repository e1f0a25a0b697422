"""Stops a server process that would start with settings it must not run with."""

from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured


def require_sound_settings() -> None:
    """Run Django's checks, as manage.py does; raise ``ImproperlyConfigured`` with what must be mended."""
    serious = [message for message in run_checks() if message.is_serious()]
    if serious:
        lines = "\n".join(f"  {message.id}: {message.msg} {message.hint or ''}" for message in serious)
        raise ImproperlyConfigured(f"the service does not start with these settings:\n{lines}")
