"""The ASGI application of the native stream (protocol 5 and 6).

Django decides, as for every other path: it is asked with the request, and answers with a refusal or with a
StreamOpening. Then the stream lives on the event loop, without a thread and without a database connection.
"""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from io import BytesIO
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.base import BaseHandler
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from realtime.sessions import channel_names, session_key
from realtime.stream.hub import Hub
from realtime.stream.listener import Ending, Listener
from realtime.stream.loan import LoanDesk
from realtime.stream.opening import StreamOpening
from realtime.stream.pump import Pump
from realtime.stream.reader import Reader
from realtime.stream.stream import Stream

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class TaskStreams:
    """Every open stream of this process."""

    def __init__(self) -> None:
        self._django = _Door()
        self._hub = Hub()
        self._pump = Pump(self._hub, Reader())
        self._loans = LoanDesk()
        self._is_ending = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request of the stream's path."""
        response = await self._loans.run(self._django.answer, scope)
        try:
            if isinstance(response, StreamOpening):
                await self._hold_open(response, receive, send)
            else:
                await send(_start(response))
                await send({"type": "http.response.body", "body": response.content})
        finally:
            await self._loans.run(response.close)

    def end_all(self) -> None:
        """Let every stream end with a last word, also one that is just being opened."""
        self._is_ending = True
        self._hub.end_all(Ending.SHUTDOWN)

    async def close(self) -> None:
        """Stop reading and give back what streams have used."""
        self.end_all()
        await self._pump.close()
        self._loans.close()

    async def _hold_open(self, opening: StreamOpening, receive: Receive, send: Send) -> None:
        user = opening.user
        listener = Listener(user, session_key(user), channel_names(user), opening.held)
        if self._is_ending:
            listener.end(Ending.SHUTDOWN)
        stream = Stream(listener, self._hub, self._pump, self._loans, _Body(opening, send).write)
        writing = asyncio.create_task(stream.run(opening.last_event_id))
        watching = asyncio.create_task(_cancel_when_gone(receive, writing))
        try:
            await writing
        except asyncio.CancelledError:
            if not watching.done():
                raise
        finally:
            watching.cancel()


class _Body:
    """The answer's bytes. Its head goes with the first of them: who has seen it may rely on hearing what follows."""

    def __init__(self, opening: StreamOpening, send: Send) -> None:
        self._send = send
        self._head: Message | None = _start(opening, without="Content-Length")

    async def write(self, body: bytes, *, is_last: bool = False) -> None:
        head, self._head = self._head, None
        if head is not None:
            await self._send(head)
        await self._send({"type": "http.response.body", "body": body, "more_body": not is_last})


class _Door(BaseHandler):
    """Django's middleware and views, asked synchronously."""

    def __init__(self) -> None:
        super().__init__()
        self.load_middleware()

    def answer(self, scope: Scope) -> HttpResponse:
        """What Django says to a request without a body; no view on this path streams its answer."""
        response: HttpResponseBase = self.get_response(ASGIRequest(scope, BytesIO()))
        assert isinstance(response, HttpResponse)  # noqa: S101 - the line above says why
        return response


async def _cancel_when_gone(receive: Receive, writing: "asyncio.Task[None]") -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    writing.cancel()


def _start(response: HttpResponseBase, without: str = "") -> Message:
    headers = [
        (name.encode("ascii"), value.encode("latin1"))
        for name, value in response.items()
        if name.lower() != without.lower()
    ]
    cookies = [(b"Set-Cookie", cookie.OutputString().encode("ascii")) for cookie in response.cookies.values()]
    return {"type": "http.response.start", "status": response.status_code, "headers": headers + cookies}
