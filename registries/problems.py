"""What is wrong with definitions, said so that their author can put it right."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault: its place, as `statusSets[0].version`, what is wrong and what to do, and the row's name."""

    path: str
    message: str
    row: str = ""

    def __str__(self) -> str:
        place = f"{self.path} ({self.row})" if self.path and self.row else self.path or self.row
        return f"{place}: {self.message}" if place else self.message

    def under(self, path: str, row: str) -> "Problem":
        """The same fault, seen from outside the row that has this path and name."""
        joint = "." if path and self.path else ""
        names = ", ".join(name for name in (row, self.row) if name)
        return Problem(f"{path}{joint}{self.path}", self.message, names)


class DefinitionsRefusedError(Exception):
    """Definitions that were not taken, with everything that is wrong with them; nothing was changed."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class DefinitionConflictError(DefinitionsRefusedError):
    """A change that came too late: somebody else changed, published, retired or deleted the definition first."""
