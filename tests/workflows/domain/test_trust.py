"""docs/protocol.md, "Quality control": who is trusted, and who is not any more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflows.domain.trust import Outcome, Record, Terms, Trust, fold, fold_sets, follow, in_sets

TERMS = Terms(minimum=0.8, entrance=30, recent=30)


def outcomes(pattern: str, terms: Terms = TERMS, *, question: bool = True) -> list[Outcome]:
    """`+` is right, `-` is wrong."""
    return [Outcome(mark == "+", terms, question) for mark in pattern]


@pytest.mark.parametrize(
    ("pattern", "state"),
    [
        ("", Trust.ENTERING),
        ("+" * 29, Trust.ENTERING),
        ("-" * 29, Trust.ENTERING),
        ("+" * 24 + "-" * 6, Trust.TRUSTED),  # exactly 80%
        ("+" * 23 + "-" * 7, Trust.LOST),
        ("-" * 6 + "+" * 24, Trust.TRUSTED),
        # 80% overall, but 23 of the most recent 30.
        ("+" * 60 + "-" * 7, Trust.LOST),
        ("+" * 60 + "-" * 6, Trust.TRUSTED),
        # All of the most recent 30 are right, and 24 of the first: overall it falls below 80% in between.
        ("-" * 6 + "+" * 24 + "-", Trust.LOST),
        ("+" * 23 + "-" * 7 + "+" * 1000, Trust.LOST),
    ],
)
def test_thirty_questions_decide_and_then_overall_and_the_most_recent_scores(
    pattern: str, state: Trust
) -> None:
    assert fold(outcomes(pattern)).state == state


def test_boxes_count_once_their_drawer_is_trusted() -> None:
    """ "For box drawing the share of the worker's boxes that pass box quality counts as well." """
    terms = Terms(minimum=0.7, entrance=30, recent=30)
    assert fold(outcomes("-" * 50, terms, question=False)) == Record()
    entered = outcomes("+" * 30, terms)
    assert fold(entered + outcomes("-" * 9, terms, question=False)).state == Trust.TRUSTED
    assert fold(entered + outcomes("-" * 10, terms, question=False)).state == Trust.LOST


def test_every_answer_is_held_against_the_minimum_of_its_batch() -> None:
    strict = Terms(minimum=0.9, entrance=30, recent=30)
    eighty = outcomes("+" * 24 + "-" * 6)
    assert fold([*eighty, Outcome(True, TERMS)]).state == Trust.TRUSTED
    assert fold([*eighty, Outcome(True, strict)]).state == Trust.LOST
    assert fold(eighty).holds(0.8) and not fold(eighty).holds(0.9)


@st.composite
def histories(draw: st.DrawFn) -> list[Outcome]:
    terms = Terms(
        minimum=draw(st.sampled_from((0.0, 0.5, 0.7, 0.8, 1.0))),
        entrance=draw(st.integers(1, 12)),
        recent=draw(st.integers(1, 12)),
    )
    marks = st.tuples(st.sampled_from((True, True, True, False)), st.sampled_from((True, True, False)))
    return [Outcome(right, terms, question) for right, question in draw(st.lists(marks, max_size=60))]


@given(histories())
def test_nobody_keeps_trust_below_the_threshold(history: list[Outcome]) -> None:
    """After every prefix, overall and over the most recent answers, counted anew from the list."""
    for end in range(1, len(history) + 1):
        record = fold(history[:end])
        if record.state != Trust.TRUSTED:
            continue
        terms = history[0].terms
        questions = 0
        counted = []
        for outcome in history[:end]:
            if questions >= terms.entrance or outcome.question:
                counted.append(outcome.right)
                questions += outcome.question
        assert sum(counted) >= terms.minimum * len(counted) - 1e-9
        recent = counted[-terms.recent :]
        assert sum(recent) >= terms.minimum * len(recent) - 1e-9
        assert (record.asked, record.right) == (len(counted), sum(counted))


@given(histories())
def test_nobody_is_trusted_before_the_entrance_is_answered(history: list[Outcome]) -> None:
    questions = 0
    for end, outcome in enumerate(history, start=1):
        questions += outcome.question
        state = fold(history[:end]).state
        assert (state == Trust.ENTERING) == (questions < outcome.terms.entrance)


@given(histories(), histories())
def test_trust_that_is_lost_stays_lost(history: list[Outcome], later: list[Outcome]) -> None:
    if fold(history).state == Trust.LOST:
        assert fold(history + later).state == Trust.LOST


@given(histories(), st.integers(0, 60))
def test_a_fold_goes_on_where_it_stopped(history: list[Outcome], cut: int) -> None:
    record = fold(history[:cut])
    for outcome in history[cut:]:
        record = follow(record, outcome)
    assert record == fold(history)


PAGES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda p: (max(p), min(p))), max_size=40)


@given(PAGES, st.integers(1, 20))
def test_sets_are_full_and_leave_less_than_one_over(pages: list[tuple[int, int]], size: int) -> None:
    sets = in_sets(pages, size=size)
    asked = sum(page[0] for page in pages)
    assert all(size <= set_asked < size + 5 for set_asked, _ in sets)
    assert 0 <= asked - sum(set_asked for set_asked, _ in sets) < size
    # More pages never change a set that was full.
    for end in range(len(pages)):
        before = in_sets(pages[:end], size=size)
        assert sets[: len(before)] == before


@pytest.mark.parametrize(
    ("sets", "state"),
    [
        ([], Trust.ENTERING),
        ([(20, 0)], Trust.ENTERING),
        ([(20, 12), (20, 20)], Trust.TRUSTED),  # 80% over both
        ([(20, 12), (20, 19)], Trust.LOST),
        ([(20, 12), (20, 19), (20, 20)], Trust.LOST),
        ([(20, 20), (20, 12), (20, 15)], Trust.LOST),
    ],
)
def test_under_verification_the_batch_is_lost_from_the_second_set_on(
    sets: list[tuple[int, int]], state: Trust
) -> None:
    assert fold_sets(sets, minimum=0.8).state == state


def test_boxes_count_in_the_score_of_a_batch_too() -> None:
    sets = [(20, 16), (20, 16)]
    assert fold_sets(sets, boxes=(True,) * 5, minimum=0.8).state == Trust.TRUSTED
    assert fold_sets(sets, boxes=(False,), minimum=0.8).state == Trust.LOST
    assert fold_sets(sets[:1], boxes=(False,) * 9, minimum=0.8).state == Trust.ENTERING
