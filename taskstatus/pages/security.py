"""What a page may load: its own host's files, and nothing else but the realtime server it was told of."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Final, ParamSpec
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponseBase

from realtime.endpoints import endpoints

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]

_POLICY: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "font-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}


def self_contained(view: View[P]) -> View[P]:
    """Let the view's page run no script or style written into it, and call no host but those of its endpoints."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        response["Content-Security-Policy"] = content_policy()
        response["Referrer-Policy"] = "same-origin"
        return response

    return guarded


def content_policy() -> str:
    """The policy as the header spells it."""
    origins = sorted({_origin(address) for address in endpoints().values() if urlsplit(address).netloc})
    rules = _POLICY | {"connect-src": " ".join(["'self'", *origins])}
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"
