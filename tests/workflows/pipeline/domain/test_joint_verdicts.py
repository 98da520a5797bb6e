"""The rules of agreement of `entities-fast`: judgments as likelihoods."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answers import (
    Answer,
    BoxesAnswer,
    BoxJudgment,
    CheckAnswer,
    NoBoxes,
    Requirement,
    RequirementAnswer,
)
from annotation.domain.geometry import Box
from workflows.pipeline.domain.box_prior import SHARES
from workflows.pipeline.domain.joint_verdicts import (
    COMPLETE,
    GOOD,
    NEEDED,
    PRIOR_COMPLETE,
    PRIOR_GOOD,
    Doubt,
    asks_need_first,
    decide_boxes,
    decide_check,
    decide_need,
)
from workflows.pipeline.domain.verdicts import ModelWeights, Verdict

BOX, OTHER_BOX = Box(1, 2, 30, 40), Box(5, 6, 70, 80)
priors = st.floats(0.01, 0.99)
CODES = dict(zip("glcwd", BoxJudgment, strict=True))


def need(votes: str) -> list[Answer]:
    """Return answers: b box, s scene, n no box; S, N and D the same reasons in a counted answer of boxes."""
    kinds = {"b": Requirement.BOX, "s": Requirement.SCENE, "n": Requirement.NOBOX}
    counted = {"S": NoBoxes.SCENE, "N": NoBoxes.NOBOX, "D": NoBoxes.DONE}
    return [
        BoxesAnswer(none=counted[vote]) if vote in counted else RequirementAnswer(kinds[vote])
        for vote in votes
    ]


def checks(*judges: str) -> list[Answer]:
    """Return an answer for each judge: g, l, c, w or d for every new box, and ! if something is missing."""
    return [
        CheckAnswer(tuple(CODES[code] for code in judge.rstrip("!")), missing=judge.endswith("!"))
        for judge in judges
    ]


@pytest.mark.parametrize(
    ("prior", "votes", "verdict"),
    [
        (0.77, "", None),
        (0.77, "b", Verdict("box")),  # .96
        (0.77, "n", None),  # .31
        (0.77, "nn", Verdict("no box", flag="nobndbox")),  # .054
        (0.77, "nb", None),  # .77 again
        (0.90, "nn", None),  # .13
        (0.90, "nnn", Verdict("no box", flag="nobndbox")),
        (0.90, "nnb", None),
        (0.40, "b", None),  # .84
        (0.40, "bb", Verdict("box")),
        (0.40, "s", None),  # .08
        (0.40, "ss", Verdict("no box", flag="scene")),
        (0.10, "n", Verdict("no box", flag="nobndbox")),
        # Five at most, and then the likelier one.
        (0.40, "sbsb", None),
        (0.40, "sbsbb", Verdict("box")),
        (0.40, "sbsbs", Verdict("no box", flag="scene")),
    ],
)
def test_requirement_is_asked_until_its_posterior_leaves_the_doubt_or_five_were_asked(
    prior: float, votes: str, verdict: Verdict | None
) -> None:
    assert decide_need(need(votes), prior) == verdict


@given(priors)
def test_requirement_comes_first_where_its_first_no_box_settles_it(prior: float) -> None:
    settled = decide_need(need("n"), prior) == Verdict("no box", flag="nobndbox")
    assert asks_need_first(prior) == settled


def test_no_type_alone_needs_boxes_so_rarely_that_requirement_comes_first() -> None:
    assert not any(map(asks_need_first, SHARES.values()))
    assert asks_need_first(0.3)


@pytest.mark.parametrize(
    ("prior", "votes", "verdict"),
    [
        (0.99, "N", None),  # still .93, but nobody was asked here
        (0.99, "Nb", Verdict("box")),
        (0.02, "N", None),
        (0.02, "Nn", Verdict("no box", flag="nobndbox")),
        (0.02, "Ss", Verdict("no box", flag="scene")),
        (0.02, "Ds", Verdict("no box", flag="scene")),  # all there already: no reason
        (0.02, "Sn", Verdict("no box", flag="nobndbox")),  # a tie
    ],
)
def test_an_answer_without_boxes_counts_at_requirement_but_does_not_decide_alone(
    prior: float, votes: str, verdict: Verdict | None
) -> None:
    assert decide_need(need(votes), prior) == verdict


def test_one_answer_decides_boxes_and_brings_all_of_them() -> None:
    assert decide_boxes([]) is None
    assert decide_boxes([BoxesAnswer((BOX, OTHER_BOX))]) == Verdict("boxes drawn", boxes=(BOX, OTHER_BOX))
    for reason in NoBoxes:
        assert decide_boxes([BoxesAnswer(none=reason)]) == Verdict("no further box")


@pytest.mark.parametrize(
    ("judges", "verdict"),
    [
        ([], None),
        (["g"], Verdict("complete", accepted=(True,))),
        (["gg"], Verdict("complete", accepted=(True, True))),
        # One bad judgment leaves doubt (.39); a second one rejects, and otherwise a third decides.
        (["l"], None),
        (["l", "l"], Verdict("incomplete", accepted=(False,))),
        (["l", "g"], None),
        (["l", "g", "g"], Verdict("complete", accepted=(True,))),
        (["l", "g", "l"], Verdict("incomplete", accepted=(False,))),
        # So does one missing (.52).
        (["g!"], None),
        (["g!", "g!"], Verdict("incomplete", accepted=(True,))),
        (["g!", "g"], Verdict("complete", accepted=(True,))),
        # Each box has a posterior of its own.
        (["gl", "gl"], Verdict("incomplete", accepted=(True, False))),
        (["gd", "gd"], Verdict("complete", accepted=(True, False))),
        # Only whoever drew a box of the right entity leaves it without one.
        (["l", "c"], Verdict("incomplete", accepted=(False,))),
        (["w", "d"], Verdict("complete", accepted=(False,))),
        (["w", "l"], Verdict("incomplete", accepted=(False,))),  # a tie
        (["w!", "w!"], Verdict("incomplete", accepted=(False,))),
        # A check without new boxes is about completeness alone.
        ([""], Verdict("complete")),
        (["!"], None),
        (["!", "!"], Verdict("incomplete")),
    ],
)
def test_a_check_is_asked_again_while_a_box_or_completeness_is_in_doubt(
    judges: list[str], verdict: Verdict | None
) -> None:
    assert decide_check(checks(*judges)) == verdict


def test_the_words_of_the_rules_name_their_numbers() -> None:
    assert (NEEDED.low, NEEDED.high, NEEDED.most) == (0.06, 0.9, 5)
    assert (GOOD.low, GOOD.high, COMPLETE.low, COMPLETE.high) == (0.2, 0.9, 0.35, 0.9)
    assert GOOD.most == COMPLETE.most == 3
    words = f"{decide_need.__doc__} {decide_check.__doc__}"
    assert all(text in words for text in ("(.06, .9), and five", "(.2, .9)", "(.35, .9), and three"))


judgments = st.lists(st.sampled_from(BoxJudgment), min_size=2, max_size=2).map(tuple)
some_checks = st.lists(st.builds(CheckAnswer, judgments, st.booleans()), max_size=5)
some_needs = st.lists(st.builds(RequirementAnswer, st.sampled_from(Requirement)), max_size=7)


def check_settled(verdicts: Sequence[Verdict | None], most: int) -> None:
    """Check that nothing is decided at first, all is after `most`, and nothing changes after that."""
    assert verdicts[0] is None
    assert all(verdict is not None for verdict in verdicts[most:])
    decided = [verdict for verdict in verdicts if verdict is not None]
    assert list(verdicts) == [None] * (len(verdicts) - len(decided)) + decided[:1] * len(decided)


@given(some_checks)
def test_a_check_ends_with_its_third_judge_and_stays_decided(answers: list[CheckAnswer]) -> None:
    check_settled([decide_check(answers[:n]) for n in range(len(answers) + 1)], GOOD.most)


@given(some_needs, priors)
def test_requirement_ends_with_its_fifth_judge_and_stays_decided(
    answers: list[RequirementAnswer], prior: float
) -> None:
    check_settled([decide_need(answers[:n], prior) for n in range(len(answers) + 1)], NEEDED.most)


@given(st.lists(st.builds(CheckAnswer, judgments, st.booleans()), min_size=2, max_size=3))
def test_the_order_of_judges_does_not_matter_where_all_of_them_count(answers: list[CheckAnswer]) -> None:
    """It does matter whether the first ones are sure, since nobody is asked after them then."""
    orders = [list(order) for order in permutations(answers)]
    counting = [order for order in orders if all(decide_check(order[:n]) is None for n in range(len(order)))]
    assert len({decide_check(order) for order in counting}) <= 1


@given(priors, st.lists(st.booleans(), max_size=9), st.sampled_from([NEEDED, GOOD, COMPLETE]))
def test_a_posterior_is_that_of_bayes_one_judgment_after_the_other(
    prior: float, votes: list[bool], doubt: Doubt
) -> None:
    likely = prior
    for vote in votes:
        right, wrong = doubt.accuracy, 1 - doubt.accuracy
        if_yes, if_no = (right, wrong) if vote else (wrong, right)
        likely = likely * if_yes / (likely * if_yes + (1 - likely) * if_no)
    assert doubt.posterior(prior, votes.count(True), votes.count(False)) == pytest.approx(likely)


def test_without_judgments_the_posterior_is_the_prior() -> None:
    assert GOOD.posterior(PRIOR_GOOD, 0, 0) == pytest.approx(PRIOR_GOOD)
    assert COMPLETE.posterior(PRIOR_COMPLETE, 0, 0) == pytest.approx(PRIOR_COMPLETE)


# A model that judges

SURE = 1.99
"""The log odds of a judge of table 3: a model never weighs more."""


@pytest.mark.parametrize(
    ("weights", "judges", "verdict"),
    [
        # It settles alone that every box is good and none is missing.
        (((SURE,), SURE), (), Verdict("complete", accepted=(True,))),
        (((), SURE), (), Verdict("complete")),
        # Nothing else: not that a box is bad, not that one is missing, and not one of two things.
        (((-SURE,), SURE), (), None),
        (((SURE,), -SURE), (), None),
        (((SURE, 0.1), SURE), (), None),
        # Not without a word on what is missing, however likely that nothing is.
        (((SURE,), 0.0), (), None),
        # Without a weight it is as if it had not answered.
        (((0.0,), 0.0), (), None),
        (((0.0,), 0.0), ("g",), Verdict("complete", accepted=(True,))),
        # A judge and a model that contradict each other: one more judge.
        (((-SURE,), SURE), ("g",), None),
        (((0.5,), SURE), ("w",), None),
        (((-SURE,), SURE), ("w",), Verdict("complete", accepted=(False,))),
        (((-SURE,), SURE), ("l",), Verdict("incomplete", accepted=(False,))),
        # A box that every judge called good is never rejected, however bad its model says that it is.
        (((-9.0,), SURE), ("g",), None),
        (((-9.0,), SURE), ("g", "g"), None),
        (((-9.0,), SURE), ("g", "g", "g"), Verdict("complete", accepted=(True,))),
        (((SURE,), -9.0), ("g", "g", "g"), Verdict("complete", accepted=(True,))),
    ],
)
def test_a_model_adds_its_weights_and_settles_alone_only_good_and_complete(
    weights: tuple[tuple[float, ...], float], judges: Sequence[str], verdict: Verdict | None
) -> None:
    assert decide_check([ModelWeights(*weights), *checks(*judges)]) == verdict


codes = st.sampled_from("glcwd")


@given(st.data(), st.integers(0, 4), st.integers(0, 3))
def test_no_model_rejects_a_box_or_asks_for_one_that_no_judge_did(
    data: st.DataObject, boxes: int, judges: int
) -> None:
    weight = st.floats(-12, 12)
    model = ModelWeights(
        tuple(data.draw(st.lists(weight, min_size=boxes, max_size=boxes))), data.draw(weight)
    )
    said = [
        "".join(data.draw(st.lists(codes, min_size=boxes, max_size=boxes)))
        + data.draw(st.sampled_from(("", "!")))
        for _ in range(judges)
    ]
    verdict = decide_check([model, *checks(*said)])
    if verdict is None:
        assert judges < GOOD.most
        return
    for place, kept in enumerate(verdict.accepted):
        assert kept or any(one[place] != "g" for one in said)
    if verdict.name == "incomplete":
        assert any(one.endswith("!") for one in said) or not all(verdict.accepted)
