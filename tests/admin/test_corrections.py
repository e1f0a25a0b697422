"""An operator corrects a task in the admin: a form, a look at what would change, and only then the deed (C30, S13)."""

import re
from html import unescape

import pytest
from django.test import Client

from taskstatus.models import AuditEntry, Step, Task, TaskEvent
from tests.admin.support import messages_of, operator, text_of
from tests.admin.tasks import XSS, page_of
from tests.support.cast import coordinator, step_body
from tests.support.corrections import REASON, correct
from tests.support.unchanged import unchanged

pytestmark = pytest.mark.django_db(transaction=True)

CORRECT = {"stepId": "", "lifecycleStatus": "FAILED", "reason": REASON}


@pytest.fixture
def clara(db):
    """An operator of acme who may look at tasks and correct them."""
    return operator("clara", "view_task", "correct_task")


@pytest.fixture
def worker(db):
    return coordinator().running()


@pytest.fixture
def page(worker):
    """The address of the form for the worker's task."""
    return page_of(worker.context["taskId"], "correct")


def previewed(client, page, **changes):
    """The preview of what was filled in."""
    answer = client.post(page, {**CORRECT, **changes, "_preview": ""})
    assert "Confirm the correction" in text_of(answer), answer.context["form"].errors
    return answer


def confirmed(client, page, preview):
    """What comes of sending the preview's own form."""
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', text_of(preview)))
    assert hidden["seen"]
    hidden.pop("csrfmiddlewaretoken", None)
    data = {name: unescape(value) for name, value in hidden.items()}
    return client.post(page, {**data, "_confirm": ""}, follow=True)


def faults(answer):
    return {name: [str(error) for error in errors] for name, errors in answer.context["form"].errors.items()}


@pytest.mark.accepts("C30")
def test_a_task_is_corrected_after_a_look_at_old_and_new(clara, worker, page):
    task_id = worker.context["taskId"]
    assert f'href="{page}"' in text_of(clara.get(page_of(task_id)))
    with unchanged():
        assert clara.get(page).status_code == 200
        preview = previewed(clara, page, failureCode="LOST", failureMessage="Pages were lost.")
    values = {str(value.words): (str(value.before), str(value.after)) for value in preview.context["values"]}
    assert values["The task's lifecycle"] == ("Running", "Failed")
    assert values["What users read of the failure"] == ("", "Pages were lost.")
    assert worker.context["executionId"] in text_of(preview)
    answer = confirmed(clara, page, preview)
    assert answer.redirect_chain == [(page_of(task_id), 302)]
    assert messages_of(answer) == ["The correction is made: it is version 4."]
    assert (Task.objects.get().lifecycle_status, Task.objects.get().failure_code) == ("FAILED", "LOST")
    assert (AuditEntry.objects.get().actor, AuditEntry.objects.get().detail["reason"]) == ("clara", REASON)
    assert "clara" in text_of(answer)


def test_a_step_is_corrected_from_its_place_on_the_page(clara, worker, page):
    link = f"{page}?step=s1"
    assert f'href="{link}"' in text_of(clara.get(page_of(worker.context["taskId"])))
    assert clara.get(link).context["form"]["stepId"].value() == "s1"
    confirmed(clara, page, previewed(clara, page, stepId="s1", lifecycleStatus="SUCCEEDED"))
    event = TaskEvent.objects.latest("task_version")
    assert (event.step_id, event.step_lifecycle_status, event.lifecycle_status) == ("s1", "SUCCEEDED", "RUNNING")


def test_a_failure_is_previewed_with_all_that_was_filled_in(clara, page):
    words = {"failureCode": "LOST", "failureMessage": "Lost & gone", "retryable": "on", "businessStatus": "FAILED"}
    preview = previewed(clara, page, stepId="s1", **words)
    confirmed(clara, page, preview)
    step = Step.objects.get()
    assert (step.error_code, step.error_message, step.error_retryable) == ("LOST", "Lost & gone", True)
    assert step.business_status == "FAILED"


def test_each_code_is_offered_once(clara, page):
    codes = [code for code, _words in clara.get(page).context["form"]["businessStatus"].field.choices]
    assert codes == ["", "CANCELLED", "FAILED", "SUCCEEDED"]


def test_what_was_filled_in_can_be_changed_after_the_look(clara, page):
    with unchanged():
        answer = clara.post(page, {**CORRECT, "failureCode": "LOST", "_back": ""})
    form = answer.context["form"]
    assert (form["failureCode"].value(), form["reason"].value(), form.errors) == ("LOST", REASON, {})


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"reason": ""}, "reason"),
        ({"reason": "x" * 2001}, "reason"),
        ({"reason": "bell\x07"}, "reason"),
        ({"reason": "nul\x00"}, "reason"),
        ({"lifecycleStatus": ""}, "lifecycleStatus"),
        ({"lifecycleStatus": "RUNNING"}, "lifecycleStatus"),
        ({"lifecycleStatus": "SUCCEEDED", "failureCode": "LOST"}, "failureCode"),
        ({"failureMessage": "lost"}, "failureCode"),
        ({"failureCode": "lost"}, "failureCode"),
        ({"failureCode": "LOST", "failureMessage": "x" * 513}, "failureMessage"),
        ({"retryable": "on"}, "retryable"),
        ({"stepId": "s9"}, "stepId"),
        ({"businessStatus": "NOWHERE"}, "businessStatus"),
        ({"businessStatus": "SUCCEEDED"}, "businessStatus"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else value,
)
@pytest.mark.parametrize("button", ["_preview", "_confirm"])
def test_what_is_wrong_is_told_at_its_field_and_nothing_is_written(clara, page, changes, field, button):
    with unchanged():
        answer = clara.post(page, {**CORRECT, **changes, button: ""})
    assert field in faults(answer)
    text = text_of(answer)
    assert f'id="id_{field}_error"' in text
    assert f'<a href="#id_{field}">' in text
    assert 'role="alert"' in text


def test_lines_end_as_the_service_ends_them(clara, page):
    confirmed(clara, page, previewed(clara, page, reason="first\r\nsecond"))
    assert AuditEntry.objects.get().detail["reason"] == "first\nsecond"


def test_a_version_that_came_in_between_is_shown_and_nothing_is_written(clara, worker, page):
    preview = previewed(clara, page)
    worker.progress()
    with unchanged():
        answer = confirmed(clara, page, preview)
    assert "The task has changed since you looked" in messages_of(answer)[0]
    assert answer.context["preview"].seen == '"task-version-1.4"'
    confirmed(clara, page, answer)
    assert Task.objects.get().lifecycle_status == "FAILED"


def test_a_confirmation_without_a_look_is_shown_the_preview(clara, page):
    with unchanged():
        answer = clara.post(page, {**CORRECT, "_confirm": ""})
    assert answer.context["preview"].new["lifecycleStatus"] == "FAILED"


def test_a_confirmation_sent_twice_is_carried_out_once(clara, page):
    preview = previewed(clara, page)
    confirmed(clara, page, preview)
    with unchanged():
        answer = confirmed(clara, page, preview)
    assert "nothing would change" in faults(answer)["lifecycleStatus"][0]
    assert AuditEntry.objects.count() == 1


def test_what_another_operator_did_meanwhile_is_seen_first(clara, worker, page):
    preview = previewed(clara, page)
    correct(worker.context["taskId"], "CANCELLED")
    with unchanged():
        answer = confirmed(clara, page, preview)
    assert answer.context["preview"].old["lifecycleStatus"] == "CANCELLED"


@pytest.mark.accepts("S13")
@pytest.mark.parametrize("method", ["get", "post"])
def test_correcting_takes_both_rights_and_the_own_tenant(worker, page, method):
    callers = {
        operator("vera", "view_task"): 403,
        operator("rita", "correct_task"): 404,
        operator("mallory", "view_task", "correct_task", tenant="globex"): 404,
        operator("hans", "view_task", "correct_task", tenant=None): 404,
        operator("nemo", "change_task", "delete_task", "add_task"): 404,
        operator("sven", "view_task", "change_task", "delete_task", "add_task"): 403,
        Client(): 302,
    }
    for client, status in callers.items():
        with unchanged():
            answer = getattr(client, method)(page, {**CORRECT, "_confirm": "", "seen": '"task-version-3"'})
        assert answer.status_code == status
    assert "Correct" not in text_of(next(iter(callers)).get(page_of(worker.context["taskId"])))


def test_a_superuser_corrects_any_tenants_task(root, page):
    confirmed(root, page, previewed(root, page))
    assert AuditEntry.objects.get().actor == "root"


def test_a_form_of_another_site_corrects_nothing(clara, page):
    strict = Client(enforce_csrf_checks=True, headers=None)
    strict.cookies = clara.cookies
    with unchanged():
        answer = strict.post(page, {**CORRECT, "_confirm": "", "seen": '"task-version-3"'})
    assert answer.status_code == 403


def test_what_people_wrote_is_text_and_no_markup(clara, db):
    task_id = coordinator().task(step_body(), title=XSS)["taskId"]
    page = page_of(task_id, "correct")
    words = {"reason": XSS, "failureCode": "LOST", "failureMessage": XSS}
    preview = previewed(clara, page, **words)
    answer = clara.post(
        page, {**CORRECT, **words, "seen": preview.context["preview"].seen, "_confirm": ""}, follow=True
    )
    assert AuditEntry.objects.get().detail["reason"] == XSS
    for shown in (preview, answer, clara.get(page), clara.post(page, {**CORRECT, **words, "stepId": "x"})):
        assert "<script>alert" not in text_of(shown)


def test_the_pages_keep_the_policy_and_speak_chinese(clara, page):
    answer = clara.get(page, headers={"accept-language": "zh-Hans"})
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert 'lang="zh-hans"' in text_of(answer)
    assert "更正" in text_of(answer)


def test_a_task_that_is_not_there_is_absent(clara, worker):
    assert clara.get(page_of("tsk_000_01ARZ3NDEKTSV4RRFFQ69G5FAV", "correct")).status_code == 404
