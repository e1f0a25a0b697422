"""Where browsers connect."""

from typing import Final
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings

STREAM_PATH: Final = "/api/v1/me/task-stream"
_CONNECTION: Final = "/connection/"
_HTTP_OF: Final = {"ws": "http", "wss": "https"}
_WS_OF: Final = {"http": "ws", "https": "wss"}


def endpoints() -> dict[str, str]:
    """The addresses by transport; the native stream is there with Centrifugo too, for when it is out of reach."""
    native = {"stream": STREAM_PATH}
    if settings.REALTIME_TRANSPORT != "centrifugo":
        return native
    return native | centrifugo_endpoints(settings.CENTRIFUGO_PUBLIC_URL)


def centrifugo_endpoints(public_url: str) -> dict[str, str]:
    """Centrifugo's addresses, in the order in which to try them, from its own or that of its WebSocket."""
    parts = urlsplit(public_url)
    scheme = _HTTP_OF.get(parts.scheme, parts.scheme)
    root = parts.path.partition(_CONNECTION)[0].rstrip("/")

    def address(kind: str, path: str) -> str:
        return urlunsplit((kind, parts.netloc, root + path, "", ""))

    return {
        "websocket": address(_WS_OF[scheme], "/connection/websocket"),
        "httpStream": address(scheme, "/connection/http_stream"),
        "sse": address(scheme, "/connection/sse"),
        "emulation": address(scheme, "/emulation"),
    }
