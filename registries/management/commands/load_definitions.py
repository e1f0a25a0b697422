"""``manage.py load_definitions FILE``: load the registries of one tenant and scope from a YAML file."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from registries.actors import COMMAND_LINE, MAX_NAME, Actor
from registries.exchange.load import LoadReport, load_definitions
from registries.exchange.plan import Change
from registries.exchange.yaml_reader import MAX_FILE_BYTES
from registries.problems import DefinitionsRefusedError


class Command(BaseCommand):
    """Loads a definitions file: all of it or nothing, and nothing twice."""

    help = "Load status sets, operations and data schemas from a YAML file, all or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file and the actor."""
        parser.add_argument("file", help="the definitions file; - reads the standard input")
        parser.add_argument("--actor", type=_actor, default=COMMAND_LINE, help="who loads it, for the history")

    def handle(self, *_args: object, **options: Any) -> None:
        """Load the file and say what has changed, or everything that is wrong with it."""
        try:
            report = load_definitions(_content(options["file"]), options["actor"])
        except DefinitionsRefusedError as error:
            faults = "\n".join(f"  {problem}" for problem in error.problems)
            raise CommandError(f"Nothing was loaded; {options['file']} has to be put right:\n{faults}") from None
        self.stdout.write(_described(report))


def _actor(name: str) -> Actor:
    if not 1 <= len(name) <= MAX_NAME:
        raise ArgumentTypeError(f"has 1 to {MAX_NAME} characters")
    return Actor(name)


def _content(file: str) -> bytes:
    """The file's bytes, one more than allowed at most."""
    if file == "-":
        return sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    try:
        with Path(file).open("rb") as stream:
            return stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise CommandError(f"{file} can't be read: {error.strerror}") from None


def _described(report: LoadReport) -> str:
    lines = [f"{step.change:<10} {step.item.kind:<12} {step.name}" for step in report.steps]
    counts = Counter(step.change for step in report.steps)
    total = ", ".join(f"{counts[change]} {change}" for change in Change if counts[change]) or "no definitions"
    return "\n".join([*lines, f"{report.tenant}/{report.authority_scope}: {total}"])
