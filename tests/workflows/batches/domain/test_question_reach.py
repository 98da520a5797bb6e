"""How many pages a stock of verification questions allows, and how many workers a batch takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import comb, inf
from random import Random

import pytest

from annotation.domain.answers import Stage
from workflows.batch_settings.domain.quality_control import Control
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.domain.question_reach import (
    EXPECTED,
    STAY,
    Needed,
    Reach,
    left_for_newcomer,
    pages_for,
    people_for,
    question_reach,
)

OPEN = dict.fromkeys(map(str, Stage), "open")
LINK = BatchSettings(regime={**OPEN, "link": "verification"})


def stock(images: int, each: int, *stages: str) -> dict[str, dict[int, int]]:
    return {stage: dict.fromkeys(range(images), each) for stage in stages or ("link",)}


def reach(likely: float, *, images: int = 8, each: int = 5, people: int = 0, **more: bool) -> Reach:
    """Return how far 40 questions about links reach, of which a page of 10 has two: 20 pages of 8 items."""
    left: list[Mapping[str, int]] = [{"link": images * each}] * people
    found = question_reach(
        stock(images, each),
        LINK,
        {"link": Needed(likely / 2, likely, 1.5 * likely), "drawing": Needed(9, 9, 9)},
        reserved=(),
        images=100,
        people=left,
        open_to_others=more.get("open_to_others", False),
    )
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("questions", "size", "share", "pages"),
    [
        (30, 10, 0.2, 15),
        (31, 10, 0.2, 15),
        (1, 10, 0.2, 0),
        (18, 10, 0.02, 90),
        (0, 10, 0.02, 0),
        (5, 10, 0.0, inf),
        (40, 5, 0.2, 40),
    ],
)
def test_pages_that_questions_are_enough_for(questions: int, size: int, share: float, pages: float) -> None:
    assert pages_for(questions, size, share) == pytest.approx(pages)


@pytest.mark.parametrize(("size", "share"), [(10, 0.15), (10, 0.25), (20, 0.02), (7, 0.2), (25, 0.3)])
def test_the_mean_is_that_of_pages_with_numbers_drawn_at_random(size: int, share: float) -> None:
    rng, questions, total = Random(1), 60, 0
    whole, part = divmod(size * share, 1)
    for _ in range(2000):
        left = questions
        while left >= whole + (part > 0):
            left -= int(whole) + (rng.random() < part)
            total += 1
    assert pages_for(questions, size, share) == pytest.approx(total / 2000, rel=0.03)


def test_an_entrance_takes_whole_pages_of_whole_images_and_a_quarter_is_for_entrances() -> None:
    settings = BatchSettings(control=Control(entrance=6))
    # Ten questions of two images a page of ten; in drawing, two pages of five.
    assert left_for_newcomer(stock(8, 5, *Stage), settings, reserved=()) == dict.fromkeys(map(str, Stage), 30)
    assert left_for_newcomer(stock(40, 5, "link"), settings, reserved=())["link"] == 150
    assert left_for_newcomer(stock(8, 5, "link"), settings, reserved=(0, 1, 2))["link"] == 25
    assert left_for_newcomer(stock(8, 5, "link"), LINK, reserved=())["link"] == 40


def test_a_batch_takes_as_many_workers_as_its_pages_need() -> None:
    found = reach(600, people=3)
    stage = found.stages["link"]
    assert (stage.pages_each, stage.pages, stage.workers) == (20, 75, 4)
    assert stage.most_workers == 6
    assert (found.narrowest, found.enough, found.hopeless) == ("link", False, False)
    assert (found.people, found.invited, found.dry_after) == (3, True, 80)
    assert list(found.stages) == ["link"], "the others ask none"


def test_more_images_make_the_people_enough() -> None:
    """200 answers each are 50 questions and a page's two more; an image has five."""
    found = reach(600, people=3)
    assert found.more_images == 3
    assert reach(600, people=3, images=8 + 3).enough and not reach(600, people=3, images=8 + 1).enough
    assert reach(480, people=3).enough and reach(480, people=3).more_images == 0


def test_who_was_asked_some_already_can_do_less() -> None:
    needed = {"link": Needed(100, 200, 300)}
    used = question_reach(
        stock(8, 5), LINK, needed, reserved=(), images=9, people=[{"link": 8}], open_to_others=False
    )
    assert used is not None and used.stages["link"].share == pytest.approx(32 / 200) and used.hopeless
    lost = question_reach(stock(8, 5), LINK, needed, reserved=(), images=9, people=[{}], open_to_others=False)
    assert lost is not None and lost.stages["link"].share == 0 and lost.hopeless


def test_a_batch_is_hopeless_if_its_people_are_too_few_even_for_the_least() -> None:
    assert not reach(960, people=3).hopeless, "480 answers would be the least"
    assert reach(961, people=3).hopeless
    assert not reach(961, people=3, open_to_others=True).hopeless, "others may join"
    nobody = reach(100_000)
    assert (nobody.people, nobody.invited, nobody.hopeless) == (EXPECTED, False, False)


def test_a_batch_is_hopeless_if_nobody_gets_a_page() -> None:
    assert reach(100, images=1, each=1).hopeless
    assert reach(100, images=1, each=1).more_images > 0
    trusted = replace(LINK, regime={**OPEN, "link": "trusted"}, control=Control(entrance=30))
    found = question_reach(stock(6, 5), trusted, {"link": Needed(1, 1, 1)}, reserved=(), images=1)
    assert found is not None and found.hopeless and found.stages["link"].workers == 0


def test_a_batch_that_asks_none_has_no_reach() -> None:
    needed = dict.fromkeys(map(str, Stage), Needed(1, 2, 3))
    assert question_reach({}, BatchSettings(regime=OPEN), needed, reserved=(), images=1) is None


@pytest.mark.parametrize("staying", [1, 2, 3, 10, 100])
def test_enough_of_the_people_to_plan_for_stay_nineteen_times_of_twenty(staying: int) -> None:
    def share_with_enough(people: int) -> float:
        ways = (comb(people, number) for number in range(staying, people + 1))
        return sum(ways) / float(2**people)

    assert STAY == 0.5 and share_with_enough(people_for(staying)) >= 0.95
    assert share_with_enough(people_for(staying) - 2) < 0.95, "and not many more are asked for"


def test_people_are_planned_for_as_many_questions_as_the_batch_may_take() -> None:
    assert (reach(600).stages["link"].workers, reach(600).opinions) == (4, 5)
    assert reach(600).people_to_plan_for == people_for(6), "the batch may take half as much again"
    assert reach(6).people_to_plan_for == people_for(5), "a chain may take five if people disagree"
