"""What a data schema's references lead to: schemas of its own, each by one name, which every check then has seen.

A reference may point anywhere into the document. What stands outside the places for subschemas, behind a name
that means two, or in a document within the document, would be judged by the validator and by no rule here.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext

from registries.problems import Problem
from registries.publishing.schema_walk import ANCHORS, REFERENCES, Path, Schema, spelled, subschemas, target


def reference_problems(root: dict[str, Any]) -> Iterator[Problem]:
    """Every reference that leaves the document or leads to no schema, and every name that blurs where one leads."""
    schemas = list(subschemas(root))
    known = {id(schema) for _, schema in schemas}
    for path, schema in schemas:
        for keyword in REFERENCES:
            if isinstance(reference := schema.get(keyword), str) and (fault := _fault(root, reference, known)):
                yield Problem(spelled((*path, keyword)), fault % {"target": reference[:200]})
        if path and isinstance(schema.get("$id"), str):
            message = gettext(
                "begins a document within the document; leave it out, and refer to the place by #/$defs/…"
            )
            yield Problem(spelled((*path, "$id")), message)
    yield from _twin_anchors(schemas)


def _fault(root: Schema, reference: str, known: set[int]) -> str | None:
    if not reference.startswith("#"):
        return gettext("leaves the document (%(target)s); bring what it means under $defs")
    found = target(root, reference)
    if isinstance(found, bool) or (isinstance(found, Mapping) and id(found) in known):
        return None
    return gettext("leads to no schema (%(target)s); bring what it means under $defs")


def _twin_anchors(schemas: list[tuple[Path, Schema]]) -> Iterator[Problem]:
    uses: Counter[str] = Counter()
    for path, schema in schemas:
        for keyword in ANCHORS:
            name = schema.get(keyword)
            if isinstance(name, str):
                uses[name] += 1
                if uses[name] > 1:
                    message = gettext("is %(name)s, as another place is named; give each its own name")
                    yield Problem(spelled((*path, keyword)), message % {"name": name[:200]})
