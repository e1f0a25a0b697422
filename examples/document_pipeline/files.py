"""Which files of a folder are taken, in which order, and what they are called."""

import itertools
from collections.abc import Iterator
from pathlib import Path

from examples.document_pipeline.documents import READABLE

UNREADABLE_FIRST, UNREADABLE_EVERY = 3, 10


def title_of(path: Path) -> str:
    """The file's name as a title: what can't be shown is a question mark."""
    return "".join(letter if letter.isprintable() else "?" for letter in path.name)[:255]


def files_of(folder: Path, sizes: range) -> Iterator[Path]:
    """Every file of these sizes once: readable ones kind by kind in turn, and early one that nobody can read."""
    kinds: dict[str, list[Path]] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.stat().st_size in sizes:
            kinds.setdefault(path.suffix.lower(), []).append(path)
    others = itertools.chain(*(kinds[suffix] for suffix in sorted(kinds) if suffix not in READABLE))
    turns = itertools.zip_longest(*(kinds[suffix] for suffix in sorted(kinds) if suffix in READABLE))
    for number, path in enumerate((path for turn in turns for path in turn if path is not None), 1):
        yield path
        if number % UNREADABLE_EVERY == UNREADABLE_FIRST:
            yield from itertools.islice(others, 1)
    yield from others
