"""Which steps a list of dependencies leads back to."""

from collections.abc import Mapping


def steps_in_circles(needs: Mapping[str, list[str]]) -> set[str]:
    """The steps that are on a circle or depend on one: what is left once steps without open needs are taken away."""
    waiting = {step: {n for n in names if n in needs} for step, names in needs.items()}
    needed_by: dict[str, list[str]] = {step: [] for step in needs}
    for step, names in waiting.items():
        for name in names:
            needed_by[name].append(step)
    ready = [step for step, names in waiting.items() if not names]
    while ready:
        done = ready.pop()
        del waiting[done]
        for step in needed_by[done]:
            waiting[step].discard(done)
            if not waiting[step]:
                ready.append(step)
    return set(waiting)
