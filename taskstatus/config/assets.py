"""Files of others that pages load, served like the service's own."""

from pathlib import Path


def centrifuge_files(base_dir: Path) -> list[tuple[str, Path]]:
    """Where centrifuge-js is, once `make setup-js` has fetched it; pages do without it unless Centrifugo is used."""
    build = base_dir / "sdk" / "js" / "node_modules" / "centrifuge" / "build"
    return [("taskstatus/centrifuge", build)] if build.is_dir() else []
