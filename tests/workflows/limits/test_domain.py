"""The limits at which suggestions are switched off."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy import stats

from workflows.judges.domain.accuracy import Bounded, Rates
from workflows.limits.domain import (
    MAX_ACCEPTED,
    MIN_IMAGES,
    MIN_SHOWN,
    MIN_SHOWN_TO_CROWD,
    SURELY,
    Judged,
    about_checks,
    about_crowd,
    about_judge,
    about_worker,
    say,
    share_by_images,
)


def low(accepted: int, shown: int) -> float:
    return float(stats.binomtest(accepted, shown).proportion_ci(0.95, method="wilson").low)


def test_a_worker_is_off_if_the_lower_bound_is_above_the_limit() -> None:
    for shown in range(41):
        for accepted in range(shown + 1):
            off = shown >= MIN_SHOWN and low(accepted, shown) > MAX_ACCEPTED
            assert (about_worker(shown, accepted) is not None) == off, (shown, accepted)


def test_who_accepts_all_is_off_after_five_and_not_before() -> None:
    assert about_worker(MIN_SHOWN - 1, MIN_SHOWN - 1) is None
    found = about_worker(MIN_SHOWN, MIN_SHOWN)
    assert found is not None and found.figures["low"] == round(low(5, 5), 4)
    assert say(found.reason, found.figures) == (
        "the worker accepted 5 of 5 bad suggestions on known images (100%; surely above 35%)"
    )


def ever_off(share: float, suggestions: int) -> float:
    """Return how likely a worker who accepts this share of bad suggestions is off after so many, exactly.

    The worker is looked at after each of them.
    """
    still, off = {0: 1.0}, 0.0
    for shown in range(1, suggestions + 1):
        after: dict[int, float] = {}
        for accepted, chance in still.items():
            for more, likely in ((1, share), (0, 1 - share)):
                after[accepted + more] = after.get(accepted + more, 0.0) + chance * likely
        lost = [accepted for accepted in after if about_worker(shown, accepted)]
        off += sum(after.pop(accepted) for accepted in lost)
        still = after
    return off


@pytest.mark.parametrize(
    ("share", "suggestions", "least", "most"),
    [(0.15, 300, 0.001, 0.004), (1.0, 5, 1.0, 1.0), (0.8, 9, 0.85, 1.0), (0.6, 32, 0.88, 1.0)],
)
def test_careful_workers_are_hardly_ever_off_and_careless_ones_soon(
    share: float, suggestions: int, least: float, most: float
) -> None:
    assert least <= ever_off(share, suggestions) <= most


def test_a_crowd_counts_together_once_enough_was_shown() -> None:
    few = [(4, 4)] * (MIN_SHOWN_TO_CROWD // 4 - 1)
    assert about_crowd(few) is None
    found = about_crowd([*few, (4, 4)])
    assert found is not None and (found.figures["shown"], found.figures["workers"]) == (100, 25)
    assert say(found.reason, found.figures).startswith("25 workers together accepted 100 of 100 bad")
    assert about_crowd([(100, 44)]) is None and low(44, 100) < MAX_ACCEPTED
    assert about_crowd([(100, 46)]) is not None and low(46, 100) > MAX_ACCEPTED
    assert about_crowd([]) is None


def rates(high: float, sealed: int = 200) -> Rates:
    sure = Bounded(0.95, 0.9, 0.97)
    return Rates(sure, sure, sure, Bounded(high - 0.05, high - 0.1, high), sealed=sealed, known=0, images=60)


def test_a_judge_speaks_against_the_family_that_is_shown_alone() -> None:
    found = about_judge({"owl": rates(0.75), "hawk": rates(0.9)}, "owl")
    assert found is not None and found.figures["high"] == 0.75
    assert "of 200 accepted suggestions of owl" in say(found.reason, found.figures)
    assert about_judge({"owl": rates(0.9), "hawk": rates(0.75)}, "owl") is None
    assert about_judge({"owl": rates(0.75, sealed=99)}, "owl") is None
    assert about_judge({}, "owl") is None


def boxes(rng: random.Random, images: int, share: float) -> list[Judged]:
    """Return images with one to eight boxes each, which are alike."""
    found = []
    for image in range(images):
        number, of_image = rng.randint(1, 8), min(1.0, max(0.0, rng.gauss(share, 0.15)))
        found.append((image, sum(rng.random() < of_image for _ in range(number)), number))
    return found


def test_the_error_of_a_share_is_that_of_drawing_images_again() -> None:
    some = boxes(random.Random(3), 80, 0.7)
    share, error = share_by_images(some)
    drawn = np.random.default_rng(3).integers(0, len(some), (4000, len(some)))
    sums = np.array(some)[drawn].sum(axis=1)
    assert share == pytest.approx(sum(good for _, good, _ in some) / sum(n for _, _, n in some))
    assert error == pytest.approx(float((sums[:, 1] / sums[:, 2]).std()), rel=0.05)


def test_checks_speak_against_suggestions_that_are_surely_worse_than_drawn_boxes() -> None:
    taken, drawn = boxes(random.Random(1), 300, 0.6), boxes(random.Random(2), 60, 0.85)
    found = about_checks(taken, drawn)
    (share, error), (other, other_error) = share_by_images(taken), share_by_images(drawn)
    high = share - other + SURELY * (error**2 + other_error**2) ** 0.5
    assert found is not None and found.figures["high"] == round(high, 4) < 0
    assert "were drawn on photographs without any" in say(found.reason, found.figures)
    assert about_checks(drawn, taken) is None, "better ones are no harm"
    assert about_checks(drawn, drawn) is None
    close = boxes(random.Random(3), 60, 0.8)
    assert about_checks(close, drawn) is None, "worse, but not surely"


def test_few_images_or_boxes_say_nothing() -> None:
    bad, good = (
        [(image, 0, 10) for image in range(MIN_IMAGES)],
        [(image, 9, 10) for image in range(MIN_IMAGES)],
    )
    assert about_checks(bad, good) is not None
    assert about_checks(bad[1:], good) is None and about_checks(bad, good[1:]) is None
    few = [(image, 0, 4) for image in range(MIN_IMAGES)]
    assert about_checks(few, good) is None and about_checks(bad, few) is None
    assert about_checks([], []) is None
