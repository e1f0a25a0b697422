"""Secrets for development: made once per checkout, kept beside its database, never in the repository."""

import json
import os
import secrets
from pathlib import Path

FILE_NAME = "dev-secrets.json"


def development_secrets(var_dir: Path) -> dict[str, str]:
    """Return the checkout's development secrets by setting name, making the file (mode 0600) once.

    Processes that start together agree: whoever links the file first decides.
    """
    path = var_dir / FILE_NAME
    if not path.exists():
        _create(path)
    stored: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return stored


def _create(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(_fresh(), file, indent=2)
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def _fresh() -> dict[str, str]:
    return {
        "SECRET_KEY": secrets.token_urlsafe(64),
        "SERVICE_TOKEN_SECRET": secrets.token_urlsafe(48),
        "USER_TOKEN_SECRET": secrets.token_urlsafe(48),
        "EXECUTION_TOKEN_KEYS": f"dev:{secrets.token_urlsafe(48)}",
    }
