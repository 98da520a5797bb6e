from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from annotation.domain.answers import JointStage, Stage
from research.protocols import BOX_ROWS, SETS, TOGETHER, add_up, link_rows, ratio
from research.protocols_model import (
    FLICKR30K,
    Course,
    Errors,
    Linked,
    Times,
    World,
    box_courses,
    box_seconds,
    entities_of,
    link_image,
    link_seconds,
    visits_of,
)
from research.strategies import SPREAD, Sketch, draw_image, fit_prior
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
    plan = replace(times, joint_by_box=False, looking_apart=False)
    assert box_seconds([fast], plan, extreme=True) == pytest.approx(
        {"boxes": 6 + 2 * 7, "check": 2 * (6 + looking + 3)}
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


def test_nouns_that_tell_much_save_questions_about_chains_without_boxes(images: list[Sketch]) -> None:
    asked = []
    for told in (0.0, 0.2):
        courses = box_courses(ENTITIES_FAST, images, Errors(), World(told=told))
        chains = [chain for row in courses for chain in row if not chain.entities]
        asked.append(sum(len(chain.stages) for chain in chains) / len(chains))
    assert asked[1] < 0.75 * asked[0]


def test_chains_are_right_without_errors_and_verification_costs_a_question_each(images: list[Sketch]) -> None:
    rows = link_rows(Prior(fit_prior(SPREAD, 40)))
    for name, row in rows.items():
        if name.startswith("B"):
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
    assert all(row.links in rows and row.boxes in BOX_ROWS for row in TOGETHER)


def test_one_box_by_dragging_takes_the_plan_what_drawing_takes_the_paper() -> None:
    """Otherwise the plan would promise something that was never measured."""
    one = Course(stages=["boxes", "check"], drawn=1, judged=1)
    assert box_seconds([one], SETS["plan"]) == pytest.approx(
        {"boxes": SECONDS[Stage.DRAWING], "check": SECONDS[Stage.COVERAGE]}
    )
    nothing = Course(stages=["boxes"], undrawn=1)
    for times in SETS.values():
        assert box_seconds([nothing], times)["boxes"] == pytest.approx(SECONDS[Stage.COVERAGE])


def test_visits_to_links_save_a_look_at_the_photograph_for_each_further_question() -> None:
    one = Linked(12, 5, 6, 0, 0, 0, 0, 0, 0)
    apart = 12 * SECONDS[Stage.LINK] + 6 * SECONDS[Stage.VERIFICATION]
    assert link_seconds(one, Times()) == pytest.approx(apart)
    # Twelve links in five visits, and six verifications on two pages.
    assert link_seconds(one, Times(photograph=3), visits=True) == pytest.approx(apart - 3 * (7 + 4))


def test_hard_images_are_hard_to_verify_too(images: list[Sketch]) -> None:
    """A verification that is always right on hard images would make up for links that are not."""
    row = link_rows(Prior(TextPrior({}, {})))["paper"]
    joined = []
    for errors in (Errors(verification=0.0), Errors(verification=0.2)):
        found = [link_image(replace(one, hardness=4.0), row, errors, str(n)) for n, one in enumerate(images)]
        joined.append(sum(one.joined for one in found))
    assert joined[0] < joined[1]


def test_a_goal_names_every_figure_that_is_worse_than_the_papers() -> None:
    good: dict[str, Any] = {"chains_right": [90.0], "pairs_joined": [1.0], "pairs_apart": [8.0]}
    good |= {"imperfect": [6.0], "missing": [4.0], "wrong": [3.0]}
    good |= {"of_images": [200.0, 250.0], "of_images_in_visits": [100.0, 150.0]}
    better = {**good, "chains_right": [91.0], "wrong": [2.0]}
    worse = {**good, "chains_right": [89.0], "missing": [4.1]}
    links: dict[str, dict[str, Any]] = dict.fromkeys(link_rows(Prior(TextPrior({}, {}))), good)
    boxes: dict[str, dict[str, Any]] = dict.fromkeys(BOX_ROWS, good)
    found = add_up({**links, "H": better}, {**boxes, "P4": better})["links H, boxes P4"]
    assert (found["seconds"][0], found["reached"], found["worse"]) == (450.0, "yes", "nothing")
    found = add_up({**links, "H": worse}, {**boxes, "P4": worse})["links H, boxes P4"]
    assert found["worse"] == "chains_right, missing"
    slow = {**good, "of_images": [251.0, 251.0]}
    assert add_up({**links, "H": slow}, boxes)["links H, boxes P4"]["reached"] == "no"
