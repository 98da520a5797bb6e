"""How suggestions compare with known boxes."""

from __future__ import annotations

import numpy as np

from workflows.suggestions.domain.preview import Figures, Known, compare, histogram, matches


def boxes(*rows: tuple[int, ...]) -> np.ndarray:
    return np.array(rows, dtype=float).reshape(-1, 4)


def test_a_suggestion_and_a_known_box_match_once() -> None:
    one, other = (0, 0, 10, 10), (50, 50, 60, 60)
    assert matches(boxes(one, (0, 0, 10, 9), other), boxes(one, other)) == 2
    assert matches(boxes((0, 0, 10, 5)), boxes(one)) == 1  # an IoU of just .5
    assert matches(boxes((0, 0, 10, 4)), boxes(one)) == 0
    assert matches(boxes(), boxes(one)) == 0 == matches(boxes(one), boxes())


def test_figures_are_by_type_and_for_all_in_the_order_of_types() -> None:
    known = {
        1: Known(("other", "people"), boxes((0, 0, 10, 10), (20, 0, 30, 10))),
        2: Known(("food",), boxes((0, 0, 10, 10))),
        3: Known(("people",), boxes((0, 0, 4, 4))),
    }
    suggested: dict[int, list[list[float | None]]] = {
        1: [[0, 0, 10, 10, 0.9], [70, 70, 80, 80, None]],
        2: [[0, 0, 10, 8, 0.5]],
        9: [[1, 1, 2, 2, 1]],
    }
    found = compare(known, suggested)
    assert list(found) == ["all", "people", "other", "food"]
    assert found["all"] == Figures(mentions=3, known=4, suggested=3, matched=2)
    assert found["people"] == Figures(mentions=2, known=3, suggested=2, matched=1)
    assert found["people"].recall == 1 / 3 and found["people"].precision == 1 / 2
    assert found["food"] == Figures(1, 1, 1, 1)
    assert Figures().recall is None is Figures().precision
    assert compare({}, suggested) == {}


def test_the_histogram_has_all_numbers_of_boxes() -> None:
    assert histogram([]) == [0] * 21
    assert histogram([20, 0, 1, 1]) == [1, 2, *[0] * 18, 1]
