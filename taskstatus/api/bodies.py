"""Request bodies: bounded, unpacked where that is allowed, and parsed strictly (protocol 3, S12)."""

import zlib
from collections.abc import Mapping
from typing import IO, Any, Final

from django.http import HttpRequest

from taskstatus.domain.errors import DomainError
from taskstatus.domain.strict_json import parse_object

MAX_BODY_BYTES: Final = 1024 * 1024
MAX_UNPACKED_BYTES: Final = 8 * 1024 * 1024
# A parsed body takes up to 50 times its own memory, by the number of its parts. This is 2,000 for each of 500 events.
MAX_PARTS: Final = 1_000_000
_GZIP_WINDOW: Final = 16 + zlib.MAX_WBITS


def read_object(request: HttpRequest, *, gzip: bool = False) -> dict[str, Any]:
    """The body's JSON object; an empty body is an empty object.

    Raises BODY_TOO_LARGE (too many bytes or parts), UNSUPPORTED_MEDIA_TYPE (not JSON, or an encoding that the path
    doesn't take), MALFORMED_BODY.
    """
    body = _bounded(request)
    encoding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding == "gzip" and gzip:
        body = _unpacked(body)
    elif encoding not in ("identity", ""):
        raise DomainError("UNSUPPORTED_MEDIA_TYPE", "This path doesn't take that Content-Encoding.")
    if not body:
        return {}
    if request.content_type != "application/json":
        raise DomainError("UNSUPPORTED_MEDIA_TYPE", "The body has to be application/json.")
    _require_few_parts(body)
    return parse_object(body)


def require_batch_size(body: Mapping[str, Any], member: str, most: int) -> None:
    """Raise BATCH_TOO_LARGE if the member is a list of more items than that; what else it may be is judged later."""
    items = body.get(member)
    if isinstance(items, list) and len(items) > most:
        raise DomainError("BATCH_TOO_LARGE", f"A batch may have {most} {member}.")


def _bounded(request: HttpRequest) -> bytes:
    length = request.headers.get("Content-Length", "")
    if length.isdigit() and int(length) > MAX_BODY_BYTES:
        raise _too_large(MAX_BODY_BYTES)
    body = _stream(request).read(MAX_BODY_BYTES + 1)
    if len(body) > MAX_BODY_BYTES:
        raise _too_large(MAX_BODY_BYTES)
    return body


def _stream(request: HttpRequest) -> IO[bytes] | HttpRequest:
    """Django takes a body without Content-Length for empty; a chunked one is read from the server's own stream."""
    chunked = "chunked" in request.headers.get("Transfer-Encoding", "").lower()
    return request.META["wsgi.input"] if chunked and "wsgi.input" in request.META else request


def _unpacked(body: bytes) -> bytes:
    unpacker = zlib.decompressobj(_GZIP_WINDOW)
    try:
        plain = unpacker.decompress(body, MAX_UNPACKED_BYTES + 1)
    except zlib.error as error:
        raise DomainError("MALFORMED_BODY", "The body is no gzip stream.") from error
    if len(plain) > MAX_UNPACKED_BYTES:
        raise _too_large(MAX_UNPACKED_BYTES)
    if not unpacker.eof or unpacker.unused_data:
        raise DomainError("MALFORMED_BODY", "The gzip stream is cut short, or more than one.")
    return plain


def _require_few_parts(body: bytes) -> None:
    """Count what begins or parts members and items before any of them is made; in texts it counts too."""
    if len(body) > MAX_PARTS and sum(map(body.count, (b"{", b"[", b":", b","))) > MAX_PARTS:
        raise DomainError("BODY_TOO_LARGE", f"The body may have {MAX_PARTS} objects, lists, members and items.")


def _too_large(limit: int) -> DomainError:
    return DomainError("BODY_TOO_LARGE", f"The body may have {limit} bytes.")
