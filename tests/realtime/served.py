"""A client of the native stream over a real connection, as a script would write one."""

import http.client
import socket
import time
from dataclasses import dataclass

from realtime.endpoints import STREAM_PATH
from tests.realtime.events import Event

WAIT_SECONDS = 60


@dataclass
class ServedStream:
    """One connection; events are read as they are asked for."""

    response: http.client.HTTPResponse
    connection: http.client.HTTPConnection

    @classmethod
    def open(cls, port, api, last_event_id=None, *, buffer_bytes=None):
        """Connect and send the request; `buffer_bytes` keeps the client's side from taking much unasked."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_SECONDS)
        if buffer_bytes is not None:
            connection.sock = socket.socket()
            connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
            connection.sock.settimeout(WAIT_SECONDS)
            connection.sock.connect(("127.0.0.1", port))
        headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {api.token}"}
        if last_event_id is not None:
            headers["Last-Event-ID"] = last_event_id
        connection.request("GET", STREAM_PATH, headers=headers)
        return cls(connection.getresponse(), connection)

    def event(self, *names):
        """The next event, of one of these names if some are given; None at the end of the stream."""
        fields, end = {}, time.monotonic() + WAIT_SECONDS
        while line := self.response.readline():
            assert time.monotonic() < end, "the event did not come"
            text = line.decode().rstrip("\n")
            if text and not text.startswith(":"):
                name, _, value = text.partition(": ")
                fields[name] = value
            elif "data" in fields:
                event = Event(fields["event"], fields["id"], fields["data"])
                if not names or event.name in names:
                    return event
                fields = {}
        return None

    def close(self):
        """Go away."""
        self.response.close()
        self.connection.close()
