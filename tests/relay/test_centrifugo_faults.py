"""Servers that are not there, don't answer, or answer nonsense: none of it is a message's fault."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from outbox.publishers import PublishError, PublisherUnavailableError
from realtime.centrifugo import CentrifugoPublisher
from tests.relay.support import delivery
from tests.support.ports import free_port
from tests.support.waiting import PATIENCE_SECONDS

KEY = "the-api-key-of-this-test"


@contextmanager
def server(status=200, body=b"", headers=(), drop_after=None):
    """An HTTP server that gives every call the same answer; `drop_after` closes a connection after so many."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        answered = 0

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.server.seen.append(dict(self.headers))
            self.answered += 1
            self.send_response(status)
            for name, value in (*headers, ("Content-Length", str(len(body)))):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
            if self.answered == drop_after:
                self.close_connection = True  # without a word to the client

        def log_message(self, *_args):
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.seen, http.block_on_close = [], False  # a kept connection ends with its client
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield http
    finally:
        http.shutdown()
        thread.join(PATIENCE_SECONDS)
        http.server_close()


def publisher(settings, port):
    settings.CENTRIFUGO_API_URL, settings.CENTRIFUGO_API_KEY = f"http://127.0.0.1:{port}/api", KEY
    return CentrifugoPublisher()


def outage(settings, seconds=PATIENCE_SECONDS, **answer):
    with server(**answer) as http, pytest.raises(PublisherUnavailableError) as error:
        publisher(settings, http.server_port).publish([delivery()], seconds)
    return error.value.reason


def test_nobody_there(settings):
    with pytest.raises(PublisherUnavailableError, match="reached") as error:
        publisher(settings, free_port()).publish([delivery()], PATIENCE_SECONDS)
    assert "127.0.0.1" not in error.value.reason


def test_no_answer_within_the_deadline(settings):
    with ThreadPoolExecutor(1) as pool, socket.create_server(("127.0.0.1", 0)) as silent:
        call = pool.submit(publisher(settings, silent.getsockname()[1]).publish, [delivery()], 0.6)
        with pytest.raises(PublisherUnavailableError, match="in time"):
            call.result(PATIENCE_SECONDS)


@pytest.mark.parametrize("status", [403, 404, 405, 429, 500, 502, 503, 504])
def test_a_status_that_says_nothing_about_the_messages(settings, status):
    assert str(status) in outage(settings, status=status)


@pytest.mark.parametrize("status", [400, 413])
def test_a_status_that_refuses_the_call_for_what_is_in_it(settings, status):
    with server(status=status) as http, pytest.raises(PublishError, match=str(status)) as error:
        publisher(settings, http.server_port).publish([delivery()], PATIENCE_SECONDS)
    assert not error.value.retryable


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"replies":[]}', b'{"replies":[{},{}]}', b'{"replies":{}}'])
def test_an_answer_that_makes_no_sense(settings, body):
    assert "not understood" in outage(settings, body=body)


@pytest.mark.parametrize(
    ("reply", "retryable"),
    [
        ('{"error":{"code":100,"message":"internal server error"}}', True),
        ('{"error":{"code":102}}', False),
        ('{"error":{"code":107}}', False),
        ('{"error":{"code":108}}', False),
        ('{"error":{"code":111}}', True),
        ('{"error":{"code":4242}}', True),
        ('{"error":"?"}', True),
        ("7", True),
    ],
)
def test_a_reply_that_refuses_one_message(settings, reply, retryable):
    with server(body=f'{{"replies":[{reply}]}}'.encode()) as http:
        (answer,) = publisher(settings, http.server_port).publish([delivery()], PATIENCE_SECONDS)
    assert answer.retryable is retryable


def test_a_redirect_is_not_followed_with_the_key(settings):
    with server(body=b'{"replies":[{}]}') as elsewhere:
        target = ("Location", f"http://127.0.0.1:{elsewhere.server_port}/api/batch")
        assert "307" in outage(settings, status=307, headers=[target])
        assert elsewhere.seen == []


def test_no_proxy_of_the_environment_gets_the_key(settings, monkeypatch):
    with server(body=b'{"replies":[{}]}') as centrifugo:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{free_port()}")
        assert publisher(settings, centrifugo.server_port).publish([delivery()], PATIENCE_SECONDS) == [None]
        assert centrifugo.seen[0]["X-API-Key"] == KEY


def test_a_kept_connection_that_was_closed_meanwhile_is_no_outage(settings):
    with server(body=b'{"replies":[{}]}', drop_after=1) as http:
        sender = publisher(settings, http.server_port)
        assert [sender.publish([delivery()], PATIENCE_SECONDS) for _ in range(3)] == [[None]] * 3
