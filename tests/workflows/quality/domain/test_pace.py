"""Honest workers are hardly ever flagged, and careless ones are. Then the limits of each sign."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable
from dataclasses import replace

import pytest

from tests.selection import and_nightly
from workflows.quality.domain.pace import (
    MIN_ANSWERS,
    Everybody,
    Given,
    Relative,
    flags,
    least_seconds,
    one_box,
    relative_iou,
    straight_lining,
    too_fast,
)

OTHERS = Everybody({"same": 1000, "different": 1000})
MIDDLE = (0.4, 0.4, 0.6, 0.6)


def anywhere(rng: random.Random) -> Relative:
    """Return a box as people draw them: of any size and place, often nearly the whole picture."""
    if rng.random() < 0.1:
        return rng.uniform(0, 0.05), rng.uniform(0, 0.05), rng.uniform(0.95, 1), rng.uniform(0.95, 1)
    left, top = rng.uniform(0, 0.8), rng.uniform(0, 0.8)
    return left, top, left + rng.uniform(0.03, 0.95 - left), top + rng.uniform(0.03, 0.95 - top)


def everybody(rng: random.Random, yes: float) -> Everybody:
    given = sum(rng.random() < yes for _ in range(2000))
    return Everybody({"same": given, "different": 2000 - given}, [anywhere(rng) for _ in range(400)])


def work(
    rng: random.Random,
    *,
    count: int = 200,
    pace: Callable[[random.Random, int], float] | None = None,
    label: Callable[[random.Random], str],
    box: Callable[[random.Random], Relative | None] = lambda rng: None,
    page: int = 10,
) -> list[Given]:
    """Return a worker's answers. The pages take as long as their answers, and a little longer."""
    answers = []
    for n in range(count):
        words = rng.choice([2, 2, 3, 4, 5, 6])
        seconds = pace(rng, words) if pace else rng.lognormvariate(1.9, 0.5) + 0.15 * words
        answers.append(
            Given(label(rng), words, seconds, n // page, None, n, [drawn] if (drawn := box(rng)) else [])
        )
    whole: dict[Hashable, float] = {n // page: 2.0 for n in range(count)}
    for given in answers:
        whole[given.page] += given.seconds or 0
    return [replace(given, page_seconds=whole[given.page]) for given in answers]


def some(rng: random.Random, yes: float) -> Callable[[random.Random], str]:
    return lambda _: "same" if rng.random() < yes else "different"


@pytest.mark.parametrize("yes", and_nightly([0.5, 0.95], [0.1, 0.8], "other shares of an answer"))
def test_honest_workers_are_next_to_never_flagged(yes: float) -> None:
    rng = random.Random(8)
    others = everybody(rng, yes)
    flagged = sum(
        bool(flags(work(rng, label=some(rng, yes), box=anywhere, count=rng.choice([20, 60, 200])), others))
        for _ in range(100)
    )
    assert flagged <= 1


@pytest.mark.parametrize(
    ("kind", "careless"),
    [
        ("fast", {"pace": lambda rng, words: rng.uniform(0.2, 0.9)}),
        ("fast", {"pace": lambda rng, words: 0.5 if rng.random() < 0.4 else rng.uniform(4, 9)}),
        ("straight", {"label": lambda rng: "same"}),
        ("one-box", {"box": lambda rng: tuple(edge + rng.uniform(-0.003, 0.003) for edge in MIDDLE)}),
        ("one-box", {"box": lambda rng: MIDDLE if rng.random() < 0.3 else anywhere(rng)}),
    ],
)
def test_careless_workers_are_flagged_for_what_they_do(kind: str, careless: dict[str, object]) -> None:
    rng = random.Random(9)
    others = everybody(rng, 0.6)
    besides = 0
    for _ in range(40):
        manner = {"label": some(rng, 0.6), "box": anywhere, **careless}
        found = flags(work(rng, count=100, **manner), others)  # type: ignore[arg-type]
        assert kind in [flag.kind for flag in found]
        assert all(flag.figures for flag in found)
        besides += len(found) - 1
    assert besides <= 1, "each sign is about one thing; once in ten thousand, chance does it"


def row(label: str = "same", **more: object) -> Given:
    return replace(Given(label, 4, 8.0, 1, None, 1), **more)  # type: ignore[arg-type]


def test_too_few_answers_say_nothing() -> None:
    fast = [row(seconds=0.1) for _ in range(MIN_ANSWERS - 1)]
    assert flags(fast, OTHERS) == []
    assert flags([*fast, row(seconds=0.1)], OTHERS)


def test_the_least_time_grows_with_the_words() -> None:
    assert least_seconds(0, drawn=0) == pytest.approx(0.3)
    assert least_seconds(10, drawn=0) == pytest.approx(2.3)
    assert least_seconds(10, drawn=1) > least_seconds(10, drawn=0)


def test_exactly_a_quarter_of_fast_answers_is_not_too_many() -> None:
    slow = [row() for _ in range(30)]
    assert too_fast([*slow, *[row(seconds=0.2)] * 10]) is None
    assert too_fast([*slow, *[row(seconds=0.2)] * 11]) is not None


def test_seconds_that_the_page_did_not_take_are_not_believed() -> None:
    """A client reports eight seconds an answer, but the server got ten answers back after four seconds."""
    lied = [row(page=n // 10, page_seconds=4.0) for n in range(40)]
    found = too_fast(lied)
    assert found is not None and found.figures["median_seconds"] == pytest.approx(0.4)
    assert too_fast([row(page=n // 10, page_seconds=100.0) for n in range(40)]) is None


def test_without_a_measure_the_page_is_divided() -> None:
    assert too_fast([row(seconds=None, page=n // 10, page_seconds=3.0) for n in range(40)]) is not None
    assert too_fast([row(seconds=None) for n in range(40)]) is None


def test_a_run_is_strange_only_where_the_answer_is_not_usual() -> None:
    run = [row() for _ in range(60)]
    assert straight_lining(run, OTHERS) is not None
    assert straight_lining(run, Everybody({"same": 950, "different": 50})) is None
    # too few others have answered for anything to be known
    assert straight_lining(run, Everybody({"same": 40, "different": 59})) is None
    assert straight_lining([row("same" if n % 10 else "different") for n in range(60)], OTHERS) is None


def test_one_box_on_one_image_is_not_everywhere() -> None:
    assert one_box([row(boxes=[MIDDLE], image=1) for _ in range(60)], OTHERS) is None
    assert one_box(
        [row(boxes=[MIDDLE], image=n) for n in range(60)], Everybody({}, [anywhere(random.Random(1))] * 50)
    )


def test_a_box_that_others_draw_everywhere_too_is_not_strange() -> None:
    whole = (0.0, 0.0, 1.0, 1.0)
    others = Everybody({}, [whole] * 40 + [MIDDLE] * 60)
    answers = [
        row(boxes=[whole if n % 3 == 0 else (0.1, 0.1, 0.2 + n / 100, 0.3)], image=n) for n in range(60)
    ]
    assert one_box(answers, others) is None


def test_boxes_beside_each_other_do_not_overlap() -> None:
    assert relative_iou((0, 0, 0.5, 1), (0.5, 0, 1, 1)) == 0
    assert relative_iou((0, 0, 0.5, 1), (0, 0, 1, 1)) == pytest.approx(0.5)
