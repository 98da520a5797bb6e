"""The rules that read the judgments of one item, stage by stage of docs/protocol.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answers import (
    Answer,
    CoverageAnswer,
    DrawingAnswer,
    LinkAnswer,
    QualityAnswer,
    Requirement,
    RequirementAnswer,
    VerificationAnswer,
)
from annotation.domain.geometry import Box
from workflows.pipeline.domain import verdicts
from workflows.pipeline.domain.verdicts import Verdict

BOX = Box(1, 2, 30, 40)
OPEN = None
Decide = Callable[[Sequence[Answer]], Verdict | None]


def once(answers: Sequence[Answer]) -> Verdict | None:
    return verdicts.decide_link(answers, settling=False)


def best_of_three(answers: Sequence[Answer]) -> Verdict | None:
    return verdicts.decide_link(answers, settling=True)


def links(votes: str) -> list[Answer]:
    return [LinkAnswer(vote == "y") for vote in votes]


def name(verdict: Verdict | None) -> str | None:
    return verdict.name if verdict else None


@pytest.mark.parametrize(("votes", "verdict"), [("", OPEN), ("y", "same"), ("n", "different")])
def test_one_judgment_decides_a_link(votes: str, verdict: str | None) -> None:
    assert name(once(links(votes))) == verdict


@pytest.mark.parametrize(
    ("votes", "verdict"),
    [
        ("", OPEN),
        ("y", OPEN),
        ("n", OPEN),
        ("yy", "same"),
        ("nn", "different"),
        ("yn", OPEN),
        ("ny", OPEN),
        ("yny", "same"),
        ("ynn", "different"),
        ("nyy", "same"),
        ("nyn", "different"),
    ],
)
def test_a_link_being_settled_gets_a_second_worker_and_a_third_where_they_differ(
    votes: str, verdict: str | None
) -> None:
    assert name(best_of_three(links(votes))) == verdict


@pytest.mark.parametrize(("same", "verdict"), [(True, "true"), (False, "false")])
def test_one_judgment_decides_verification(same: bool, verdict: str) -> None:
    assert verdicts.decide_verification([]) is None
    assert name(verdicts.decide_verification([VerificationAnswer(same)])) == verdict


def requirement(votes: str) -> list[Answer]:
    """Return answers: b box, s scene, n no box, and d a drawing judgment without a box, which counts here."""
    kinds = {"b": Requirement.BOX, "s": Requirement.SCENE, "n": Requirement.NOBOX}
    return [DrawingAnswer(None) if vote == "d" else RequirementAnswer(kinds[vote]) for vote in votes]


@pytest.mark.parametrize(
    ("votes", "verdict"),
    [
        ("", OPEN),
        ("b", Verdict("box")),
        ("s", OPEN),
        ("n", OPEN),
        ("sb", OPEN),
        ("nb", OPEN),
        ("sbb", Verdict("box")),
        ("nbb", Verdict("box")),
        ("ss", Verdict("no box", flag="scene")),
        ("nn", Verdict("no box", flag="nobndbox")),
        ("sbs", Verdict("no box", flag="scene")),
        ("nbn", Verdict("no box", flag="nobndbox")),
    ],
)
def test_a_first_box_decides_and_otherwise_two_must_agree_on_box_or_no_box(
    votes: str, verdict: Verdict | None
) -> None:
    assert verdicts.decide_requirement(requirement(votes)) == verdict


@pytest.mark.parametrize("votes", ["sn", "ns", "sbn", "nbs"])
def test_a_tie_between_the_reasons_gives_nobndbox(votes: str) -> None:
    assert verdicts.decide_requirement(requirement(votes)) == Verdict("no box", flag="nobndbox")


@pytest.mark.parametrize(
    ("votes", "verdict"),
    [
        ("d", OPEN),
        ("db", OPEN),  # the counted judgment was the first, so a single "box" does not decide any more
        ("dbb", Verdict("box")),
        ("dn", Verdict("no box", flag="nobndbox")),
        ("ds", Verdict("no box", flag="scene")),  # the counted judgment gives no reason
        ("dbn", Verdict("no box", flag="nobndbox")),
        ("dbs", Verdict("no box", flag="scene")),
    ],
)
def test_no_further_box_counts_as_a_no_box_needed_judgment_at_requirement(
    votes: str, verdict: Verdict | None
) -> None:
    assert verdicts.decide_requirement(requirement(votes)) == verdict


def test_one_judgment_decides_drawing_and_brings_its_box() -> None:
    assert verdicts.decide_drawing([]) is None
    assert verdicts.decide_drawing([DrawingAnswer(BOX)]) == Verdict("box drawn", boxes=(BOX,))
    assert verdicts.decide_drawing([DrawingAnswer(None)]) == Verdict("no further box")


@pytest.mark.parametrize(("good", "verdict"), [(True, "good"), (False, "bad")])
def test_one_judgment_decides_quality(good: bool, verdict: str) -> None:
    assert verdicts.decide_quality([]) is None
    assert name(verdicts.decide_quality([QualityAnswer(good)])) == verdict


@pytest.mark.parametrize(
    ("votes", "verdict"),
    [
        ("", OPEN),
        ("n", "incomplete"),
        ("y", OPEN),
        ("yy", "complete"),
        ("yn", OPEN),
        ("yny", "complete"),
        ("ynn", "incomplete"),
    ],
)
def test_a_first_no_sends_back_and_a_first_yes_needs_a_second_or_a_third(
    votes: str, verdict: str | None
) -> None:
    answers = [CoverageAnswer(vote == "y") for vote in votes]
    assert name(verdicts.decide_coverage(answers)) == verdict


RULES: list[tuple[Decide, list[Answer], int]] = [
    (once, links("yn"), 1),
    (best_of_three, links("yn"), 3),
    (verdicts.decide_verification, [VerificationAnswer(True), VerificationAnswer(False)], 1),
    (verdicts.decide_requirement, [RequirementAnswer(kind) for kind in Requirement], 3),
    (verdicts.decide_drawing, [DrawingAnswer(BOX), DrawingAnswer(None)], 1),
    (verdicts.decide_quality, [QualityAnswer(True), QualityAnswer(False)], 1),
    (verdicts.decide_coverage, [CoverageAnswer(True), CoverageAnswer(False)], 3),
]


@given(st.sampled_from(RULES), st.data())
def test_an_item_is_decided_by_its_last_judgment_at_the_latest_and_stays_so(
    rule: tuple[Decide, list[Answer], int], data: st.DataObject
) -> None:
    decide, possible, enough = rule
    answers = data.draw(st.lists(st.sampled_from(possible), max_size=6))
    verdicts = [decide(answers[:count]) for count in range(len(answers) + 1)]
    assert verdicts[0] is None
    assert all(verdict is not None for verdict in verdicts[enough:])
    decided = [verdict for verdict in verdicts if verdict is not None]
    assert len(set(decided)) <= 1, "a later judgment changed the verdict"
    assert verdicts == sorted(verdicts, key=lambda v: v is not None)


@given(st.lists(st.sampled_from(Requirement), min_size=2, max_size=3))
def test_a_counted_drawing_judgment_never_needs_more_than_two_more(kinds: list[Requirement]) -> None:
    answers: list[Answer] = [DrawingAnswer(None), *map(RequirementAnswer, kinds)]
    assert verdicts.decide_requirement(answers) is not None


def test_most_judgments_of_a_link_say_what_it_is_and_a_tie_says_nothing() -> None:
    said = {
        votes: verdicts.most_said_link([LinkAnswer(same) for same in votes])
        for votes in ((True,), (True, False), (False, True, False), (True, True, False, True))
    }
    assert [verdict.name if verdict else None for verdict in said.values()] == [
        *("same", None, "different", "same")
    ]
