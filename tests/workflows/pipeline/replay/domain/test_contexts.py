"""Items are found again by what they show and what they rest on."""

from __future__ import annotations

from annotation.domain.answers import QualityAnswer
from workflows.pipeline.replay.domain.contexts import Answered, Asked, Context, Given, Source

DRAW = Context("drawing")
MORE = Context("drawing", (Source(7, None),))


def given(*ids: int) -> tuple[Given, ...]:
    return tuple(Given(pk, 1, QualityAnswer(True)) for pk in ids)


def test_each_context_has_its_own_items() -> None:
    ask = Answered([Asked(1, DRAW, given(10)), Asked(2, MORE, given(11))])
    assert ask(MORE) == Asked(2, MORE, given(11))
    assert ask(DRAW) == Asked(1, DRAW, given(10))
    assert ask(DRAW) == Asked(None, DRAW)
    assert ask(Context("coverage")) == Asked(None, Context("coverage"))


def test_what_was_answered_first_comes_first_whatever_the_rows_say() -> None:
    ask = Answered([Asked(1, DRAW, given(20)), Asked(2, DRAW, given(10, 30))])
    assert [ask(DRAW).id for _ in range(3)] == [2, 1, None]


def test_judgments_go_before_questions_that_wait_for_one() -> None:
    """If a judgment was set aside, questions that somebody else has answered are not asked again."""
    ask = Answered([Asked(1, DRAW), Asked(2, DRAW, given(10))])
    assert [ask(DRAW).id for _ in range(3)] == [2, 1, None]


def test_a_question_that_is_open_goes_before_one_that_was_withdrawn() -> None:
    ask = Answered([Asked(1, DRAW), Asked(2, DRAW, open=True)])
    assert [ask(DRAW).id for _ in range(2)] == [2, 1]
