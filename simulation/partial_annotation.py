"""Annotates a project in part, so that a person finds something to try in every stage."""

from collections.abc import Callable, Mapping, Sequence

from simulation.client import ApiError
from simulation.profiles import STAGES
from simulation.workers import SimulatedWorker, Tally

_PATIENCE = 300  # turns without any work done before giving up
_PAUSE = 0.1  # seconds between two such turns


def work_but_leave(
    workers: Sequence[SimulatedWorker],
    keep: int,
    waiting: Callable[[], Mapping[str, int]],
    pause: Callable[[float], object],
    stages: Sequence[str] = STAGES,
) -> Tally:
    """Let the workers take turns until every stage after the first has `keep` items waiting, or none can.

    `waiting` counts items by stage. Under "unread", it counts items with unread judgments, and this function
    waits for them. All links are answered on the way, since they are asked breadth first, and before that an
    image has no other questions. Raise ApiError when the server refuses, or when judgments are never read.
    """
    total = Tally()
    turn = idle = 0
    while idle < _PATIENCE:
        counts = waiting()
        stage = feeder(counts, keep, stages)
        if not counts.get("unread"):
            if stage is None:
                return total
            done = workers[turn % len(workers)].take(stage)
            turn += 1
            total.add(done)
            if done.pages or done.tested:
                idle = 0
                continue
        idle += 1
        pause(_PAUSE)
    raise ApiError(f"nothing has moved for {_PATIENCE * _PAUSE:.0f} s: is a Celery worker running?")


def feeder(counts: Mapping[str, int], keep: int, stages: Sequence[str] = STAGES) -> str | None:
    """Return the stage to answer next, or None when no answer gives a stage the items that it lacks.

    Look for the first stage that has too few items and that comes after a stage with more than `keep` items
    (or with any links), and return the nearest such stage before it. If there is none, return the fullest
    stage before an empty one, so that the items are shared.
    """
    for place, stage in enumerate(stages):
        if place and counts.get(stage, 0) < keep:
            for before in reversed(stages[:place]):
                if counts.get(before, 0) > (0 if before == stages[0] else keep):
                    return before
    for place, stage in enumerate(stages):
        several = [before for before in stages[1:place] if counts.get(before, 0) > 1]
        if several and not counts.get(stage):
            return max(several, key=lambda before: counts[before])
    return None
