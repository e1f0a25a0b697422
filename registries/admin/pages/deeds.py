"""What can be done to a definition as a whole, and by which use case."""

from enum import StrEnum
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registries.actors import Actor
from registries.editing.copy_definition import copy_definition
from registries.editing.delete_draft import delete_draft
from registries.editing.publish_definition import publish_definition
from registries.editing.retire_definition import retire_definition
from registries.kinds import DefinitionRow
from registries.states import State


class Deed(StrEnum):
    """The deeds that are asked about before they are done."""

    PUBLISH = "publish"
    RETIRE = "retire"
    COPY = "copy"
    DELETE = "delete"


# A definition in any state can be copied.
NEEDED_STATE: Final = {Deed.PUBLISH: State.DRAFT, Deed.RETIRE: State.PUBLISHED, Deed.DELETE: State.DRAFT}
QUESTIONS: Final[dict[Deed, tuple[Promise, Promise]]] = {
    Deed.PUBLISH: (_("Publish this draft?"), _("Publish these drafts?")),
    Deed.RETIRE: (_("Retire this definition?"), _("Retire these definitions?")),
    Deed.COPY: (_("Copy this to its next version?"), _("Copy these to their next version?")),
    Deed.DELETE: (_("Delete this draft?"), _("Delete these drafts?")),
}
CONSEQUENCES: Final[dict[Deed, Promise]] = {
    Deed.PUBLISH: _(
        "A published definition is frozen for good: it is changed by copying it to the next version. "
        "New tasks use it within a second; what is bound to an earlier version stays with that."
    ),
    Deed.RETIRE: _("Nothing new binds to a retired definition; what is bound to it goes on. This can't be undone."),
    Deed.COPY: _("A draft with the same content is made, under the first version after all others."),
    Deed.DELETE: _("The draft is gone afterwards; its history keeps what it said."),
}
BUTTONS: Final[dict[Deed, Promise]] = {
    Deed.PUBLISH: _("Publish"),
    Deed.RETIRE: _("Retire"),
    Deed.COPY: _("Copy"),
    Deed.DELETE: _("Delete"),
}
DONE: Final[dict[Deed, Promise]] = {
    Deed.PUBLISH: _("%(name)s is published."),
    Deed.RETIRE: _("%(name)s is retired."),
    Deed.COPY: _("%(name)s was made as a draft."),
    Deed.DELETE: _("%(name)s was deleted."),
}
NOT_NOW: Final[dict[Deed, Promise]] = {
    Deed.PUBLISH: _("is no draft; nothing is left to publish"),
    Deed.RETIRE: _("is not published; only published definitions can be retired"),
    Deed.COPY: _("can't be copied by you; ask for the right to add definitions"),
    Deed.DELETE: _("is no draft, or not yours to delete; what was published stays"),
}


def carry_out(deed: Deed, row: DefinitionRow, actor: Actor, seen: str | None) -> DefinitionRow:
    """Do it; the row that the person is led to next.

    Raises:
        DefinitionsRefusedError: with everything that speaks against it.
    """
    match deed:
        case Deed.PUBLISH:
            return publish_definition(row, actor, seen)
        case Deed.RETIRE:
            return retire_definition(row, actor)
        case Deed.COPY:
            return copy_definition(row, actor)
        case Deed.DELETE:
            delete_draft(row, actor, seen)
            return row
