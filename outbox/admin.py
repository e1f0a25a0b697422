"""The outbox in the admin: what is dead and why, with two ways out of it, and how much waits."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.module_loading import import_string
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from outbox.backlog import backlog
from outbox.models import OutboxMessage
from outbox.models.message import Status
from outbox.relay import dead_letters

EVERYTHING = "ALL"
REASON_CHARACTERS = 160

# Generic to the checker only.
if TYPE_CHECKING:
    MessageAdmin = admin.ModelAdmin[OutboxMessage]
else:
    MessageAdmin = admin.ModelAdmin


class StatusFilter(admin.SimpleListFilter):
    """Shows the dead letters unless another status is asked for."""

    title = _("status")
    parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: "admin.ModelAdmin[Any]") -> list[tuple[str, Any]]:
        """Return every status, and all of them."""
        return [*((status.value, status.value) for status in Status), (EVERYTHING, _("All"))]

    def choices(self, changelist: ChangeList) -> Any:  # noqa: ANN401 - Django's own dictionaries
        """Return the choices without Django's own "All", the dead letters being the default."""
        for value, title in self.lookup_choices:
            yield {
                "selected": self._wanted() == value,
                "query_string": changelist.get_query_string({self.parameter_name: value}),
                "display": title,
            }

    def queryset(self, request: HttpRequest, queryset: QuerySet[OutboxMessage]) -> QuerySet[OutboxMessage]:
        """Return the rows of the status."""
        wanted = self._wanted()
        return queryset if wanted == EVERYTHING else queryset.filter(status=wanted)

    def _wanted(self) -> str:
        return self.value() or Status.DEAD


@admin.register(OutboxMessage)
class OutboxMessageAdmin(MessageAdmin):
    """Read-only but for the two actions, each with a permission of its own."""

    list_display = ("id", "about", "channel", "status", "attempts", "reason", "when")
    list_filter = (StatusFilter,)
    # Exact, and within the chosen status: a search for a part of a text would read the whole table.
    search_fields = ("aggregate_id__exact", "event_id__exact", "channel__exact")
    search_help_text = _("An exact task or workflow id, event id or channel.")
    ordering = ("-id",)
    show_full_result_count = False
    actions = ("requeue", "discard")

    @admin.display(description=_("about"), ordering="aggregate_id")
    def about(self, row: OutboxMessage) -> str:
        """Return what the relay shall do, and for which version of what."""
        return format_html("{} <code>{}</code> v{}", row.command, row.aggregate_id, row.aggregate_version)

    @admin.display(description=_("Reason"), ordering="last_error")
    def reason(self, row: OutboxMessage) -> str | None:
        """Return how the last failure begins; the message's own page has all of it."""
        return Truncator(row.last_error).chars(REASON_CHARACTERS) if row.last_error else None

    @admin.display(description=_("when"), ordering="created_at")
    def when(self, row: OutboxMessage) -> str:
        """Return when it was committed, by the clock that all of the service goes by."""
        return f"{row.created_at:%Y-%m-%d %H:%M:%S} UTC"

    def get_queryset(self, request: HttpRequest) -> QuerySet[OutboxMessage]:
        """Return what the account reaches; to this app a channel is a string, so a setting names who knows better."""
        within_reach = import_string(settings.OUTBOX_ADMIN_REACH)
        return cast("QuerySet[OutboxMessage]", within_reach(request.user, super().get_queryset(request)))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Messages come from use cases only."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: OutboxMessage | None = None) -> bool:
        """Nobody edits a message."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: OutboxMessage | None = None) -> bool:
        """Dead letters are discarded by the action, which keeps who did it."""
        return False

    def has_requeue_permission(self, request: HttpRequest) -> bool:
        """Whether the user may send dead letters again."""
        return request.user.has_perm("outbox.requeue_outboxmessage")

    def has_discard_permission(self, request: HttpRequest) -> bool:
        """Whether the user may give dead letters up."""
        return request.user.has_perm("outbox.discard_outboxmessage")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the list, and above it how much waits and since when: of all tenants, so not to an operator of one."""
        waiting = backlog() if request.user.is_superuser else []
        return super().changelist_view(request, {**(extra_context or {}), "backlog": waiting})

    @admin.action(description=_("Send the selected dead letters again"), permissions=["requeue"])
    def requeue(self, request: HttpRequest, queryset: QuerySet[OutboxMessage]) -> None:
        """Requeue those of the selected messages that are dead."""
        count = dead_letters.requeue(_ids(queryset), _recorder(request, CHANGE, _("Requeued after: %s")))
        told = ngettext("%d dead letter waits to be sent again.", "%d dead letters wait to be sent again.", count)
        self.message_user(request, told % count, messages.SUCCESS)

    @admin.action(description=_("Discard the selected dead letters"), permissions=["discard"])
    def discard(self, request: HttpRequest, queryset: QuerySet[OutboxMessage]) -> None:
        """Discard those of the selected messages that are dead."""
        count = dead_letters.discard(_ids(queryset), _recorder(request, DELETION, _("Discarded after: %s")))
        told = ngettext("%d dead letter was discarded.", "%d dead letters were discarded.", count)
        self.message_user(request, told % count, messages.SUCCESS)


def _ids(queryset: QuerySet[OutboxMessage]) -> list[int]:
    return list(queryset.values_list("pk", flat=True))


def _recorder(request: HttpRequest, flag: int, text: Any) -> Callable[[Sequence[OutboxMessage]], None]:  # noqa: ANN401
    def record(rows: Sequence[OutboxMessage]) -> None:
        for row in rows:
            LogEntry.objects.log_actions(cast("int", request.user.pk), [row], flag, str(text) % row.last_error)

    return record
