"""One pass of the reconciler by hand, or what it would do and why (rulings 15, 17, 29; acceptance O06)."""

from collections.abc import Iterator
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from taskstatus.domain.errors import DomainError
from taskstatus.domain.findings import Weight
from taskstatus.models import Step, Task
from taskstatus.projections.executions import health_since
from taskstatus.projections.finding_advice import advice
from taskstatus.projections.finding_words import sentence
from taskstatus.projections.judgement_words import foretold
from taskstatus.projections.spans import span
from taskstatus.queries.clock import read_clock
from taskstatus.queries.explanations import Explanation, explain
from taskstatus.queries.own_state import own_state
from taskstatus.queries.unwell import Within, named_tasks, tasks_to_look_at
from taskstatus.services.reconcile_health import HealthPass, reconcile_health, reconcile_tasks
from taskstatus.services.workset import is_live

DEAF: Final = 3
_LIMIT: Final = 50
_AT_ONCE: Final = 50
_MARKS: Final = {Weight.STOPS: "!", Weight.HINDERS: "~", Weight.WELL: "-"}

HELP: Final = """\
Without arguments: one pass of the reconciler, as beat asks for it every second. It looks at every execution that is due
and makes those STALE or DEGRADED that are; running it beside other reconcilers does no harm.
With taskIds or executionIds: the same for these tasks alone, due or not.
With --explain: changes nothing, and says of each task that is due or unwell (or of the named ones) why it does not
move, what the reconciler would do, and who can help.
"""
EPILOG: Final = """\
Exit codes: 0 done; 1 not done (an id that names nothing, a task that is held for long or can't be judged, no database);
2 arguments that can't be read; 3 nobody takes reports at present, so health is not judged (start the web processes).
"""


class Command(BaseCommand):
    """`manage.py reconcile [--explain] [taskId|executionId ...]`."""

    help = HELP

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Say after the options what the exit codes mean."""
        return super().create_parser(prog_name, subcommand, epilog=EPILOG, **kwargs)

    def add_arguments(self, parser: CommandParser) -> None:
        """Names of tasks, and what an explanation is narrowed by."""
        parser.add_argument("names", nargs="*", metavar="ID", help="taskId (tsk_…) or executionId (exe_…)")
        parser.add_argument("--explain", action="store_true", help="change nothing, and say what would be done and why")
        parser.add_argument("--tenant", help="with --explain or ids: only tasks of this tenant")
        parser.add_argument("--scope", help="with --explain or ids: only tasks of this authority scope")
        parser.add_argument("--limit", type=int, default=_LIMIT, help=f"with --explain: so many tasks ({_LIMIT})")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, and leave with a code that says how it went."""
        within = Within(options["tenant"], options["scope"])
        if not (options["explain"] or options["names"]) and within != Within():
            raise CommandError("A whole pass looks at every tenant: --tenant and --scope need --explain or ids.")
        if options["limit"] < 1:
            raise CommandError("--limit has to be at least 1.")
        try:
            is_deaf = self._explain(within, options) if options["explain"] else self._pass(within, options["names"])
        except DomainError as error:
            raise CommandError(error.detail) from error
        except DatabaseError as error:
            raise CommandError(f"The database can't be asked: {type(error).__name__}.") from error
        if is_deaf:
            raise SystemExit(DEAF)

    def _pass(self, within: Within, names: list[str]) -> bool:
        done = reconcile_tasks(task.id for task in named_tasks(names, within)) if names else reconcile_health()
        self.stdout.write(_told(done))
        if done.failed:
            raise CommandError(f"{done.failed} tasks can't be judged; the log says why.")
        return done.is_deaf

    def _explain(self, within: Within, options: dict[str, Any]) -> bool:
        limit, names = options["limit"], options["names"]
        tasks = named_tasks(names, within) if names else tasks_to_look_at(within, limit + 1)
        shown = tasks if names else tasks[:limit]
        for start in range(0, len(shown), _AT_ONCE):
            for explanation in explain(shown[start : start + _AT_ONCE]):
                self.stdout.write("\n".join(_lines(explanation)))
        if not shown:
            self.stdout.write("No task is due or unwell.")
        elif len(tasks) > len(shown):
            self.stdout.write(f"There are more; --limit {limit} shows the oldest.")
        return own_state().deaf_since(read_clock()[0]) is not None


def _told(done: HealthPass) -> str:
    told = (
        f"looked at {done.looked_at} tasks, changed {done.changed} executions, "
        f"gave {done.graced} leases a grace period after an outage"
    )
    return f"{told}; nobody takes reports at present, so nothing is judged" if done.is_deaf else told


def _lines(explanation: Explanation) -> Iterator[str]:
    task, now = explanation.task, explanation.now
    health = f"{task.health} ({task.health_reason})" if task.health_reason else task.health
    yield f"{task.id} {task.tenant_id}/{task.authority_scope} {task.lifecycle_status} {health}: {task.title}"
    for finding in explanation.findings:
        yield f"  {_MARKS[finding.weight]} {sentence(finding, now)} {advice(finding)}".rstrip()
    if is_live(task):
        yield from (_line_of(explanation, step) for step in explanation.steps if is_live(step) and step.execution_id)


def _line_of(explanation: Explanation, step: Step) -> str:
    task: Task = explanation.task
    state = f"{step.health} ({step.health_reason})" if step.health_reason else step.health
    since = health_since(step)
    age = f" for {span(explanation.now - since)}" if since else ""
    is_deaf = explanation.situation.own.deaf_since(explanation.now) is not None
    would = "nothing while nobody takes reports" if is_deaf else foretold(explanation.foretold(step), step, task)
    name = f"{step.execution_id} {step.step_id}#{step.task_attempt}.{step.attempt} by {step.producer_id}"
    return f"    {name}: {step.lifecycle_status}, {state}{age}; the reconciler would do: {would}."
