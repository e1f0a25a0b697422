"""How the service itself is: read alone, where the reconciler's own look writes down what it sees (ruling 45)."""

from django.conf import settings

from taskstatus.domain.outages import Outage, Signs
from taskstatus.domain.situation import OwnState
from taskstatus.models import ServiceOutage, ServicePulse
from taskstatus.queries.due_health import ended_outages


def own_state() -> OwnState:
    """The last signs of the service's parts, and its outages: three statements."""
    signs = {name: moments for name, *moments in ServicePulse.objects.values_list("name", "seen_at", "steady_since")}
    own, _ = signs.get(ServicePulse.RECONCILER, (None, None))
    lasting = ServiceOutage.objects.filter(ended_at__isnull=True).values_list("began_at", flat=True).first()
    return OwnState(
        Signs(own, *signs.get(ServicePulse.WEB, (None,))),
        Outage(lasting) if lasting is not None else None,
        ended_outages(),
        settings.HEALTH_SCAN_SECONDS,
    )
