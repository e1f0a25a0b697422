"""How tasks ended, and what that makes of their workflow."""

import logging
from collections.abc import Callable
from typing import Any

from examples.document_pipeline.status_client import RefusedError

log = logging.getLogger(__name__)


def end_of(follow: Callable[..., str]) -> Callable[..., str]:
    """How the task ended that this follows: by which event, or ELSEWHERE, as where an operator ended it meanwhile."""

    def guarded(task_id: str, *more: Any) -> str:
        try:
            return follow(task_id, *more)
        except RefusedError as refusal:
            log.warning("%s goes on without us: %s", task_id, refusal)
            return "ELSEWHERE"

    return guarded


def workflow_end(ends: set[str]) -> str:
    """By which event a workflow ends whose tasks ended so."""
    if "TASK_FAILED" in ends:
        return "WORKFLOW_FAILED"
    return "WORKFLOW_CANCELLED" if ends == {"TASK_CANCELLED"} else "WORKFLOW_COMPLETED"
