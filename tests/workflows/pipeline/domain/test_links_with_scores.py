"""`posterior` with a model's scores: they say what is asked first, and workers what is joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.mentions import Mention
from tests.workflows.pipeline.domain.image_builder import images, mention
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain.link_courses import CERTAINTIES, MAX_TIMES, play, posterior
from workflows.pipeline.domain.link_strategies import ImageLinks, components, strategy_of
from workflows.priors.domain.prior import ErrorRates, Prior, ScoreWeights, TextPrior, pair_key

Pair = tuple[int, int]
SCORED = Prior(TextPrior({}, {}), scores=ScoreWeights(1, 0.0, 1.0))
"""Words say nothing, and a score is what it adds to the log odds."""
SURE = 99.0
NOISY = ErrorRates(0.45, 0.45)
"""Answers so bad that four of them weigh less than a sure score."""


def people(number: int) -> list[Mention]:
    """Return mentions with the same words, one a caption."""
    return [mention(n, n, "people", "a man") for n in range(number)]


def ask(
    prior: Prior, mentions: Sequence[Mention], yes: Mapping[Pair, bool], certainty: str = "careful"
) -> tuple[list[Pair], list[list[int]]]:
    """Let workers say *same* of these pairs. Return the pairs as they were asked, and the chains."""
    course = posterior(prior, CERTAINTIES[certainty], human_yes=True)
    votes: dict[Pair, list[bool]] = {}
    asked: list[Pair] = []
    while True:
        pairs, chains = play(mentions, votes, course)
        if not pairs:
            return asked, [[m.id for m in chain] for chain in chains]
        for pair in pairs:
            asked.append(pair)
            votes.setdefault(pair, []).append(yes.get(pair_key(*pair), False))


def with_pairs(scores: Mapping[Pair, float], errors: ErrorRates | None = None) -> Prior:
    return replace(SCORED, of_pairs=scores, errors=errors or ErrorRates())


def test_no_score_alone_joins_two_mentions() -> None:
    sure = with_pairs({(0, 1): SURE})
    assert ask(sure, people(2), {(0, 1): True}) == ([(0, 1)], [[0, 1]])
    asked, chains = ask(sure, people(2), {})
    assert set(asked) == {(0, 1)} and chains == [[0], [1]]


def test_a_join_that_nobody_confirms_comes_apart_when_it_has_been_asked_to_the_end() -> None:
    """Nothing else would take it apart: the score outweighs all answers."""
    asked, chains = ask(with_pairs({(0, 1): SURE}, NOISY), people(2), {})
    assert (asked, chains) == ([(0, 1)] * MAX_TIMES, [[0], [1]])


def test_two_chains_that_workers_confirmed_are_not_joined_by_scores() -> None:
    every = {pair_key(a, b): SURE for a in range(4) for b in range(a)}
    confirmed = {(0, 1): True, (2, 3): True}
    for errors in (None, NOISY):
        asked, chains = ask(with_pairs(every, errors), people(4), confirmed)
        assert sorted(chains) == [[0, 1], [2, 3]]
        assert {(0, 2), (0, 3), (1, 2), (1, 3)} & set(asked), "somebody was asked whether they are one"
    asked, chains = ask(with_pairs(every), people(4), dict.fromkeys(every, True))
    assert (len(asked), chains) == (3, [[0, 1, 2, 3]]), "no answer more than it takes"


def test_somebody_is_asked_whether_two_confirmed_chains_are_one() -> None:
    """Each mention has a *yes* within its own chain, and scores make everything certain enough."""
    scores = {pair_key(a, b): 5.0 for a in range(4) for b in range(a)} | {(0, 1): 5.9, (2, 3): 5.9}
    asked, chains = ask(with_pairs(scores), people(4), dict.fromkeys(scores, True))
    assert (len(asked), chains) == (3, [[0, 1, 2, 3]])


def test_a_score_is_of_two_mentions_and_not_of_their_words() -> None:
    asked, chains = ask(with_pairs({(0, 1): -SURE, (0, 2): SURE, (1, 2): -SURE}), people(3), {(0, 2): True})
    assert (asked, chains) == ([(0, 2)], [[0, 2], [1]])


def test_a_pair_without_a_score_is_asked_about_as_by_its_words() -> None:
    words = Prior(TextPrior({"intercept": 0.5}, {}))
    scored = replace(words, scores=ScoreWeights(1, 3.0, 1.0))
    for yes in ({}, {(0, 1): True}):
        assert ask(scored, people(2), yes) == ask(words, people(2), yes)


def test_without_a_persons_yes_no_strategy_is_made() -> None:
    settings = BatchSettings(strategy="posterior", human_yes=False)
    with pytest.raises(ValueError, match="a prior with a model's scores needs human_yes"):
        strategy_of(settings, SCORED)
    assert strategy_of(replace(settings, human_yes=True), SCORED)(ImageLinks([], {})).chains == ()
    assert strategy_of(settings, Prior(TextPrior({}, {})))(ImageLinks([], {})).chains == ()


@given(st.data(), images(most=7), st.sampled_from(sorted(CERTAINTIES)), st.booleans())
def test_workers_yeses_hold_every_chain_together(
    data: st.DataObject, mentions: list[Mention], certainty: str, noisy: bool
) -> None:
    pairs = [pair_key(a.id, b.id) for a in mentions for b in mentions if a.id < b.id]
    scores = data.draw(st.dictionaries(st.sampled_from(pairs), st.floats(-9, 9)) if pairs else st.just({}))
    said = data.draw(st.lists(st.booleans(), max_size=40))
    course = posterior(with_pairs(scores, NOISY if noisy else None), CERTAINTIES[certainty], human_yes=True)
    votes: dict[Pair, list[bool]] = {}
    left = iter(said)
    while True:
        pairs_asked, chains = play(mentions, votes, course)
        if not pairs_asked:
            break
        for pair in pairs_asked:
            votes.setdefault(pair, []).append(next(left, False))
    assert all(len(given) <= MAX_TIMES for given in votes.values())
    assert sorted(m.id for chain in chains for m in chain) == sorted(m.id for m in mentions)
    for chain in chains:
        members = {m.id for m in chain}
        yes = [pair for pair, given in votes.items() if any(given) and members.issuperset(pair)]
        assert len(components(chain, yes)) == 1, "a person said yes to each join"
