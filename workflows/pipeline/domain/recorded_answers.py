"""Play a link strategy on answers that were recorded before, as table 2 of the paper compares strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from annotation.domain.answers import LinkAnswer
from annotation.domain.mentions import Mention
from workflows.pipeline.domain.link_strategies import ImageLinks, Link, Pair, Strategy
from workflows.pipeline.domain.verdicts import decide_link


class TooFewAnswersError(LookupError):
    """A strategy asks more workers about a pair than have answered it."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a strategy ends in: its chains, the links that it asked about, and how many answers it used."""

    chains: Sequence[Sequence[Mention]]
    answers: Mapping[Pair, Link]
    questions: int


def play_recorded(
    strategy: Strategy, mentions: Sequence[Mention], votes: Mapping[Pair, Sequence[bool]], *, seed: str = ""
) -> Played:
    """Let the strategy ask until it has its chains. The n-th question about a pair gets its n-th answer.

    `votes` has the answers to each pair, in the order in which they were given. Raises TooFewAnswersError.
    """
    answers: dict[Pair, Link] = {}
    questions = 0
    while True:
        step = strategy(ImageLinks(mentions, answers, seed))
        if not step.asks:
            return Played(step.chains, answers, questions)
        for pair in step.ask:
            answers[pair] = Link(_vote(votes, pair, 0))
        for pair in step.again:
            link = answers[pair]
            answers[pair] = replace(link, later=(*link.later, _vote(votes, pair, len(link.votes))))
        questions += len(step.ask) + len(step.again)
        for pair in step.settle:
            given = [answers[pair].first]
            while (verdict := decide_link([*map(LinkAnswer, given)], settling=True)) is None:
                given.append(_vote(votes, pair, len(given)))
            answers[pair] = replace(answers[pair], settled=verdict.name == "same")
            questions += len(given) - 1


def _vote(votes: Mapping[Pair, Sequence[bool]], pair: Pair, turn: int) -> bool:
    given = votes.get(pair, ())
    if turn >= len(given):
        raise TooFewAnswersError(f"the pair {pair} has {len(given)} answers, and one more is asked for")
    return given[turn]
