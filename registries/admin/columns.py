"""What the lists say about definitions that their rows don't hold: uses and the last change, fetched once a page."""

from collections.abc import Callable, Sequence
from typing import Any, cast

from django.conf import settings
from django.contrib.admin import display
from django.contrib.admin.views.main import ChangeList
from django.db.models import Max
from django.http import HttpRequest
from django.utils.module_loading import import_string

from registries.kinds import DefinitionRow, item_kind
from registries.models import DataSchemaDefinition, DefinitionChange
from registries.uses import use_counts


class DefinitionList(ChangeList):
    """A page of the list, each row with its `uses` and its `latest` change."""

    def get_results(self, request: HttpRequest) -> None:
        """Fetch the page, then what is told about all of it."""
        super().get_results(request)
        add_facts(list(self.result_list))


def column(name: str, title: Any) -> Callable[[Any], Any]:  # noqa: ANN401 - lazy words
    """A column of the list that shows a field under a title in the reader's language."""

    @display(description=title, ordering=name)
    def shown(row: Any) -> Any:  # noqa: ANN401 - a row of any kind, and its value
        return getattr(row, name)

    shown.__name__ = name
    return shown


def add_facts(rows: Sequence[Any]) -> None:
    """Give each row its uses and its latest change, in two queries."""
    if rows:
        latest = _latest(rows)
        for row, uses in zip(rows, uses_of(rows), strict=True):
            row.uses, row.latest = uses, latest.get(row.pk)


def uses_of(rows: Sequence[DefinitionRow]) -> Sequence[object]:
    """How much is bound to each; the registries know no tasks, a setting names who counts them."""
    if rows and isinstance(rows[0], DataSchemaDefinition):
        return use_counts(cast("Sequence[DataSchemaDefinition]", rows))
    count = cast("Callable[[Sequence[DefinitionRow]], Sequence[object]]", import_string(settings.REGISTRIES_USES_OF))
    return count(rows)


def _latest(rows: Sequence[DefinitionRow]) -> dict[int, DefinitionChange]:
    """The newest change of each, however many there were."""
    changes = DefinitionChange.objects.filter(kind=item_kind(rows[0]), definition_id__in=[row.pk for row in rows])
    newest = changes.values("definition_id").annotate(newest=Max("id")).values("newest")
    return {change.definition_id: change for change in DefinitionChange.objects.filter(pk__in=newest).defer("content")}
