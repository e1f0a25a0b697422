"""Settings built from a given environment, so that a test says all that it depends on."""

from collections.abc import Callable
from pathlib import Path

import pytest

from taskstatus.config.env import Env, load_env
from taskstatus.config.source import Source

LoadEnv = Callable[..., Env]


@pytest.fixture
def load(tmp_path: Path) -> LoadEnv:
    """Return a loader of settings from keyword arguments, with its var folder in the test's own."""

    def load_from(env_file: Path | None = None, **environment: str) -> Env:
        return load_env(Source({"VAR_DIR": str(tmp_path / "var"), **environment}, env_file))

    return load_from
