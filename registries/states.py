"""The life of a definition: draft, published, retired."""

from enum import StrEnum


class State(StrEnum):
    """Drafts may change and bind nothing; published ones are frozen; retired ones bind nothing new."""

    DRAFT = "draft"
    PUBLISHED = "published"
    RETIRED = "retired"
