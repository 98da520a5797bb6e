"""The chains that most answers about the pairs of an image agree with."""

from __future__ import annotations

from annotation.domain.mentions import Mention
from tests.workflows.pipeline.domain.image_builder import mention
from workflows.pipeline.domain.link_consensus import agreed_chains

YES, MOSTLY, NO = [True] * 5, [True, True, True, False, False], [False] * 5


def chains(mentions: list[Mention], votes: dict[tuple[int, int], list[bool]]) -> list[list[int]]:
    found = agreed_chains(mentions, votes, same_caption=-5)
    return sorted(sorted(one.id for one in chain) for chain in found)


FOUR = [mention(1, 0), mention(2, 1), mention(3, 2), mention(4, 3)]


def test_pairs_that_most_join_are_a_chain() -> None:
    votes = {(1, 2): MOSTLY, (1, 3): NO, (1, 4): NO, (2, 3): NO, (2, 4): NO, (3, 4): YES}
    assert chains(FOUR, votes) == [[1, 2], [3, 4]]


def test_one_pair_does_not_join_two_chains_against_all_others() -> None:
    votes = {(1, 2): YES, (3, 4): YES, (2, 3): MOSTLY, (1, 3): NO, (1, 4): NO, (2, 4): NO}
    assert chains(FOUR, votes) == [[1, 2], [3, 4]]


def test_the_clearest_pair_comes_first() -> None:
    votes = {(1, 2): MOSTLY, (2, 3): YES, (1, 3): NO}
    assert chains(FOUR[:3], votes) == [[1], [2, 3]]


def test_two_mentions_of_one_caption_are_kept_apart_by_a_weak_link() -> None:
    three = [mention(1, 0), mention(2, 0), mention(3, 1)]
    assert chains(three, {(1, 3): MOSTLY, (2, 3): YES}) == [[1], [2, 3]]


def test_a_pair_that_was_never_asked_says_nothing() -> None:
    assert chains(FOUR[:3], {(1, 2): YES, (2, 3): YES}) == [[1, 2, 3]]
