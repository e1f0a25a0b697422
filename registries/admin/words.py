"""What the pages call states, changes, kinds and sources."""

from typing import Any, Final

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from registries.exchange.apply import Source
from registries.exchange.plan import Change
from registries.items import DataSchemaItem, OperationItem, StatusSetItem
from registries.states import State

STATES: Final[dict[str, Promise]] = {
    State.DRAFT.value: _("Draft"),
    State.PUBLISHED.value: _("Published"),
    State.RETIRED.value: _("Retired"),
}
CHANGES: Final[dict[str, Promise]] = {
    Change.CREATED.value: pgettext_lazy("definition", "made"),
    Change.UPDATED.value: pgettext_lazy("definition", "changed"),
    Change.PUBLISHED.value: pgettext_lazy("definition", "published"),
    Change.RETIRED.value: pgettext_lazy("definition", "retired"),
    Change.DELETED.value: pgettext_lazy("definition", "deleted"),
    Change.UNCHANGED.value: pgettext_lazy("definition", "unchanged"),
}
KINDS: Final[dict[str, Promise]] = {
    StatusSetItem.kind: _("status set"),
    OperationItem.kind: _("operation"),
    DataSchemaItem.kind: _("data schema"),
}
SOURCES: Final[dict[str, Promise]] = {Source.EDITOR.value: _("in the admin"), Source.FILE.value: _("by a file")}


def state_badge(state: str) -> SafeString:
    """The state as a word with a mark and a colour."""
    return format_html('<span class="badge state-{}">{}</span>', state, STATES.get(state, state))


def change_badge(change: Any) -> SafeString:  # noqa: ANN401 - a word of the enumeration, or of a row
    """What was done, as a word with a mark and a colour."""
    return format_html('<span class="badge change-{}">{}</span>', str(change), CHANGES.get(str(change), str(change)))
