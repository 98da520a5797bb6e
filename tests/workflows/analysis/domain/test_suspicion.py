"""How doubtful finished work is, from who said what."""

from __future__ import annotations

import pytest

from workflows.analysis.domain.suspicion import Evidence, Part, accuracy, part_of


def known(right: int, asked: int, agreement: float | None = None, *, in_doubt: bool = False) -> float:
    return accuracy(right=right, asked=asked, agreement=agreement, in_doubt=in_doubt)


def test_of_somebody_unknown_the_usual_is_expected() -> None:
    assert known(0, 0) == pytest.approx(0.85)
    assert known(100, 100) > 0.97
    assert known(50, 100) < 0.55
    assert known(0, 0, 0.4) < known(0, 0) < known(0, 0, 1.0)


def test_who_is_in_doubt_is_worth_no_more_than_chance() -> None:
    assert known(100, 100, in_doubt=True) == 0.5
    assert known(0, 100, in_doubt=True) < 0.5


def test_two_who_agree_are_surer_than_one_and_who_disagrees_counts_against() -> None:
    one, two = Part("quality", (0.8,)), Part("quality", (0.8, 0.8))
    assert one.sure == pytest.approx(0.8)
    assert two.sure == pytest.approx(16 / 17)
    assert Part("quality", (0.8,), (0.8,)).sure == pytest.approx(0.5)
    assert Part("quality", (), decided=True).sure == 1


def test_a_question_is_as_doubtful_as_all_that_it_rests_on() -> None:
    evidence = Evidence((Part("link", (0.9,)), Part("coverage", (0.8,))))
    assert evidence.suspicion == pytest.approx(1 - 0.9 * 0.8)
    assert evidence.weakest is not None and evidence.weakest.what == "coverage"
    assert Evidence().suspicion == 0.5 and Evidence().weakest is None


def test_a_part_is_what_most_say() -> None:
    part = part_of("link", [(True, 0.9), (False, 0.6), (True, 0.8)])
    assert (part.in_favour, part.against) == ((0.9, 0.8), (0.6,))
    assert part_of("link", [(False, 0.7)]).in_favour == (0.7,)
