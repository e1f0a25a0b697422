"""What a coordinator hands to a worker together with its work (protocol 4.2)."""

from dataclasses import dataclass

from taskstatus.domain.definitions import Operation
from taskstatus.models import Step, Task
from taskstatus.services.credentials import Credentials


@dataclass(frozen=True, slots=True)
class ActivatedExecution:
    """An execution with its credentials; `created` is False for a replay."""

    task: Task
    step: Step
    operation: Operation
    credentials: Credentials
    epoch: int
    created: bool
