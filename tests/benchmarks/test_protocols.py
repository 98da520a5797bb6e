from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from annotation.domain.answers import JointStage, Stage
from benchmarks.protocols import BOX_ROWS, TOGETHER, link_rows, ratio
from benchmarks.protocols_model import (
    FLICKR30K,
    Course,
    Errors,
    Times,
    World,
    box_courses,
    box_seconds,
    entities_of,
    link_image,
    visits_of,
)
from benchmarks.strategies import SPREAD, Sketch, draw_image, fit_prior
from workflows.batch_settings.domain.paper import BOXES, SECONDS, WITHOUT_BOX
from workflows.pipeline.domain.moves import ENTITIES_FAST, Protocol
from workflows.priors.domain.prior import Prior, TextPrior

NO_ERRORS = Errors(*[0.0] * 8)


@pytest.fixture(scope="module")
def images() -> list[Sketch]:
    rng = random.Random(3)
    return [draw_image(rng, SPREAD) for _ in range(25)]


@pytest.mark.parametrize("protocol", [FLICKR30K, ENTITIES_FAST], ids=lambda one: one.name)
def test_workers_without_errors_find_the_truth(images: list[Sketch], protocol: Protocol) -> None:
    chains = [chain for of_image in box_courses(protocol, images, NO_ERRORS, World()) for chain in of_image]
    assert not any(chain.imperfect or chain.review for chain in chains)
    assert all(chain.boxes == chain.entities for chain in chains)
    boxed = [chain for chain in chains if chain.entities]
    if protocol is ENTITIES_FAST:
        asked = {(one.stages.count("boxes"), one.stages.count("check")) for one in boxed}
        assert asked == {(1, 1)}, "one worker draws all boxes, and another finds them good"
    else:
        assert all(one.stages.count("drawing") == one.entities for one in boxed)


def test_chains_need_as_many_boxes_as_in_table_4() -> None:
    rng = random.Random(5)
    for kind in ("people", "scene", "other"):
        found = [entities_of(kind, 1 - WITHOUT_BOX[kind], rng) for _ in range(20_000)]
        assert sum(found) / len(found) == pytest.approx(BOXES[kind], rel=0.04)
        assert found.count(0) / len(found) == pytest.approx(WITHOUT_BOX[kind], abs=0.02)


def test_errors_that_nobody_finds_stay_in_the_data(images: list[Sketch]) -> None:
    """Judges who never err let no bad box pass, and judges who guess do."""
    careless = Errors(quality=0.5, coverage=0.5)
    for protocol in (FLICKR30K, ENTITIES_FAST):
        found = {}
        for errors in (replace(Errors(), quality=0.0, coverage=0.0), careless):
            chains = [one for row in box_courses(protocol, images, errors, World()) for one in row]
            found[errors] = Counter(
                wrong=sum(c.wrong for c in chains), missing=sum(c.missing for c in chains)
            )
        careful, guessing = found.values()
        assert careful["wrong"] == 0 < guessing["wrong"]
        assert careful["missing"] < guessing["missing"]


def test_seconds_are_those_of_the_stages() -> None:
    paper = Course(stages=["requirement", "drawing", "quality", "coverage", "coverage"])
    assert box_seconds([paper], Times()) == {
        "requirement": SECONDS[Stage.REQUIREMENT],
        "drawing": SECONDS[Stage.DRAWING],
        "quality": SECONDS[Stage.QUALITY],
        "coverage": 2 * SECONDS[Stage.COVERAGE],
    }
    times = Times(reading=6, extreme=7, joint_seconds=3)
    fast = Course(stages=["boxes", "check", "check"], drawn=2, judged=4)
    looking, judging = SECONDS[Stage.COVERAGE] - 6, SECONDS[Stage.QUALITY] - 6
    check = 2 * (6 + looking + 3) + 4 * judging
    assert box_seconds([fast], times, extreme=True) == pytest.approx(
        {"boxes": 6 + looking + 2 * 7, "check": check}
    )
    assert box_seconds([fast], times)["boxes"] == pytest.approx(
        6 + looking + 2 * (SECONDS[Stage.DRAWING] - 6)
    )


def test_a_visit_looks_at_the_photograph_once() -> None:
    chains = [Course(stages=["boxes", "check"]), Course(stages=["boxes", "check", "check"])]
    assert visits_of(chains) == {"boxes": 1, "check": 2}
    apart, together = (box_seconds(chains, Times(photograph=4), visits=visits) for visits in (False, True))
    saved = {stage: apart[stage] - together[stage] for stage in apart}
    assert saved == pytest.approx({"boxes": 4, "check": 4})
    many = [Course(stages=[str(JointStage.CHECK)])] * 12
    assert visits_of(many) == {"check": 3}, "a visit has at most the items of a page"


def test_nouns_that_tell_much_save_box_requirement(images: list[Sketch]) -> None:
    asked = []
    for told in (0.0, 0.2):
        courses = box_courses(ENTITIES_FAST, images, Errors(), World(told=told))
        asked.append(sum(chain.stages.count("requirement") for row in courses for chain in row))
    assert asked[1] < 0.7 * asked[0]


def test_chains_are_right_without_errors_and_verification_costs_a_question_each(images: list[Sketch]) -> None:
    rows = link_rows(Prior(fit_prior(SPREAD, 40)))
    for name, row in rows.items():
        if name == "B":
            continue  # it does not ask what is probable enough
        for image in images[:10]:
            easy = replace(image, hardness=0.0)
            found = link_image(easy, row, NO_ERRORS, "0")
            assert (found.matched, found.apart, found.joined) == (found.chains, 0, 0)
            entities = Counter(easy.truth.values())
            several = sum(number > 1 for number in entities.values())
            assert found.verifications == several * row.verified


def test_an_interval_is_around_its_value() -> None:
    value, low, high = ratio([1, 2, 3, 4] * 20, [2, 4, 6, 8] * 20)
    assert value == low == high == 0.5
    value, low, high = ratio([0, 1] * 50, [1, 1] * 50, percent=True)
    assert low < value == 50 < high
    assert high - low == pytest.approx(2 * 1.96 * 5, rel=0.2)


def test_the_paper_is_a_row_of_both_and_every_sum_has_its_rows() -> None:
    assert BOX_ROWS["paper"].protocol is FLICKR30K
    rows = link_rows(Prior(TextPrior({}, {})))
    assert rows["paper"].verified
    assert all(links in rows and boxes in BOX_ROWS for links, boxes in TOGETHER)
