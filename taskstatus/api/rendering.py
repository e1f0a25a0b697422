"""How answers of the API become bytes: JSON, by the quickest encoder at hand (bench/)."""

# ruff: noqa: ANN401, ARG002 - DRF's own signatures

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_core import to_json
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request


class QuickNegotiation(DefaultContentNegotiation):
    """DRF's own, which is asked where a caller wishes for anything but what it gets anyway."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The renderer and its media type; raises NotAcceptable."""
        default, meta = next(iter(renderers)), request.META
        if meta.get("HTTP_ACCEPT", "*/*") in ("*/*", default.media_type) and not meta.get("QUERY_STRING"):
            return default, default.media_type
        chosen: tuple[BaseRenderer, str] = super().select_renderer(request, renderers, format_suffix)
        return chosen


class CompactJsonRenderer(JSONRenderer):
    """JSON without a space in it, whatever parameters a caller's media type has."""

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        """The bytes of a body; none for none. Texts that wait for their language are told in the reader's."""
        return b"" if data is None else to_json(data, fallback=str)
