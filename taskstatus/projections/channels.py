"""Every channel name there is (protocol 6)."""


def user_channel(tenant: str, user_id: str) -> str:
    """Where one user hears of all tasks and workflows they may see."""
    return f"task_user:{tenant}/{user_id}"


def detail_channel(tenant: str, task_id: str) -> str:
    """Where those who look at one task hear of everything in it."""
    return f"task_detail:{tenant}/{task_id}"
