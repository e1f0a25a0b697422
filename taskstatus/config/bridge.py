"""Plain WSGI on an event loop: requests run in threads that stay, and so do their database connections.

Django's own ASGI handler would run each request in a thread made for it, with a connection opened for it.
"""

import inspect
from typing import TYPE_CHECKING, Any, cast

from a2wsgi import WSGIMiddleware

if TYPE_CHECKING:
    # Gunicorn loads this module before the application, when Django's models can't be imported yet.
    from realtime.stream.app import Application


def in_threads(wsgi: Any, threads: int) -> "Application":  # noqa: ANN401 - whatever gunicorn was told to load
    """The WSGI application as an ASGI one that answers at most `threads` requests at once."""
    return cast("Application", WSGIMiddleware(wsgi, workers=threads))


def is_asgi(application: object) -> bool:
    """Whether it is an ASGI application already."""
    return any(map(inspect.iscoroutinefunction, (application, type(application).__call__)))
