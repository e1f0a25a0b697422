"""References from one definition to another."""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext

from registries.problems import Problem


def unknown_schemas(path: str, names: Iterable[str], known: frozenset[str]) -> Iterator[Problem]:
    """The data schemas that are named, but neither in the file nor published."""
    for name in names:
        if name not in known:
            message = gettext("names %(name)s, which is neither in the file nor published; add it, or publish it first")
            yield Problem(path, message % {"name": name})
