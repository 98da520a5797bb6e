"""What simulated workers answer, stage by stage, with and without errors."""

import math
import random
from typing import Any

import pytest

from annotation.domain.geometry import Box, iou
from simulation.answers import COVERED, GOOD, answer, uncovered
from simulation.carelessness import always_yes
from simulation.profiles import PAPER, PERFECT, STAGES, ErrorProfile
from simulation.questions import Question
from simulation.truth import KnownChain, Truth

ONE, TWO, ELSEWHERE = Box(10, 10, 110, 210), Box(200, 20, 280, 190), Box(300, 300, 360, 340)
MEN = KnownChain(1, (ONE, TWO))
BEACH = KnownChain(2, (), scene=True)
FUN = KnownChain(3)
BALL = KnownChain(4, (ELSEWHERE,))
TRUTH = Truth(
    {
        7: {
            (0, 0, 7): MEN,
            (1, 0, 9): MEN,
            (0, 20, 29): BEACH,
            (1, 12, 15): FUN,
            (0, 10, 16): BALL,
        }
    }
)
MAN_0, MAN_1, THE_BEACH, SOME_FUN, A_BALL = (0, 0, 7), (1, 0, 9), (0, 20, 29), (1, 12, 15), (0, 10, 16)
UNKNOWN = (4, 0, 3)
SIZE = (640, 480)


def ask(
    stage: str, *mentions: tuple[int, int, int], profile: ErrorProfile = PERFECT, seed: int = 0, **more: Any
) -> Any:
    return answer(stage, Question(7, mentions, SIZE, **more), TRUTH, profile, random.Random(seed))


def always_wrong(stage: str) -> ErrorProfile:
    return ErrorProfile({stage: 1.0})


@pytest.mark.parametrize(
    ("stage", "mentions", "same"),
    [
        ("link", (MAN_0, MAN_1), True),
        ("link", (MAN_0, THE_BEACH), False),
        ("link", (UNKNOWN, MAN_0), False),
        ("link", (UNKNOWN, UNKNOWN), False),
        ("verification", (MAN_0, MAN_1, MAN_1), True),
        ("verification", (MAN_0, MAN_1, A_BALL), False),
    ],
)
def test_mentions_are_the_same_when_they_are_of_one_chain(stage: str, mentions: Any, same: bool) -> None:
    assert ask(stage, *mentions) == {"same": same}
    assert ask(stage, *mentions, profile=always_wrong(stage)) == {"same": not same}


@pytest.mark.parametrize(
    ("mention", "right"), [(MAN_0, "box"), (THE_BEACH, "scene"), (SOME_FUN, "nobox"), (UNKNOWN, "nobox")]
)
def test_requirement_follows_the_flags(mention: Any, right: str) -> None:
    assert ask("requirement", mention) == {"requirement": right}
    wrong = {
        ask("requirement", mention, profile=always_wrong("requirement"), seed=s)["requirement"]
        for s in range(30)
    }
    assert wrong == {"box", "scene", "nobox"} - {right}


def test_one_entity_that_is_not_covered_yet_is_drawn() -> None:
    drawn = {tuple(ask("drawing", MAN_0, seed=seed)["box"]) for seed in range(30)}
    assert drawn == {ONE.edges, TWO.edges}
    assert ask("drawing", MAN_0, shown=(ONE,)) == {"box": list(TWO.edges)}


def test_nothing_is_drawn_once_all_is_covered() -> None:
    assert ask("drawing", MAN_0, shown=(ONE, TWO)) == {"box": None}
    assert ask("drawing", THE_BEACH) == {"box": None}


def test_jitter_stays_within_its_pixels_and_the_image() -> None:
    for seed in range(200):
        box = Box(
            *ask("drawing", MAN_0, shown=(TWO,), profile=ErrorProfile({}, jitter=3.0), seed=seed)["box"]
        )
        assert all(abs(a - b) <= 3 for a, b in zip(box.edges, ONE.edges, strict=True))
        assert iou(box, ONE) >= GOOD


def test_jitter_of_a_small_box_is_small() -> None:
    for seed in range(100):
        box = Box(*ask("drawing", A_BALL, profile=ErrorProfile({}, jitter=30.0), seed=seed)["box"])
        assert iou(box, ELSEWHERE) >= GOOD


def test_drawing_errs_by_sloppy_boxes_wrong_entities_and_stopping_early() -> None:
    kinds = set()
    for seed in range(60):
        edges = ask("drawing", MAN_0, shown=(TWO,), profile=always_wrong("drawing"), seed=seed)["box"]
        if edges is None:
            kinds.add("nothing")
        elif Box(*edges) == ELSEWHERE:
            kinds.add("wrong entity")
        else:
            assert iou(Box(*edges), ONE) < GOOD
            kinds.add("sloppy")
    assert kinds == {"nothing", "wrong entity", "sloppy"}


def test_drawing_errs_by_one_box_too_many() -> None:
    edges = ask("drawing", MAN_0, shown=(ONE, TWO), profile=always_wrong("drawing"))["box"]
    assert Box(*edges) == ELSEWHERE
    alone = Truth({7: {MAN_0: MEN}})
    question = Question(7, (MAN_0,), SIZE, (ONE, TWO))
    box = answer("drawing", question, alone, always_wrong("drawing"), random.Random(1))["box"]
    assert Box(*box).right <= SIZE[0]


@pytest.mark.parametrize("box", [Box(0, 0, 4, 5), Box(636, 476, 640, 480), Box(600, 0, 640, 480)])
def test_every_drawn_box_lies_in_the_image(box: Box) -> None:
    truth = Truth({7: {MAN_0: KnownChain(1, (box,))}})
    for seed in range(100):
        profile = ErrorProfile({"drawing": 0.7}, jitter=9.0)
        edges = answer("drawing", Question(7, (MAN_0,), SIZE), truth, profile, random.Random(seed))["box"]
        if edges is not None:
            drawn = Box(*edges)
            assert (drawn.width >= 3, drawn.height >= 3) == (True, True)
            assert (drawn.right <= SIZE[0], drawn.bottom <= SIZE[1]) == (True, True)


@pytest.mark.parametrize(
    ("box", "shown", "good"),
    [
        (ONE, (), True),
        (Box(14, 14, 110, 210), (TWO,), True),
        (Box(60, 10, 160, 210), (), False),  # loose
        (ELSEWHERE, (), False),  # another entity
        (ONE, (Box(12, 10, 110, 210),), False),  # a duplicate
    ],
)
def test_a_box_is_good_when_tight_round_an_entity_without_one(
    box: Box, shown: tuple[Box, ...], good: bool
) -> None:
    assert ask("quality", MAN_0, box=box, shown=shown) == {"good": good}
    assert ask("quality", MAN_0, box=box, shown=shown, profile=always_wrong("quality")) == {"good": not good}


@pytest.mark.parametrize(
    ("shown", "complete"), [((), False), ((ONE,), False), ((TWO, ONE), True), ((TWO, ONE, ELSEWHERE), True)]
)
def test_coverage_wants_every_true_box(shown: tuple[Box, ...], complete: bool) -> None:
    assert ask("coverage", MAN_0, shown=shown) == {"complete": complete}
    assert ask("coverage", MAN_0, shown=shown, profile=always_wrong("coverage")) == {"complete": not complete}


def test_all_missing_boxes_are_drawn_at_once() -> None:
    assert ask("boxes", MAN_0) == {"boxes": [{"box": list(box.edges)} for box in MEN.boxes]}
    assert ask("boxes", MAN_0, shown=(ONE,)) == {"boxes": [{"box": list(TWO.edges)}]}
    assert ask("boxes", MAN_0, shown=(ONE, TWO)) == {"none": "done"}
    assert ask("boxes", THE_BEACH) == {"none": "scene"}
    assert ask("boxes", SOME_FUN) == {"none": "nobox"}


@pytest.mark.parametrize(
    ("new", "shown", "said", "missing"),
    [
        ((ONE, TWO), (), ["good", "good"], False),
        ((TWO,), (), ["good"], True),
        ((TWO,), (ONE,), ["good"], False),
        ((ONE, ONE), (TWO,), ["good", "double"], False),
        ((ONE,), (ONE, TWO), ["double"], False),
        ((Box(10, 10, 60, 210), TWO), (), ["cut", "good"], False),  # it counts as there
        ((Box(0, 0, 200, 300), TWO), (), ["loose", "good"], False),
        ((ELSEWHERE, TWO), (), ["wrong", "good"], True),
        ((ELSEWHERE,), (ONE, TWO), ["wrong"], False),
        ((), (ONE,), [], True),
    ],
)
def test_a_joint_check_says_what_is_true_of_each_new_box(
    new: tuple[Box, ...], shown: tuple[Box, ...], said: list[str], missing: bool
) -> None:
    given = ask("check", MAN_0, new_boxes=new, shown=shown)
    assert (given["boxes"], given["missing"]) == (said, missing)
    assert ("point" in given) == missing


@pytest.mark.parametrize("stage", ["drawing", "quality", "coverage"])
def test_in_the_joint_stages_people_err_as_in_those_that_they_join(stage: str) -> None:
    """Over 4000 answers, the rate is within four standard deviations."""
    tries, rng, rate = 4000, random.Random(7), PAPER.rate(stage)
    joint = "boxes" if stage == "drawing" else "check"
    question = Question(7, (A_BALL,), SIZE, new_boxes=() if stage == "drawing" else (ELSEWHERE,))
    right = answer(joint, question, TRUTH, PERFECT, rng)
    profile = ErrorProfile({stage: rate})
    wrong = sum(answer(joint, question, TRUTH, profile, rng) != right for _ in range(tries))
    assert abs(wrong - tries * rate) <= 4 * math.sqrt(tries * rate * (1 - rate))


def test_a_mixed_chain_is_answered_for_the_mention_shown() -> None:
    """Because of earlier errors, the chain has a ball's box already. The men still have none."""
    assert ask("coverage", MAN_0, shown=(ELSEWHERE,)) == {"complete": False}
    assert uncovered(MEN, (ELSEWHERE,)) == [ONE, TWO]


LOOSE_ONE = Box(0, 0, 140, 250)


def test_good_suggestions_are_taken_and_the_rest_is_drawn() -> None:
    near = Box(11, 10, 111, 210)
    given = ask("boxes", MAN_0, suggestions=(near, ELSEWHERE, LOOSE_ONE))
    assert given == {"boxes": [{"box": list(near.edges), "suggestion": 0}, {"box": list(TWO.edges)}]}
    assert ask("boxes", THE_BEACH, suggestions=(near,)) == {"none": "scene"}


def test_some_bad_suggestions_are_taken_too_and_their_entity_is_not_drawn_again() -> None:
    profile = ErrorProfile(anchoring=1.0)
    given = ask("boxes", MAN_0, profile=profile, suggestions=(LOOSE_ONE, ELSEWHERE))
    assert [one.get("suggestion") for one in given["boxes"]] == [0, 1, None]
    assert given["boxes"][2]["box"] == list(TWO.edges)
    half = ErrorProfile(anchoring=0.5)
    taken = [
        len(
            [
                one
                for one in ask("boxes", MAN_0, profile=half, suggestions=(ELSEWHERE,), seed=seed)["boxes"]
                if "suggestion" in one
            ]
        )
        for seed in range(400)
    ]
    assert 0.4 < sum(taken) / 400 < 0.6


def test_who_always_says_yes_takes_every_suggestion() -> None:
    question = Question(7, (MAN_0,), SIZE, suggestions=(ONE, ELSEWHERE))
    given = always_yes("boxes", question)
    assert [one["suggestion"] for one in given["boxes"]] == [0, 1]


def test_covered_is_looser_than_good() -> None:
    assert COVERED < GOOD


def test_an_unknown_stage_is_refused() -> None:
    with pytest.raises(ValueError, match="'guess'"):
        ask("guess", MAN_0)


@pytest.mark.parametrize("stage", STAGES)
def test_error_rates_are_those_of_the_profile(stage: str) -> None:
    """Over 4000 answers, the rate is within four standard deviations."""
    tries, rng = 4000, random.Random(99)
    question = Question(
        7, (MAN_0,), SIZE, (TWO,) if stage == "drawing" else (), ONE if stage == "quality" else None
    )
    if stage in ("link", "verification"):
        question = Question(7, (MAN_0, MAN_1), SIZE)
    profile = ErrorProfile(PAPER.rates)
    right = answer(stage, question, TRUTH, PERFECT, rng)
    wrong = sum(answer(stage, question, TRUTH, profile, rng) != right for _ in range(tries))
    rate = PAPER.rate(stage)
    assert abs(wrong - tries * rate) <= 4 * math.sqrt(tries * rate * (1 - rate))


def test_the_same_seed_gives_the_same_answers() -> None:
    one = [ask("drawing", MAN_0, profile=PAPER, seed=s) for s in range(20)]
    assert one == [ask("drawing", MAN_0, profile=PAPER, seed=s) for s in range(20)]


@pytest.mark.parametrize(
    ("rates", "jitter", "named"),
    [({"guess": 0.1}, 0.0, "guess"), ({"link": 1.5}, 0.0, "link"), ({}, -1.0, "jitter")],
)
def test_a_bad_profile_is_refused_by_name(rates: dict[str, float], jitter: float, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        ErrorProfile(rates, jitter)


def test_a_profile_can_be_changed_in_parts() -> None:
    changed = PAPER.changed({"link": 0.5}, jitter=0.0)
    assert (changed.rate("link"), changed.rate("drawing"), changed.jitter) == (
        0.5,
        PAPER.rate("drawing"),
        0.0,
    )
    assert PAPER.changed({}).jitter == PAPER.jitter
