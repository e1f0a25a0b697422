"""The calls of `tests.support.api` over a real connection, as by a client that asks until it is answered."""

import http.client
import json
import time
from dataclasses import dataclass, field
from typing import Any

from tests.support.api import PRODUCT, Answer
from tests.support.server import BROKEN

PATIENCE_SECONDS = 90
PAUSE_SECONDS = 0.1
REQUEST_SECONDS = 30


@dataclass
class HttpApi:
    """One caller. What got no answer, or 503, is sent again as it was: a worker's own outbox does no more."""

    port: int
    token: str
    root: str = PRODUCT
    unanswered: int = field(default=0, init=False)

    def get(self, path: str) -> Answer:
        """GET a path."""
        return self._insist("GET", path, None)

    def put(self, path: str, body: Any) -> Answer:
        """PUT a JSON body."""
        return self._insist("PUT", path, body)

    def post(self, path: str, body: Any = None) -> Answer:
        """POST a JSON body."""
        return self._insist("POST", path, body)

    def _insist(self, method: str, path: str, body: Any) -> Answer:
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            answer = self._ask(method, path, body)
            if answer is not None and answer.status != http.client.SERVICE_UNAVAILABLE:
                return answer
            self.unanswered += 1
            assert time.monotonic() < end, f"{method} {path} is not answered: {answer}"
            time.sleep(PAUSE_SECONDS)

    def _ask(self, method: str, path: str, body: Any) -> Answer | None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=REQUEST_SECONDS)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        try:
            connection.request(method, self.root + path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            text = response.read()
            is_json = "json" in response.headers.get("Content-Type", "")
            return Answer(response.status, json.loads(text) if is_json else text.decode(), dict(response.headers))
        except BROKEN:
            return None
        finally:
            connection.close()
