"""What holds after any sequence of reports, however wild (C01, C02, C16, C18, C19; rulings 31 and 37)."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from taskstatus.domain.definitions import GENERIC_SET, RESERVED
from taskstatus.domain.lifecycle import AppliesTo, Lifecycle
from tests.support.fold import Story
from tests.support.plain import PAPERS, PlainReport
from tests.support.wild_reports import ANYTHING, POLICIES, TryAgain, stream_of


def tell(story, happening):
    if isinstance(happening, TryAgain):
        return story.try_again(happening.step_id)
    return story.take(happening.event_id, happening.report, happening.step_id)


def state_of(story):
    return replace(story.task), {name: replace(step) for name, step in story.steps.items()}, story.version


def check_codes(story):
    task = story.task
    for code in (task.business_status, task.remembered_status):
        if code is not None:
            assert story.statuses.get(code, AppliesTo.TASK).lifecycle == task.lifecycle_status
    assert task.remembered_status not in RESERVED
    if task.business_status in RESERVED:
        assert task.lifecycle_status == Lifecycle.RUNNING
    else:
        assert task.business_status == task.remembered_status
    for step in story.steps.values():
        if step.business_status is not None:
            assert story.statuses.get(step.business_status, AppliesTo.STEP).lifecycle == step.lifecycle_status


def check_times(task):
    assert (task.finished_at is not None) == Lifecycle(task.lifecycle_status).is_terminal
    assert (task.started_at is not None) or task.lifecycle_status != Lifecycle.RUNNING
    assert task.started_at is None or task.lifecycle_status != Lifecycle.PENDING


def check_ends(task, steps, story):
    """What had ended is as it was, column by column; a step that is tried again is another row."""
    if Lifecycle(task.lifecycle_status).is_terminal:
        assert story.task == task
        assert story.steps == steps
    for name, step in steps.items():
        if Lifecycle(step.lifecycle_status).is_terminal and story.steps[name].attempt == step.attempt:
            assert story.steps[name] == step


@settings(max_examples=400, deadline=None)
@given(ANYTHING, POLICIES)
def test_versions_are_gapless_ends_are_kept_and_codes_agree_after_each_report(told, policies):
    statuses, happenings = told
    story = Story(statuses, policies)
    for happening in happenings:
        task, steps, version = state_of(story)
        answer = tell(story, happening)
        check_codes(story)
        check_times(story.task)
        check_ends(task, steps, story)
        assert story.log == list(range(1, story.version + 1))
        if answer is not None and answer.outcome not in ("ACCEPTED", "COALESCED"):
            assert state_of(story) == (task, steps, version)


@settings(max_examples=100, deadline=None)
@given(ANYTHING, POLICIES, st.randoms(use_true_random=False))
def test_what_is_sent_again_is_answered_as_at_first_and_changes_nothing(told, policies, random):
    statuses, happenings = told
    story = Story(statuses, policies)
    for happening in happenings:
        tell(story, happening)
    before = state_of(story)
    accepted = list(story.known.items())
    random.shuffle(accepted)
    for event_id, (report, answer) in accepted:
        assert story.take(event_id, report) == answer
        assert story.take(event_id, PlainReport("STEP_STARTED", source_seq=99)).outcome == "EVENT_ID_REUSED"
    assert state_of(story) == before


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from([PAPERS, GENERIC_SET]),
    st.tuples(stream_of("s1"), stream_of("s2")),
    st.randoms(use_true_random=False),
)
def test_two_workers_streams_may_arrive_in_any_order_of_each_other(statuses, streams, random):
    merged = list(interleaved(streams, random))
    assert outcome_of(statuses, merged) == outcome_of(statuses, [*streams[1], *streams[0]])


def interleaved(streams, random):
    waiting = [list(stream) for stream in streams]
    while any(waiting):
        yield random.choice([stream for stream in waiting if stream]).pop(0)


def outcome_of(statuses, happenings):
    """What each step has come to, and in which lifecycle and version the task is; times aside."""
    story = Story(statuses)
    for happening in happenings:
        story.take(f"{happening.step_id}-{happening.event_id}", happening.report, happening.step_id)
    steps = {
        name: (step.lifecycle_status, step.business_status, step.source_seq, step.progress_seq, step.phase_code)
        for name, step in story.steps.items()
    }
    return steps, story.task.lifecycle_status, story.version
