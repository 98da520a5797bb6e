"""Leaving something to try in every stage."""

import random
from collections.abc import Mapping

import httpx
import pytest

from simulation.characters import Character
from simulation.client import ApiError, Client
from simulation.partial_annotation import feeder, work_but_leave
from simulation.truth import Truth
from simulation.workers import SimulatedWorker
from tests.simulation.pages import Script, link_page, receipt

ENOUGH = {"link": 0, "verification": 5, "requirement": 9, "drawing": 5, "quality": 5, "coverage": 7}


@pytest.mark.parametrize(
    ("counts", "stage"),
    [
        ({"link": 40}, "link"),
        (ENOUGH, None),
        ({**ENOUGH, "link": 40}, None),
        ({**ENOUGH, "coverage": 4}, "requirement"),  # the nearest stage that has more than it must keep
        ({**ENOUGH, "coverage": 4, "quality": 6}, "quality"),
        ({"link": 3, "verification": 5, "requirement": 5, "drawing": 4}, "link"),  # links need not be kept
        ({"verification": 2, "requirement": 9}, "requirement"),  # drawing can get more; verification cannot
        ({"verification": 5, "requirement": 4, "drawing": 3, "quality": 3}, "verification"),  # shares
        ({"verification": 4, "requirement": 4, "drawing": 3, "quality": 5}, "quality"),
        ({"verification": 2, "requirement": 2, "drawing": 2, "quality": 2, "coverage": 1}, None),  # all have
        ({"verification": 1, "requirement": 1}, None),  # sharing would only empty another stage
        ({"coverage": 9}, None),  # no stage before the poor ones has any
    ],
)
def test_the_nearest_rich_stage_feeds_the_first_poor_one_it_can(
    counts: Mapping[str, int], stage: str | None
) -> None:
    assert feeder(counts, keep=5) == stage


def workers(script: Script) -> list[SimulatedWorker]:
    client = Client("http://server", "t", script.transport(), lambda seconds: None)
    return [SimulatedWorker(client, Truth(), Character(), random.Random(number)) for number in range(2)]


def test_it_answers_until_every_later_stage_has_something() -> None:
    looks = [{"link": 20}, {"link": 10, "unread": 2}, {"link": 10}, ENOUGH]
    script = Script(*[httpx.Response(201, json=link_page(1)), receipt()] * 2)
    pauses: list[float] = []
    tally = work_but_leave(workers(script), 5, lambda: looks.pop(0), pauses.append)
    assert (tally.pages, tally.judgments, len(pauses), looks) == (2, 4, 1, [])
    assert [body["stage"] for path, body in script.requests if path.endswith("assignments")] == [
        "link",
        "link",
    ]


def test_it_says_so_when_answers_are_never_read() -> None:
    with pytest.raises(ApiError, match="Celery worker"):
        work_but_leave(workers(Script()), 5, lambda: {**ENOUGH, "unread": 1}, lambda seconds: None)
