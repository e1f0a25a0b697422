"""Conditional reads and changes by a task's version (protocol 5)."""

from rest_framework.request import Request
from rest_framework.response import Response

from taskstatus.queries.snapshots import TaskSnapshot


def snapshot_response(request: Request, snapshot: TaskSnapshot) -> Response:
    """The detail with its ETag; 304 for a reader who names this version, or any, in `If-None-Match`."""
    tag = snapshot.version.etag
    if not _tags(request.headers.get("If-None-Match", "")).isdisjoint({tag, "*"}):
        return Response(status=304, headers={"ETag": tag})
    return Response(snapshot.detail, headers={"ETag": tag})


def versions_to_match(request: Request) -> frozenset[str]:
    """The tags of `If-Match`, one of which has to be the task's; none if it was not sent."""
    tags = request.headers.get("If-Match", "").split(",")
    return frozenset(tag.strip() for tag in tags if tag.strip())


def _tags(header: str) -> set[str]:
    return {tag.strip().removeprefix("W/") for tag in header.split(",")}
