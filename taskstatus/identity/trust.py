"""Whom the settings trust to sign: a shared secret, a JWKS file, a JWKS URL."""

from pathlib import Path

from taskstatus.identity.key_sources import FileKeys, FixedKeys, KeySource, UrlKeys
from taskstatus.identity.keys import secret_key


def key_source(secret: str, jwks: str) -> KeySource:
    """Return the source of the keys that two settings name; an empty one names none.

    Where both are set both are trusted, each for its own algorithms, so that a deployment can move over.
    """
    fixed = [secret_key(secret)] if secret else []
    if not jwks:
        return FixedKeys(fixed)
    if jwks.startswith(("http://", "https://")):
        return UrlKeys(jwks, fixed)
    return FileKeys(Path(jwks), fixed)
