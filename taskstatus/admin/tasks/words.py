"""What the pages about tasks call lifecycles and health; events and business statuses keep their codes."""

from typing import Final

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from taskstatus.domain.lifecycle import Health, HealthReason, Lifecycle

LIFECYCLES: Final[dict[str, Promise]] = {
    Lifecycle.PENDING.value: pgettext_lazy("lifecycle", "Pending"),
    Lifecycle.RUNNING.value: pgettext_lazy("lifecycle", "Running"),
    Lifecycle.SUCCEEDED.value: pgettext_lazy("lifecycle", "Succeeded"),
    Lifecycle.FAILED.value: pgettext_lazy("lifecycle", "Failed"),
    Lifecycle.CANCELLED.value: pgettext_lazy("lifecycle", "Cancelled"),
}
HEALTHS: Final[dict[str, Promise]] = {
    Health.HEALTHY.value: pgettext_lazy("health", "Healthy"),
    Health.DEGRADED.value: pgettext_lazy("health", "Degraded"),
    Health.STALE.value: pgettext_lazy("health", "Silent"),
}
REASONS: Final[dict[str, Promise]] = {
    HealthReason.NO_HEARTBEAT.value: _("no beat and no report came"),
    HealthReason.NO_PROGRESS.value: _("it is alive, but makes no progress"),
    HealthReason.NOT_STARTED.value: _("it was activated and has not started"),
    HealthReason.OVER_TIME.value: _("it runs for longer than was expected"),
    HealthReason.OPTIONAL_STEP_FAILED.value: _("a step failed that it can do without"),
}


def lifecycle_badge(lifecycle: str) -> SafeString:
    """The lifecycle as a word with a mark and a colour."""
    return format_html('<span class="badge lifecycle-{}">{}</span>', lifecycle, LIFECYCLES.get(lifecycle, lifecycle))


def health_badge(health: str, reason: str | None) -> SafeString:
    """The health as a word with a mark and a colour, and why it is so."""
    badge = format_html('<span class="badge health-{}">{}</span>', health, HEALTHS.get(health, health))
    return format_html("{} <small>{}</small>", badge, REASONS.get(reason, reason)) if reason else badge
