"""How the pipeline talks to the task status service: one session, and the same request again until it is answered."""

import random
import time
from typing import Any, Final

import requests

TRIES: Final = 8
LONGEST_PAUSE_SECONDS: Final = 5.0
TIMEOUT_SECONDS: Final = 15
_AGAIN: Final = frozenset({429, 502, 503, 504})


class RefusedError(Exception):
    """The service refused for good; `code` says why."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(f"{problem.get('code')}: {problem.get('detail')}")
        self.code = problem.get("code")


class StatusClient:
    """Calls with one bearer token. A request that got no answer is sent again as it was: its ids make that safe."""

    def __init__(self, url: str, token: str) -> None:
        self._url = f"{url}/internal/v1"
        self._session = requests.Session()
        self._session.headers["Authorization"] = f"Bearer {token}"

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer of a POST; raises RefusedError, or the connection's error when all tries are used up."""
        for attempt in range(1, TRIES + 1):
            try:
                response = self._session.post(self._url + path, json=body, timeout=TIMEOUT_SECONDS)
            except requests.RequestException:
                if attempt == TRIES:
                    raise
                pause(attempt)
                continue
            if response.status_code in _AGAIN and attempt < TRIES:
                pause(attempt)
                continue
            answer: dict[str, Any] = response.json()
            if not response.ok:
                raise RefusedError(answer)
            return answer
        raise AssertionError("unreachable: the last try returns or raises")


def pause(attempt: int) -> None:
    """Wait longer after each try, and never as long as others do."""
    time.sleep(random.uniform(0, min(LONGEST_PAUSE_SECONDS, 0.1 * 2**attempt)))  # noqa: S311
