"""`manage.py reconcile` does one pass and says what it did; with `--explain` it changes nothing and says why."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from taskstatus.models import ServicePulse
from tests.support.cast import coordinator, step_body
from tests.support.reconciling import outage, sign, silence, time_passes
from tests.support.unchanged import stored

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def carol(patience):
    return coordinator()


def run(*arguments, code=0):
    """What the command prints; it leaves with this code."""
    out, left_with = StringIO(), 0
    try:
        call_command("reconcile", *arguments, stdout=out)
    except SystemExit as left:
        left_with = left.code
    assert left_with == code
    return out.getvalue()


@pytest.mark.usefixtures("unhurried")
def test_a_pass_says_what_it_did(carol):
    worker = carol.running()
    carol.running()
    silence(worker)
    sign(ServicePulse.RECONCILER)
    assert run() == "looked at 1 tasks, changed 1 executions, gave 0 leases a grace period after an outage\n"
    sign(ServicePulse.RECONCILER)
    assert run().startswith("looked at 0 tasks, changed 0 executions")


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("name", ["taskId", "executionId"])
def test_named_tasks_are_looked_at_alone(carol, name):
    one, _other = carol.running(), carol.running()
    silence()
    sign(ServicePulse.RECONCILER)
    assert run(one.context[name]).startswith("looked at 1 tasks, changed 1 executions")


@pytest.mark.usefixtures("unhurried")
@pytest.mark.accepts("O06")
def test_an_explanation_says_what_is_so_what_would_be_done_and_who_can_help(carol):
    worker = carol.running(title="Parse the contract")
    silence(worker)
    sign(ServicePulse.RECONCILER)
    before = stored()
    told = run("--explain")
    assert stored() == before
    task_id, execution_id = worker.context["taskId"], worker.context["executionId"]
    head, *rest = told.splitlines()
    assert head == f"{task_id} acme/content-platform RUNNING HEALTHY: Parse the contract"
    assert rest[0].startswith("  ~ worker-a, which runs step s1, was heard of 1 min")
    assert rest[-1].startswith(f"    {execution_id} s1#1.1 by worker-a: RUNNING, HEALTHY for ")
    assert rest[-1].endswith("say that it is silent: no beat came before its deadline.")
    run()
    told = run("--explain", task_id)
    assert "  ! worker-a, which runs step s1, has been silent for 1 min. Look at the executor;" in told
    assert "; the reconciler would do: nothing; no clock runs against it." in told


def test_well_tasks_are_explained_only_by_name(carol):
    worker = carol.running()
    assert run("--explain") == "No task is due or unwell.\n"
    assert "the reconciler would do: nothing before" in run("--explain", worker.context["executionId"])


def test_an_explanation_is_bounded_and_says_so(carol):
    for _ in range(3):
        carol.running()
    silence()
    told = run("--explain", "--limit", "2")
    assert told.count("the reconciler would do") == 2
    assert told.endswith("There are more; --limit 2 shows the oldest.\n")


def test_it_is_narrowed_by_tenant_and_scope(carol):
    silence(carol.running(), coordinator(tenant="globex").running())
    assert run("--explain", "--tenant", "acme").count("acme/content-platform") == 1
    assert "globex" not in run("--explain", "--tenant", "acme")
    assert run("--explain", "--tenant", "acme", "--scope", "billing") == "No task is due or unwell.\n"


def test_a_grace_after_an_outage_is_foretold(carol):
    worker = carol.worker(carol.task(step_body(heartbeatTimeoutSeconds=3_600))["taskId"])
    worker.started()
    time_passes(3_601, worker)
    outage(3_000, 10)
    assert "believe it until" in run("--explain")


def test_while_nobody_takes_reports_nothing_is_judged_and_the_code_says_so(carol):
    worker = carol.running()
    silence(worker)
    sign(ServicePulse.WEB, seconds_ago=60)
    told = run("--explain", code=3)
    assert "  ! The service itself has taken no reports for 1 min" in told
    assert "the reconciler would do: nothing while nobody takes reports." in told
    before = stored()
    sign(ServicePulse.RECONCILER)
    assert run(code=3).endswith("nobody takes reports at present, so nothing is judged\n")
    assert stored() == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["tsk_000_01ARZ3NDEKTSV4RRFFQ69G5FAV"],
        ["--explain", "nonsense"],
        ["--tenant", "acme"],
        ["--explain", "--limit", "0"],
    ],
    ids=["absent", "nonsense", "whole-pass-of-a-tenant", "no-limit"],
)
def test_what_can_not_be_done_is_an_error(arguments):
    with pytest.raises(CommandError) as failure:
        run(*arguments)
    assert failure.value.returncode == 1


def test_another_tenants_task_is_absent(carol):
    worker = carol.running()
    with pytest.raises(CommandError, match="There is no such task or execution: tsk_"):
        run("--explain", worker.context["taskId"], "--tenant", "globex")
