"""Is a configured JWKS one that can be read, and safely?"""

import json
from pathlib import Path
from urllib.parse import urlsplit

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def jwks_fault(location: str, *, debug: bool) -> str | None:
    """Say what is wrong with a JWKS file or URL, or nothing. A URL is judged by its form, not fetched."""
    parts = urlsplit(location)
    if parts.scheme in {"http", "https"}:
        plain = parts.scheme == "http" and parts.hostname not in LOOPBACK
        return "is fetched over plain http, so anybody on the way could forge keys" if plain and not debug else None
    try:
        document = json.loads(Path(location).read_text(encoding="utf-8"))
    except OSError:
        return "names a file that can't be read"
    except ValueError:
        return "is not JSON"
    keys = document.get("keys") if isinstance(document, dict) else None
    return None if isinstance(keys, list) and keys else 'has no list of "keys"'
