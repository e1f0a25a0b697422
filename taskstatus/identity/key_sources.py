"""Where keys come from: settings, a JWKS file, or a JWKS URL; all of them survive a source that is down."""

import json
import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from jwt import PyJWK, PyJWKClient
from jwt.exceptions import PyJWTError

from taskstatus.identity import clock
from taskstatus.identity.keys import KeySet, UnusableJwksError, parse_jwks

log = logging.getLogger(__name__)

REFRESH_AFTER_SECONDS: Final = 300
# Between two fetches, so that made-up key ids and an outage don't become a stream of requests.
COOLDOWN_SECONDS: Final = 10
FETCH_TIMEOUT_SECONDS: Final = 2
REFRESH_THREAD: Final = "jwks-refresh"


class KeySource(Protocol):
    """Gives the keys of now."""

    def current(self) -> KeySet:
        """Return the keys as last read; quick enough to be asked for every token."""
        ...

    def refreshed(self) -> KeySet:
        """Return the keys after a fresh look, because a token names one that isn't known."""
        ...


class FixedKeys:
    """Keys that stay what they are while the process runs."""

    def __init__(self, keys: Sequence[PyJWK]) -> None:
        """Hold `keys`."""
        self._keys = KeySet(tuple(keys))

    def current(self) -> KeySet:
        """Return the keys."""
        return self._keys

    def refreshed(self) -> KeySet:
        """Return the same keys: there is nowhere to look."""
        return self._keys


class _JwksKeys:
    """The last good keys of a JWK set, beside keys from the settings."""

    def __init__(self, fixed: Sequence[PyJWK]) -> None:
        self._fixed = tuple(fixed)
        self._document: object = None
        self._keys = KeySet(self._fixed)
        self._lock = threading.Lock()

    def _install(self, document: object) -> None:
        # The same document keeps the same set, and with it what caches have proven.
        if document != self._document:
            self._keys = KeySet(self._fixed + parse_jwks(document))
            self._document = document


class FileKeys(_JwksKeys):
    """The keys of a JWKS file, read again when it changes; a bad file leaves the last good ones."""

    def __init__(self, path: Path, fixed: Sequence[PyJWK] = ()) -> None:
        """Read `path` at the first use; `fixed` keys are valid besides."""
        super().__init__(fixed)
        self._path = path
        self._seen: tuple[int, int, int] | None = (0, 0, 0)

    def current(self) -> KeySet:
        """Return the keys of the file as it is now."""
        stamp = self._stamp()
        if stamp != self._seen:
            with self._lock:
                if stamp != self._seen:
                    self._read()
                    self._seen = stamp
        return self._keys

    def refreshed(self) -> KeySet:
        """Return the keys of the file as it is now."""
        return self.current()

    def _stamp(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _read(self) -> None:
        try:
            self._install(json.loads(self._path.read_bytes()))
        except (UnusableJwksError, OSError, ValueError, RecursionError) as error:
            _report("file", error)


class UrlKeys(_JwksKeys):
    """The keys behind a JWKS URL, refreshed beside the requests; an outage leaves the last good keys."""

    def __init__(self, url: str, fixed: Sequence[PyJWK] = ()) -> None:
        """Fetch `url` at the first use; `fixed` keys are valid besides.

        The URL is http or https; redirects are not followed.
        """
        super().__init__(fixed)
        self._client = PyJWKClient(url, cache_jwk_set=False, timeout=FETCH_TIMEOUT_SECONDS)
        self._due_at = 0.0
        self._fetchable_at = 0.0

    def current(self) -> KeySet:
        """Return the keys at once; only who comes before the first fetch waits for it."""
        if clock.monotonic() >= self._due_at:
            if self._document is None:
                return self.refreshed()
            # Whoever comes first moves the date on; nobody waits.
            self._due_at = clock.monotonic() + COOLDOWN_SECONDS
            threading.Thread(target=self.refreshed, name=REFRESH_THREAD, daemon=True).start()
        return self._keys

    def refreshed(self) -> KeySet:
        """Return the keys after a fetch, unless the last one is younger than the cooldown."""
        with self._lock:
            if clock.monotonic() >= self._fetchable_at:
                self._fetch()
        return self._keys

    def _fetch(self) -> None:
        pause = COOLDOWN_SECONDS
        try:
            self._install(self._client.fetch_data())
            pause = REFRESH_AFTER_SECONDS
        except (UnusableJwksError, PyJWTError, OSError, ValueError, RecursionError) as error:
            _report("URL", error)
        self._due_at = clock.monotonic() + pause
        self._fetchable_at = clock.monotonic() + COOLDOWN_SECONDS


def _report(kind: str, error: Exception) -> None:
    # Messages of others quote keys and URLs, so of those only the kind of trouble is logged.
    reason = str(error) if isinstance(error, UnusableJwksError) else type(error).__name__
    log.error("The JWKS %s can't be used: %s. The last good keys stay.", kind, reason)
