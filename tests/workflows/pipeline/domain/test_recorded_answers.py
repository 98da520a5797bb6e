"""Link strategies are played on answers that were recorded before."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.mentions import Mention, admissible, reading_order
from tests.workflows.pipeline.domain.image_builder import ids, images
from workflows.pipeline.domain.link_strategies import ANSWERS, STRATEGIES, ImageLinks, every_pair
from workflows.pipeline.domain.recorded_answers import TooFewAnswersError, play_recorded

THREE = [Mention(number, number, 0, 1, "a man", ("people",)) for number in (1, 2, 3)]
YES, NO = (True,) * ANSWERS, (False,) * ANSWERS
NAMES = [name for name in STRATEGIES if name != "every_pair"]


def test_one_pair_that_most_workers_get_wrong_joins_no_two_chains() -> None:
    four = [Mention(number, number, 0, 1, "a man", ("people",)) for number in (1, 2, 3, 4)]
    votes = {(a, b): YES if (a, b) in ((1, 2), (3, 4)) else NO for a, b in combinations((1, 2, 3, 4), 2)}
    assert ids(play_recorded(every_pair, four, votes | {(2, 3): YES}).chains) == [[1, 2], [3, 4]]
    much = votes | {(1, 3): YES, (2, 3): YES, (2, 4): (True, True, True, False, False)}
    assert ids(play_recorded(every_pair, four, much).chains) == [[1, 2, 3, 4]]


def test_two_mentions_of_a_caption_count_as_different() -> None:
    found = [
        Mention(number, caption, number, number + 1, "a man", ("people",))
        for number, caption in enumerate((1, 1, 2))
    ]
    votes = {(0, 2): YES, (1, 2): (True, True, True, True, False)}
    assert ids(play_recorded(every_pair, found, votes).chains) == [[0, 2], [1]]


def test_every_pair_asks_five_workers_and_joins_what_most_of_them_join() -> None:
    votes = {(1, 2): (False, False, True, True, True), (1, 3): NO, (2, 3): (True, True, False, False, False)}
    played = play_recorded(every_pair, THREE, votes)
    assert ids(played.chains) == [[1, 2], [3]]
    assert played.questions == 3 * ANSWERS
    assert {pair: link.votes for pair, link in played.answers.items()} == votes


def test_a_strategy_gets_the_first_answers_in_their_order() -> None:
    votes = {(1, 2): (True, *NO[1:]), (1, 3): (True, *NO[1:]), (2, 3): (False, *YES[1:])}
    exhaustive = play_recorded(STRATEGIES["exhaustive"]["triangles"], THREE, votes)
    assert ids(exhaustive.chains) == [[1, 2, 3]] and exhaustive.questions == 3
    # Two workers more are asked about each link of the triangle, since the second one disagrees.
    plus = play_recorded(STRATEGIES["exhaustive_plus"]["triangles"], THREE, votes)
    assert plus.questions == 3 + 3 * 2
    assert {pair: link.settled for pair, link in plus.answers.items()} == {
        (1, 2): False,
        (1, 3): False,
        (2, 3): True,
    }
    assert ids(plus.chains) == [[1], [2, 3]]


def test_too_few_answers_are_said() -> None:
    votes = dict.fromkeys(((1, 2), (1, 3), (2, 3)), (True,))
    assert play_recorded(STRATEGIES["exhaustive"]["triangles"], THREE, votes).questions == 3
    with pytest.raises(TooFewAnswersError, match=r"\(1, 2\) has 1 answers"):
        play_recorded(every_pair, THREE, votes)


@given(st.sampled_from(NAMES), images(), st.data())
def test_no_strategy_asks_more_than_every_pair_answers(
    name: str, found: list[Mention], data: st.DataObject
) -> None:
    pairs = [(a.id, b.id) for a, b in combinations(reading_order(found), 2) if admissible(a, b)]
    votes = {
        pair: data.draw(st.lists(st.booleans(), min_size=ANSWERS, max_size=ANSWERS), label=str(pair))
        for pair in pairs
    }
    for settle in ("triangles", "cycles"):
        played = play_recorded(STRATEGIES[name][settle], found, votes)
        assert sorted(one for chain in ids(played.chains) for one in chain) == sorted(m.id for m in found)
        assert len(played.answers) <= played.questions <= ANSWERS * len(pairs)
        for pair, link in played.answers.items():
            assert list(link.votes) == votes[pair][: len(link.votes)]
    step = STRATEGIES[name]["triangles"](ImageLinks(found, {}))
    assert step.asks == bool(pairs)
