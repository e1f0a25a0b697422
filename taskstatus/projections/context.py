"""What a projection needs beside the rows: the registry, the moment, the epoch, the reader's language."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from registries.resolver import Registry
from taskstatus.domain.definitions import StatusSet
from taskstatus.domain.lifecycle import Audience
from taskstatus.models import Task

DEFAULT_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class ProjectionContext:
    """Made once for each tenant and scope; `now` is the database's clock, `language` a BCP 47 tag."""

    registry: Registry
    epoch: int
    now: datetime
    language: str = DEFAULT_LANGUAGE

    def statuses(self, task: Task) -> StatusSet:
        """The status set that the task is bound to."""
        return self.registry.status_set(task.task_type, task.status_definition_version)

    def text(self, translations: Mapping[str, str]) -> str | None:
        """The text in the reader's language, else its base language, else English, else any; None without one."""
        return text_in(self.language, translations)

    def data_view(self, audience: Audience, schema: str | None, value: Mapping[str, object] | None) -> object:
        """The `{schema, value}` that this audience may see: only members that the schema's view names."""
        if schema is None or value is None:
            return None
        definition = self.registry.data_schema(schema)
        return None if definition is None else {"schema": schema, "value": definition.view(audience, value)}


def text_in(language: str, translations: Mapping[str, str]) -> str | None:
    """The text in this language, else its base language, else English, else any; None without one."""
    by_tag = {tag.lower(): text for tag, text in translations.items()}
    for tag in (language.lower(), language.partition("-")[0].lower(), DEFAULT_LANGUAGE):
        if tag in by_tag:
            return by_tag[tag]
    return next(iter(translations.values()), None)
