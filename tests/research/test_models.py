from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from annotation.domain.answers import BoxJudgment
from research.models import difference, judged, rows
from research.models_crowd import Crowd, Detector, Person, suggested
from research.models_world import DETECTOR, Help, Judge, Judging, Run, run, seconds_of
from research.protocols import SETS
from research.protocols_model import Course, Errors, LinkRow, World, box_courses, box_seconds, link_image
from research.scored_links import APART, AUC, draw_scores, link_with_scores, weights_of
from research.strategies import SPREAD, Sketch, draw_image, fit_prior
from workflows.judges.domain.kinds import ABOUT_MISSING, PEOPLE
from workflows.pipeline.domain.link_strategies import posterior
from workflows.pipeline.domain.moves import ENTITIES_FAST
from workflows.priors.domain.prior import Prior

PERFECT = Errors(*[0.0] * 8)


@pytest.fixture(scope="module")
def images() -> list[Sketch]:
    rng = random.Random(3)
    return [draw_image(rng, SPREAD) for _ in range(120)]


def chains(found: Run) -> list[Course]:
    return [one for of_image in found.images for one in of_image]


def test_people_who_get_no_help_take_what_the_comparison_of_protocols_says(images: list[Sketch]) -> None:
    found = run(images, Errors(), Help())
    alone = box_courses(ENTITIES_FAST, images, Errors(), World())
    assert found.images == alone
    for times in SETS.values():
        expected = [sum(box_seconds(one, times, extreme=True, visits=True).values()) for one in alone]
        assert seconds_of(found, Help(), times) == pytest.approx(expected)


def test_a_judge_whose_gates_stay_closed_changes_nothing(images: list[Sketch]) -> None:
    detector = Detector(0.7)
    found = run(images, Errors(), Help(detector, Judge(0.6)))
    assert found.judging
    assert found.judging.opened is None
    assert found.images == run(images, Errors(), Help(detector)).images
    assert sum(one.alone for one in found.extra) == 0


def test_a_good_judge_saves_people_checks_and_its_rates_are_measured(images: list[Sketch]) -> None:
    help_ = Help(Detector(0.7), Judge(0.95))
    found, without = run(images, Errors(), help_), run(images, Errors(), Help(Detector(0.7)))
    assert isinstance(found.judging, Judging)
    assert found.judging.opened
    assert sum(one.alone for one in found.extra) > 0.3 * sum(one.checks for one in found.extra)
    asked = [sum(one.stages.count("check") for one in chains(one)) for one in (found, without)]
    assert asked[0] < 0.7 * asked[1]
    rates = found.judging.record.rates
    assert rates.keys() == {PEOPLE, DETECTOR, *ABOUT_MISSING}
    assert rates[DETECTOR].accuracy.low < 0.95 < rates[DETECTOR].accuracy.high + 0.02


def test_a_judge_that_echoes_its_detector_keeps_the_gate_of_its_boxes_closed(images: list[Sketch]) -> None:
    found = run(images, Errors(), Help(Detector(0.7), Judge(0.95, echo=1.0))).judging
    assert found
    assert DETECTOR not in found.record.open
    assert found.record.rates[DETECTOR].specificity.high < 0.5
    assert found.record.rates[PEOPLE].specificity.value > 0.8


def test_a_judge_that_becomes_worse_is_closed_in_the_second_half(images: list[Sketch]) -> None:
    found = run(images * 2, Errors(), Help(Detector(0.7), Judge(0.95, later=0.6))).judging
    assert found
    assert found.closed
    assert 120 < found.closed <= 220
    assert not found.record.open


def test_what_counted_since_a_judge_became_worse_is_asked_again(images: list[Sketch]) -> None:
    help_ = Help(Detector(0.7), Judge(0.95, later=0.6))
    found = run(images * 2, Errors(), help_)
    assert found.judging and found.judging.closed
    assert found.judging.asked_again > 0
    kept = run(images * 2, Errors(), replace(help_, takes_back=False))
    alone = run(images * 2, Errors(), Help(Detector(0.7)))
    differ = [at for at, pair in enumerate(zip(found.images, kept.images, strict=True)) if pair[0] != pair[1]]
    first = found.judging.closed - found.judging.asked_again
    assert differ and first <= min(differ) and max(differ) < found.judging.closed
    assert all(found.images[at] == alone.images[at] for at in range(first, found.judging.closed))


def crowd(*, careless: int, careful: int, limits: bool = True) -> Crowd:
    rng = random.Random(2)
    people = [Person(careless=at < careless) for at in range(careless + careful)]
    return Crowd(people, lambda: [*suggested(1, Detector(0.7), rng)], 0.15, 0.2, limits=limits)


def test_of_a_crowd_those_who_accept_everything_are_found_and_nobody_else() -> None:
    found = crowd(careless=5, careful=10)
    for _ in range(6000):
        found.next()
    course = found.course()
    assert (course["careless"], course["found"], course["careful_off"]) == (5, 5, 0)
    assert course["answers_until_found"] <= course["at_most"] < 300 and "all_off" not in course
    before = [one.answers for one in found.people if one.careless]
    for _ in range(300):
        found.next()
    assert [one.answers for one in found.people if one.careless] == before, "they are shown none any more"


def test_without_limits_and_in_a_careful_crowd_nobody_is_found() -> None:
    for one in (crowd(careless=5, careful=10, limits=False), crowd(careless=0, careful=10)):
        for _ in range(3000):
            assert one.next() is not None
        assert one.course()["found"] == one.course()["careful_off"] == 0


def test_suggestions_that_people_wave_through_are_switched_off(images: list[Sketch]) -> None:
    for waved, off in ((0.15, False), (0.9, True)):
        found = run(images[:60], Errors(), Help(Detector(0.5, false=0.6), Judge(0.9), waved=waved)).judging
        assert found
        assert (found.off is not None) is off


def test_with_a_perfect_detector_and_people_nothing_is_drawn(images: list[Sketch]) -> None:
    help_ = Help(Detector(1.0, false=0.0), refused=0.0, without=0.0)
    found = run(images, PERFECT, help_)
    assert not any(one.imperfect or one.review for one in chains(found))
    needed = sum(one.entities for one in chains(found))
    assert sum(one.taken for one in found.extra) == needed
    assert sum(one.refused for one in found.extra) == 0
    drawn = run(images, PERFECT, Help())
    saved = sum(seconds_of(drawn, help_, SETS["plan"])) - sum(seconds_of(found, help_, SETS["plan"]))
    assert saved == pytest.approx(needed * (7 - 2)), "accepting takes 2 seconds, a box by extreme points 7"


def test_flaws_that_look_good_to_everybody_stay_in_the_data(images: list[Sketch]) -> None:
    careful = replace(Errors(), quality=0.0, coverage=0.0)
    wrong = [
        sum(one.wrong for one in chains(run(images, careful, Help(Detector(0.7), shared=share))))
        for share in (0.0, 1.0)
    ]
    assert wrong[0] == 0 < wrong[1]


def test_known_images_have_natural_flaws_and_are_no_images_of_the_batch(images: list[Sketch]) -> None:
    judging = run(images[:60], Errors(), Help(Detector(0.7), Judge(0.9), known=60)).judging
    assert judging
    known = [row for row in judging.rows if row.truth is not None]
    assert all(row.image < 0 for row in known)
    assert Counter(row.image < 0 for row in judging.rows)[False] == len(judging.rows) - len(known)
    drawn = [row.truth for row in known if row.kind == PEOPLE]
    assert 0.65 < drawn.count(True) / len(drawn) < 0.95


def test_a_score_adds_what_it_tells(images: list[Sketch]) -> None:
    text = fit_prior(SPREAD, 100)
    scores = [
        (score, image.truth[a] == image.truth[b])
        for place, image in enumerate(images)
        for (a, b), score in draw_scores(image, str(place)).items()
    ]
    same, other = ([score for score, one in scores if one is truth] for truth in (True, False))
    higher = np.mean(np.array(same)[:, None] > np.array(other)[None, :])
    assert higher == pytest.approx(AUC, abs=0.01)
    assert weights_of(images, text).times == pytest.approx(APART, rel=0.2)


def test_scores_save_questions_and_make_chains_no_worse(images: list[Sketch]) -> None:
    text = fit_prior(SPREAD, 100)
    row = LinkRow(posterior(Prior(text), "careful", human_yes=True), verified=False)
    by_text = [link_image(one, row, Errors(), str(place)) for place, one in enumerate(images[:20])]
    by_scores = link_with_scores(images[:20], images[20:], text, Errors())
    assert sum(one.questions for one in by_scores) < 0.8 * sum(one.questions for one in by_text)
    assert sum(one.matched for one in by_scores) >= sum(one.matched for one in by_text)


def test_a_difference_is_one_of_ratios_with_an_interval_around_it() -> None:
    one = np.array([[1.0, 2.0], [0.0, 2.0]] * 30)
    other = np.array([[0.0, 2.0], [0.0, 2.0]] * 30)
    value, low, high = difference(one, other)
    assert value == 25
    assert low < value < high
    assert difference(one, one) == [0, 0, 0]
    assert [judged(figures) for figures in ([-1, -2, 0], [0, -1, 1], [1, -1, 3], [1, 0.5, 2])] == [
        *("no", "no", "not surely", "yes")
    ]


def test_every_row_has_people_who_work_alone_to_be_compared_with() -> None:
    alone = {row.help.shared for row in rows().values() if not row.help.detector and not row.help.judge}
    assert {row.help.shared for row in rows().values()} == alone
    assert sum(row.goal for row in rows().values()) == 2


def test_a_loose_box_of_a_detector_is_around_its_entity() -> None:
    found = list(suggested(2000, Detector(0.5, loose=0.2, false=0.0), random.Random(1)))
    truths = Counter(one.truth for one in found)
    assert all(one.entity is not None for one in found)
    assert truths[BoxJudgment.GOOD] / 2000 == pytest.approx(0.5, abs=0.03)
    assert truths[BoxJudgment.LOOSE] / 2000 == pytest.approx(0.2, abs=0.03)
