"""What every process of the pipeline is told through its environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the service is, where files are, who listens where; `tokens` by producer, never printed."""

    url: str
    input: Path
    var: Path
    ports: dict[str, int]
    tokens: dict[str, str]
    # Reading a page takes a moment, or nobody could watch.
    seconds_per_page: float
    file_bytes: range

    @classmethod
    def from_environment(cls, env: Mapping[str, str]) -> "Settings":
        """Read PIPELINE_URL, PIPELINE_INPUT and so on: PORTS as `role:port,…`, TOKENS as `name=token …`."""
        var = Path(env["PIPELINE_VAR"])
        settings = cls(
            url=env["PIPELINE_URL"],
            input=Path(env["PIPELINE_INPUT"]),
            var=var,
            ports={role: int(port) for role, port in (pair.split(":") for pair in env["PIPELINE_PORTS"].split(","))},
            tokens=dict(pair.split("=", 1) for pair in env["PIPELINE_TOKENS"].split()),
            seconds_per_page=float(env.get("PIPELINE_SECONDS_PER_PAGE", "0.3")),
            file_bytes=_sizes(env.get("PIPELINE_FILE_BYTES", "1-50000000")),
        )
        settings.workshop.mkdir(parents=True, exist_ok=True)
        return settings

    def announce(self, role: str) -> None:
        """Say which process plays this role, for whoever started it."""
        (self.var / f"{role}.pid").write_text(str(os.getpid()), encoding="utf-8")

    @property
    def workshop(self) -> Path:
        """Where files lie while they are worked on."""
        return self.var / "workshop"

    @property
    def index(self) -> Path:
        """Where results are kept."""
        return self.var / "index"

    def address(self, role: str) -> str:
        """Where a process of the pipeline listens."""
        return f"http://127.0.0.1:{self.ports[role]}/"


def _sizes(text: str) -> range:
    """The sizes that `least-most` names."""
    least, most = map(int, text.split("-"))
    return range(least, most + 1)
