"""How often a JSON Schema can make a validator judge one place of a value.

`anyOf` with two references, each to an `anyOf` with two references, and so on, is a page of text that takes a
year to evaluate; so does a recursive schema that visits its child twice, on a value 32 levels deep.
"""

from typing import Final

from registries.publishing.schema_walk import SAME_VALUE, Schema, children, same_value

MOST_EVALUATIONS: Final = 1_000
_DEEPEST_VALUE: Final = 32
_NEVER_JUDGED: Final = frozenset({"$defs", "definitions", "contentSchema"})


def takes_too_long(root: Schema) -> bool:
    """Whether some value of the greatest depth is judged more than 1,000 times along one way into it."""
    return _Effort(root).of(root, _DEEPEST_VALUE) > MOST_EVALUATIONS


class _Effort:
    """Counts evaluations for a value of some depth; the same schema at the same depth is counted once."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._known: dict[tuple[int, int], int] = {}

    def of(self, schema: Schema, depth: int) -> int:
        key = (id(schema), depth)
        if key not in self._known:
            # Met again before it is known, it is a circle that never goes into the value.
            self._known[key] = MOST_EVALUATIONS + 1
            here = sum(self.of(other, depth) for other in same_value(self._root, schema))
            self._known[key] = min(MOST_EVALUATIONS + 1, 1 + here + self._below(schema, depth - 1))
        return self._known[key]

    def _below(self, schema: Schema, depth: int) -> int:
        """One way down: a child has one name, so one of `properties` judges it, beside all else that does."""
        named, others = [0], 0
        for step, child in children(schema):
            if depth < 0 or not isinstance(child, dict) or step[0] in SAME_VALUE | _NEVER_JUDGED:
                continue
            if step[0] == "properties":
                named.append(self.of(child, depth))
            else:
                others += self.of(child, depth)
        return max(named) + others
