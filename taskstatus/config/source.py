"""Where the text of a setting comes from: the environment first, then the ``.env`` file."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from django.core.exceptions import ImproperlyConfigured
from environ import Env
from environ.fileaware_mapping import FileAwareMapping

Value = TypeVar("Value")


class Source:
    """Reads settings by name; a value may also lie in a file that ``<NAME>_FILE`` names."""

    def __init__(self, environment: Mapping[str, str], env_file: Path | None) -> None:
        """Take a copy of ``environment`` and add what ``env_file`` has and it has not."""
        self._values = FileAwareMapping(env=dict(environment), cache=False)
        if env_file is not None and env_file.is_file():
            # The library adds a file's values to its class's mapping: this reader gets a class of its own.
            reader: Any = type("SettingsEnv", (Env,), {"ENVIRON": self._values})
            reader.read_env(env_file)

    def text(self, name: str, default: str = "") -> str:
        """Return the setting's text without surrounding blanks; an empty one counts as unset."""
        try:
            value = str(self._values.get(name, ""))
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE: the file can't be read ({error.strerror})") from error
        return value.strip() or default

    def read(self, name: str, parse: Callable[[str], Value], default: str = "") -> Value:
        """Return the parsed setting; raise ``ImproperlyConfigured`` with its name where it is bad."""
        try:
            return parse(self.text(name, default))
        except ValueError as error:
            raise ImproperlyConfigured(f"{name}: {error}") from error


def process_source(base_dir: Path) -> Source:
    """Return the source of this process; ``ENV_FILE`` names another file than ``.env``."""
    env_file = Path(os.environ.get("ENV_FILE") or base_dir / ".env")
    return Source(os.environ, env_file)
