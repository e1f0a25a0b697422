"""Every channel name there is (protocol 6)."""

from typing import Final


def user_channel(tenant: str, user_id: str) -> str:
    """Where one user hears of all tasks and workflows they may see."""
    return f"task_user:{tenant}/{user_id}"


def detail_channel(tenant: str, task_id: str) -> str:
    """Where those who look at one task hear of everything in it."""
    return f"task_detail:{tenant}/{task_id}"


def workflow_channel(tenant: str, workflow_id: str) -> str:
    """Where those who look at one workflow hear of it as a whole."""
    return f"workflow_summary:{tenant}/{workflow_id}"


def project_channel(tenant: str, project_id: str) -> str:
    """Where the members of a project hear what every member may know."""
    return f"task_project:{tenant}/{project_id}"


def tenant_channel(tenant: str) -> str:
    """Where everybody of a tenant is told something."""
    return f"task_tenant:{tenant}"


def tenant_beginnings(tenant: str) -> tuple[str, ...]:
    """How the channels of a tenant begin that belong to a user, a task, a workflow or a project of it."""
    return (
        user_channel(tenant, ""),
        detail_channel(tenant, ""),
        workflow_channel(tenant, ""),
        project_channel(tenant, ""),
    )


SYSTEM_CHANNEL: Final = "task_system:public"
"""Where everybody is told something."""


def is_detail(channel: str) -> bool:
    """Whether it is the detail channel of some task."""
    return channel.startswith("task_detail:")
