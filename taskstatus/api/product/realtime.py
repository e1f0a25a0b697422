"""How users get messages as they are committed (protocol 5)."""

from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from realtime.sessions import describe_session
from realtime.stream.opening import EVENT_STREAM, StreamOpening, open_stream
from realtime.subscriptions import end_subscription, subscribe_to_task, subscribe_to_workflow
from realtime.watch_set import put_watch_set, read_watch_set
from taskstatus.api.openapi import realtime as described
from taskstatus.api.product.base import ProductView
from taskstatus.commands.queries import NoParameters
from taskstatus.commands.realtime import Subscribe, WatchTasks


class SessionView(ProductView):
    """The session's way to its messages."""

    @described.get_session
    def get(self, request: Request) -> Response:
        """Addresses, channels, limits, and a token."""
        self.query(request, NoParameters)
        return Response(describe_session(self.user(request)))


class SubscriptionTokenView(ProductView):
    """Hearing of one task or workflow in detail."""

    @described.subscribe
    def post(self, request: Request) -> Response:
        """A token, if the user may see it and has not too many."""
        wanted = self.command(request, Subscribe)
        user = self.user(request)
        if wanted.task_id is not None:
            return Response(subscribe_to_task(user, wanted.task_id))
        return Response(subscribe_to_workflow(user, wanted.workflow_id or ""))


class SubscriptionView(ProductView):
    """One subscription's lease."""

    @described.end_subscription
    def delete(self, request: Request, lease: str) -> Response:
        """Give it back."""
        end_subscription(self.user(request), lease)
        return Response(status=204)


class WatchSetView(ProductView):
    """The tasks whose details the native stream carries."""

    @described.get_watch_set
    def get(self, request: Request) -> Response:
        """What is watched now."""
        self.query(request, NoParameters)
        return Response(read_watch_set(self.user(request)).body())

    @described.put_watch_set
    def put(self, request: Request) -> Response:
        """Watch these tasks instead."""
        wanted = self.command(request, WatchTasks)
        return Response(put_watch_set(self.user(request), wanted.task_ids).body())


class EventStreamRenderer(BaseRenderer):
    """Stands for the stream's media type while Accept is looked at; the stream itself needs no renderer."""

    media_type = EVENT_STREAM
    format = "event-stream"


class TaskStreamView(ProductView):
    """The native stream."""

    renderer_classes = (EventStreamRenderer,)
    http_method_names = ("get",)

    @described.stream
    def get(self, request: Request) -> StreamOpening:
        """Let the user listen."""
        self.query(request, NoParameters)
        return open_stream(self.user(request), request.headers.get("Last-Event-ID"))
