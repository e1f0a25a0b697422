"""The container's health check, against a server that answers as the service would."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from taskstatus.config import healthcheck
from taskstatus.config.healthcheck import is_healthy
from tests.support.ports import free_port
from tests.support.waiting import PATIENCE_SECONDS


class Service(BaseHTTPRequestHandler):
    status = 200
    hosts: list[str] = []  # noqa: RUF012 - read by the test

    def do_GET(self):
        type(self).hosts.append(self.headers["Host"])
        self.send_response(type(self).status if self.path == "/healthz" else 404)
        self.end_headers()

    def log_message(self, *args):
        pass


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    monkeypatch.setattr(healthcheck, "TIMEOUT_SECONDS", PATIENCE_SECONDS)


@pytest.fixture
def port():
    with HTTPServer(("127.0.0.1", 0), Service) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join(PATIENCE_SECONDS)


@pytest.mark.parametrize(("status", "healthy"), [(200, True), (503, False)])
def test_it_says_what_the_service_says(load, port, monkeypatch, status, healthy):
    monkeypatch.setattr(Service, "status", status)
    assert is_healthy(load(PORT=str(port))) is healthy


@pytest.mark.parametrize(
    ("allowed", "host"),
    [
        ("", "localhost"),
        ("*", "localhost"),
        (".example.com", "example.com"),
        ("a.example.com,b", "a.example.com"),
    ],
)
def test_it_calls_the_service_by_a_name_that_it_answers_to(load, port, monkeypatch, allowed, host):
    monkeypatch.setattr(Service, "hosts", [])
    assert is_healthy(load(PORT=str(port), ALLOWED_HOSTS=allowed))
    assert Service.hosts == [host]


def test_nobody_there_is_not_healthy(load):
    assert not is_healthy(load(PORT=str(free_port())))
