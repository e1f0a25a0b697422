"""What the pages about tasks that do not move call clocks, callers and kinds of trouble."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from taskstatus.domain.clocks import ClockName
from taskstatus.domain.next_commands import Actor
from taskstatus.queries.work_list import Trouble

CLOCKS: Final[dict[ClockName, Promise]] = {
    ClockName.NO_HEARTBEAT: _("counts as silent"),
    ClockName.NOT_STARTED: _("counts as not started"),
    ClockName.NO_PROGRESS: _("counts as without progress"),
    ClockName.OVER_TIME: _("counts as over its time"),
    ClockName.ESCALATION: _("its silence is told once more"),
}
ACTORS: Final[dict[Actor, Promise]] = {
    Actor.COORDINATOR: _("The coordinator may"),
    Actor.WORKER: _("The worker may"),
}
TROUBLES: Final[dict[Trouble, Promise]] = {
    Trouble.UNWELL: pgettext_lazy("trouble", "Silent or degraded"),
    Trouble.SILENT: pgettext_lazy("trouble", "Silent"),
    Trouble.DEGRADED: pgettext_lazy("trouble", "Degraded"),
    Trouble.WAITING: pgettext_lazy("trouble", "Waiting for a user"),
    Trouble.LONG: pgettext_lazy("trouble", "Running for long"),
}
