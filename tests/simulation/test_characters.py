"""The characters of simulated workers."""

import random
from collections import Counter
from dataclasses import replace
from statistics import fmean, median, stdev

import pytest

from annotation.domain.geometry import Box
from simulation.characters import AWAKE, CARELESS, MEAN_RATES, Character, Kind, individual, mixed_crowd
from simulation.profiles import PAPER, STAGES
from simulation.questions import Question
from simulation.truth import KnownChain, Truth

TRUTH = Truth({7: {(0, 0, 5): KnownChain(1), (1, 4, 11): KnownChain(1), (2, 0, 3): KnownChain(2)}})
SAME = Question(7, ((0, 0, 5), (1, 4, 11)), (640, 480))
OTHER = Question(7, ((0, 0, 5), (2, 0, 3)), (640, 480))


def share_right(character: Character, given: int, times: int = 2000) -> float:
    rng = random.Random(5)
    right = sum(
        character.answer("link", question, TRUTH, given, rng) == {"same": question is SAME}
        for _ in range(times // 2)
        for question in (SAME, OTHER)
    )
    return right / times


def test_people_s_accuracies_are_spread_around_table_3() -> None:
    rng = random.Random(1)
    people = [individual(rng) for _ in range(2000)]
    for stage in STAGES:
        rates = [person.profile.rate(stage) for person in people]
        assert fmean(rates) == pytest.approx(MEAN_RATES[stage], abs=0.005)
        assert 0.03 < stdev(rates) < 0.08


def test_reviewers_approve_as_many_boxes_as_in_table_3() -> None:
    right, reviewing = 1 - MEAN_RATES["drawing"], 1 - PAPER.rate("quality")
    assert right * reviewing + (1 - right) * (1 - reviewing) == pytest.approx(
        1 - PAPER.rate("drawing"), abs=0.001
    )


def test_somebody_errs_as_often_as_their_profile_says() -> None:
    for seed in range(4):
        person = individual(random.Random(seed))
        assert share_right(person, 0) == pytest.approx(1 - person.profile.rate("link"), abs=0.025)


@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [(Kind.RANDOM, 0.46, 0.54), (Kind.ALWAYS_YES, 0.5, 0.5), (Kind.HASTY, 0.5, 0.7), (Kind.LOOSE, 0.8, 1.0)],
)
def test_careless_workers_are_as_wrong_as_their_kind(kind: Kind, low: float, high: float) -> None:
    assert low <= share_right(individual(random.Random(3), kind), 0) <= high


def test_a_sleeper_is_good_through_the_entrance_and_then_guesses() -> None:
    sleeper = individual(random.Random(4), Kind.SLEEPER)
    assert AWAKE > 30  # docs/protocol.md: the first 30 items are verification questions
    assert share_right(sleeper, AWAKE - 1) > 0.8
    assert share_right(sleeper, AWAKE) == pytest.approx(0.5, abs=0.04)


def test_an_accepting_worker_takes_every_suggestion_and_draws_as_others_do() -> None:
    rng = random.Random(4)
    accepting, honest = individual(rng, Kind.ACCEPTING), individual(rng)
    assert (accepting.profile.anchoring, honest.profile.anchoring) == (1.0, PAPER.anchoring)
    truth = Truth({7: {(0, 0, 5): KnownChain(1, boxes=(Box(0, 0, 100, 100),))}})
    nothing = tuple(Box(left, 300, left + 50, 350) for left in (300, 400, 500))
    question = replace(SAME, mentions=((0, 0, 5),), suggestions=nothing)
    for _ in range(20):
        said = accepting.answer("boxes", question, truth, 0, rng)
        taken = [one["suggestion"] for one in said["boxes"] if "suggestion" in one]
        assert taken == [0, 1, 2]


def test_hasty_workers_are_too_fast_to_have_read() -> None:
    rng = random.Random(6)
    hasty, other = individual(rng, Kind.HASTY), individual(rng)
    slow, fast = ([who.seconds("coverage", 0, rng) for _ in range(500)] for who in (other, hasty))
    assert median(fast) < median(slow) / 5
    assert median(fast) < 2


def test_a_mixed_crowd_has_its_share_of_every_kind_in_random_order() -> None:
    crowd = mixed_crowd(200, 1 / 3, seed=1)
    counts = Counter(character.kind for character in crowd)
    assert counts[Kind.HONEST] == 133
    assert all(counts[kind] in (13, 14) for kind in CARELESS)
    assert len({character.kind for character in crowd[:30]}) > 3
    assert crowd == mixed_crowd(200, 1 / 3, seed=1)
    assert crowd != mixed_crowd(200, 1 / 3, seed=2)


def test_a_share_is_from_0_to_1() -> None:
    assert not any(character.careless for character in mixed_crowd(9, 0, seed=1))
    with pytest.raises(ValueError, match=r"careless is a share from 0 to 1, not 1\.5"):
        mixed_crowd(9, 1.5, seed=1)
