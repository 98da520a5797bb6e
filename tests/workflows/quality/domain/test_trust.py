"""docs/protocol.md, "Quality control": who is trusted, and who is not trusted any more."""

from __future__ import annotations

from math import floor

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workflows.quality.domain.trust import (
    Outcome,
    Page,
    Record,
    Terms,
    Trust,
    fold_entrance,
    fold_outcomes,
    fold_pages,
    follow_outcome,
    right_needed,
    stand,
)

TERMS = Terms(minimum=0.8, entrance=30, recent=30)


def outcomes(pattern: str, terms: Terms = TERMS) -> list[Outcome]:
    """Return outcomes: `+` is right, `-` is wrong."""
    return [Outcome(mark == "+", terms) for mark in pattern]


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
        # All of the most recent 30 are right, and 24 of the first. In between, it falls below 80% overall.
        ("-" * 6 + "+" * 24 + "-", Trust.LOST),
        ("+" * 23 + "-" * 7 + "+" * 1000, Trust.LOST),
    ],
)
def test_thirty_questions_decide_and_then_overall_and_the_most_recent_scores(
    pattern: str, state: Trust
) -> None:
    assert fold_outcomes(outcomes(pattern)).state == state


def enough(marks: list[bool], terms: Terms) -> bool:
    needed = terms.minimum * len(marks)
    rounded_down = len(marks) < terms.recent and sum(marks) + 1 > needed + 1e-9
    return sum(marks) >= needed - 1e-9 or rounded_down


@given(st.text("+++-", max_size=40), st.text("++-", max_size=30), st.integers(1, 12), st.integers(1, 12))
@example("--+++++", "--+", 7, 11)  # 6 of 10, where 7 are needed
def test_with_boxes_what_holds_now_decides(questions: str, later: str, entrance: int, recent: int) -> None:
    """ "For box drawing the share of the worker's boxes that pass box quality counts as well." """
    terms = Terms(minimum=0.7, entrance=entrance, recent=recent)
    entered = fold_entrance(outcomes(questions, terms))
    marks = [mark == "+" for mark in questions[: entered.asked] + later]
    record = stand(entered, asked=len(marks), right=sum(marks), recent=marks[-recent:], terms=terms)
    assert (record.asked, record.right) == (len(marks), sum(marks))
    passed = len(questions) >= entrance and enough([mark == "+" for mark in questions[:entrance]], terms)
    last = marks[-recent:]
    holds = all(enough(of, terms) for of in (marks, last))
    if len(questions) < entrance:
        assert record.state == Trust.ENTERING
    else:
        assert (record.state == Trust.TRUSTED) == (passed and (holds or not later))


@pytest.mark.parametrize(
    ("minimum", "asked", "right"),
    [
        (0.8, 6, 4),  # 4.8
        (0.83, 10, 8),  # 8.3
        (0.7, 10, 7),
        (0.8, 10, 8),
        (0.78, 10, 7),  # 7.8
        (0.83, 29, 24),  # 24.07
        (0.83, 30, 25),  # 24.9: with so many answers, the share itself counts
        (0.8, 30, 24),
    ],
)
def test_below_thirty_answers_the_number_that_must_be_right_is_rounded_down(
    minimum: float, asked: int, right: int
) -> None:
    terms = Terms(minimum=minimum, entrance=asked, recent=30)
    for enough, state in ((right, Trust.TRUSTED), (right - 1, Trust.LOST)):
        assert fold_outcomes(outcomes("+" * enough + "-" * (asked - enough), terms)).state == state
    shorter = Terms(minimum=minimum, entrance=1, recent=30)
    later = fold_outcomes(outcomes("+" * right + "-" * (asked - right), shorter))
    assert later.state == Trust.TRUSTED, "and it is the same after the entrance"
    assert follow_outcome(later, Outcome(False, shorter)).state == (
        Trust.TRUSTED if asked + 1 < 30 and right >= int((asked + 1) * minimum) else Trust.LOST
    )


@given(st.text("+++++-", min_size=30, max_size=60))
def test_nothing_is_forgiven_after_an_entrance_of_thirty(pattern: str) -> None:
    record = fold_outcomes(outcomes(pattern[:30]))
    for number, outcome in enumerate(outcomes(pattern[30:]), start=31):
        record, before = follow_outcome(record, outcome), record
        marks = [mark == "+" for mark in pattern[:number]]
        enough = sum(marks) / number >= 0.8 and sum(marks[-30:]) / 30 >= 0.8
        assert record.state == (Trust.TRUSTED if before.state == Trust.TRUSTED and enough else Trust.LOST)


def test_every_answer_is_held_against_the_minimum_of_its_batch() -> None:
    strict = Terms(minimum=0.9, entrance=30, recent=30)
    eighty = outcomes("+" * 24 + "-" * 6)
    assert fold_outcomes([*eighty, Outcome(True, TERMS)]).state == Trust.TRUSTED
    assert fold_outcomes([*eighty, Outcome(True, strict)]).state == Trust.LOST
    assert fold_outcomes(eighty).holds(TERMS) and not fold_outcomes(eighty).holds(strict)


def test_a_longer_entrance_of_another_batch_is_not_judged_before_its_end() -> None:
    short, long = Terms(minimum=0.8, entrance=1, recent=30), Terms(minimum=0.8, entrance=10, recent=30)
    record = fold_outcomes([Outcome(True, short), Outcome(False, long)])
    assert record.state == Trust.TRUSTED, "one of two is no score yet"
    passed = fold_outcomes([Outcome(True, short), Outcome(False, long), *outcomes("+" * 8, long)])
    assert passed.state == Trust.TRUSTED
    assert fold_outcomes([Outcome(True, short), *outcomes("---++++++", long)]).state == Trust.LOST


def in_one_page(pattern: str, terms: Terms) -> list[Outcome]:
    last = len(pattern) - 1
    return [Outcome(mark == "+", terms, place, ends=place == last) for place, mark in enumerate(pattern)]


@pytest.mark.parametrize(
    ("pattern", "state"),
    [("-+++++++++", Trust.TRUSTED), ("+++-------", Trust.LOST), ("++++++++--", Trust.TRUSTED)],
)
def test_an_entrance_that_ends_within_a_page_is_judged_at_the_end_of_the_page(
    pattern: str, state: Trust
) -> None:
    """The order of the answers on the page makes no difference."""
    terms = Terms(minimum=0.78, entrance=3, recent=30)
    for order in (pattern, pattern[::-1]):
        record = fold_outcomes(in_one_page(order, terms))
        assert record.state == state
        assert record == fold_entrance(in_one_page(order, terms))
        assert fold_outcomes(in_one_page(order, terms)[:-1]).state == Trust.ENTERING
        lost = record.loss and (record.loss.asked, record.loss.right, record.loss.minimum)
        assert lost == (None if state == Trust.TRUSTED else (10, 3, 0.78))
    longer = Terms(minimum=0.78, entrance=13, recent=30)
    entered = [*in_one_page("++++++++++", terms), *in_one_page("---+++++++", longer)]
    assert fold_outcomes(entered).state == Trust.TRUSTED, "nor one that another batch has begun"
    assert (
        fold_outcomes([*in_one_page("++++", terms), *in_one_page("---" + "+" * 7, terms)]).state == Trust.LOST
    )


@given(st.text("++-", min_size=1, max_size=12), st.integers(1, 12))
def test_the_end_of_the_page_takes_trust_from_nobody_to_whom_every_answer_leaves_it(
    pattern: str, entrance: int
) -> None:
    terms = Terms(minimum=0.7, entrance=entrance, recent=30)
    if fold_outcomes(outcomes(pattern, terms)).state == Trust.TRUSTED:
        assert fold_outcomes(in_one_page(pattern, terms)).state == Trust.TRUSTED


@given(st.text("++++-", max_size=60), st.integers(1, 12), st.integers(1, 12))
def test_a_loss_keeps_the_score_that_missed_the_minimum(pattern: str, entrance: int, recent: int) -> None:
    record = fold_outcomes(outcomes(pattern, Terms(minimum=0.8, entrance=entrance, recent=recent)))
    assert (record.loss is None) == (record.state != Trust.LOST)
    if (loss := record.loss) is not None:
        marks = [mark == "+" for mark in pattern[: loss.asked]]
        assert (loss.right, loss.recent_asked, loss.recent_right) == (
            sum(marks),
            len(marks[-recent:]),
            sum(marks[-recent:]),
        )
        assert min(loss.right / loss.asked, loss.recent_right / loss.recent_asked) < loss.minimum == 0.8


@st.composite
def histories(draw: st.DrawFn) -> list[Outcome]:
    terms = Terms(
        minimum=draw(st.sampled_from((0.0, 0.5, 0.7, 0.8, 1.0))),
        entrance=draw(st.integers(1, 12)),
        recent=draw(st.integers(1, 12)),
    )
    marks = st.sampled_from((True, True, True, False))
    return [Outcome(right, terms) for right in draw(st.lists(marks, max_size=60))]


@given(histories())
def test_nobody_keeps_trust_below_the_threshold(history: list[Outcome]) -> None:
    """After every prefix, overall and over the most recent answers are counted again from the list."""
    for end in range(1, len(history) + 1):
        record = fold_outcomes(history[:end])
        if record.state != Trust.TRUSTED:
            continue
        terms = history[0].terms
        counted = [outcome.right for outcome in history[:end]]
        least = terms.minimum * len(counted) - 1e-9
        # Of fewer answers than are recent, the number that must be right is rounded down.
        assert sum(counted) >= (floor(least + 1e-6) if len(counted) < terms.recent else least)
        recent = counted[-terms.recent :]
        # The entrance itself is decided by all of its answers.
        few = len(recent) < terms.recent or end == terms.entrance
        assert few or sum(recent) >= terms.minimum * len(recent) - 1e-9
        assert (record.asked, record.right) == (len(counted), sum(counted))


@given(histories())
def test_nobody_is_trusted_before_the_entrance_is_answered(history: list[Outcome]) -> None:
    for end, outcome in enumerate(history, start=1):
        state = fold_outcomes(history[:end]).state
        assert (state == Trust.ENTERING) == (end < outcome.terms.entrance)


@given(histories(), histories())
def test_trust_that_is_lost_stays_lost(history: list[Outcome], later: list[Outcome]) -> None:
    if fold_outcomes(history).state == Trust.LOST:
        assert fold_outcomes(history + later).state == Trust.LOST


@given(histories(), st.integers(0, 60))
def test_a_fold_goes_on_where_it_stopped(history: list[Outcome], cut: int) -> None:
    record = fold_outcomes(history[:cut])
    for outcome in history[cut:]:
        record = follow_outcome(record, outcome)
    assert record == fold_outcomes(history)


def in_pages(sets: list[tuple[int, int]]) -> list[Page]:
    return [Page(asked, right) for asked, right in sets]


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
    assert fold_pages(in_pages(sets), size=20, minimum=0.8).state == state


def test_boxes_count_in_the_score_of_a_batch_from_the_set_they_were_drawn_in() -> None:
    def state(*boxes: tuple[int, int]) -> Trust:
        pages = [Page(20, 16, drawn, good) for drawn, good in boxes]
        return fold_pages(pages, size=20, minimum=0.8).state

    assert state((0, 0), (5, 5)) == Trust.TRUSTED
    assert state((0, 0), (1, 0)) == Trust.LOST
    assert state((9, 0)) == Trust.ENTERING
    assert state((1, 0), (9, 9), (0, 0)) == Trust.TRUSTED
    assert state((1, 0), (0, 0), (9, 9)) == Trust.LOST, "what comes later does not undo it"
    assert state((0, 0), (0, 0), (0, 0)) == Trust.TRUSTED
    assert state((0, 0), (9, 9), (1, 0)) == Trust.TRUSTED


def test_pages_after_the_last_full_set_count_once_they_are_judged() -> None:
    pages = in_pages([(20, 16), (20, 16), (3, 0)])
    assert fold_pages(pages, size=20, minimum=0.8) == fold_pages(pages[:2], size=20, minimum=0.8)
    judged = fold_pages(pages, size=20, minimum=0.8, over=True)
    assert (judged.state, judged.asked, len(judged.recent)) == (Trust.LOST, 43, 20)
    assert judged.loss and (judged.loss.asked, judged.loss.right, judged.loss.recent_right) == (43, 32, 16)
    assert fold_pages([pages[0], pages[2]], size=20, minimum=0.8, over=True).state == Trust.ENTERING


PAGES = st.lists(
    st.builds(
        lambda asked, wrong, boxes, bad: Page(asked, max(0, asked - wrong), boxes, max(0, boxes - bad)),
        *[st.integers(0, 5)] * 4,
    ),
    max_size=40,
)


@given(PAGES, st.integers(1, 20))
def test_sets_are_full_and_leave_less_than_one_over(pages: list[Page], size: int) -> None:
    """Counted again: a prefix is either what it was a page before, or contains all pages so far."""
    before = Record()
    for end in range(len(pages) + 1):
        record = fold_pages(pages[:end], size=size, minimum=0.5)
        if record != before:
            assert record.asked == sum(page.asked + page.boxes for page in pages[:end])
            assert record.right == sum(page.right + page.good for page in pages[:end])
            assert size <= len(record.recent) < size + 5
        assert before.state != Trust.LOST or record.state == Trust.LOST
        before = record


def test_the_number_that_decides_is_rounded_down_while_answers_are_few() -> None:
    """A worker was trusted at 70% beside a minimum of 78%."""
    terms = Terms(minimum=0.78, entrance=6, recent=20)
    assert [right_needed(asked, terms) for asked in (0, 10, 20, 50)] == [0, 7, 16, 39]
