"""A prior: how likely two mentions are the same thing by their words, and how often workers err about it.

It is plain numbers: a weight for each feature of a pair, and for pairs of head nouns how much they speak for
one thing. A prior may also say what a model's scores of pairs add to the words; it names the set of
suggestions that has them. `to_json` and `from_json` keep it as it was fitted. What a batch has pinned must
always be read in the same way, so a change of what the numbers mean needs another format, and the code for
the earlier one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import exp, fsum, log
from typing import Any

from annotation.domain.mentions import Mention
from annotation.domain.types import TYPES
from workflows.priors.domain.words import FEATURES, compare, words_of

FORMAT, SCORED = 1, 2
"""The formats of a prior of words alone, and of one to which scores are added."""
INTERCEPT, HEADS = "intercept", "heads"
NAMES = (INTERCEPT, *FEATURES, HEADS, *(f"type.{kind}" for kind in TYPES))
"""The names of all weights. Types of a project's own, if its mentions have any, have weights as well."""
SUREST = 6.0
"""The largest log odds, either way, before anybody is asked [ours]: 99.75%."""


@dataclass(frozen=True, slots=True)
class TextPrior:
    """A logistic regression on what the words of two mentions have in common."""

    weights: Mapping[str, float]
    heads: Mapping[str, float]  # by `heads_key`; pairs of nouns that were too rare have none

    def log_odds(self, a: Mention, b: Mention) -> float:
        """Return the log odds that two mentions of different captions are the same thing."""
        # `sum` adds in another way since Python 3.12, and a replay must find the same questions.
        total = fsum(self.weights.get(name, 0.0) * value for name, value in self.features(a, b).items())
        return max(-SUREST, min(SUREST, round(total, 9)))

    def features(self, a: Mention, b: Mention) -> dict[str, float]:
        """Return the features of a pair by the names of their weights."""
        one, other = words_of(a.text), words_of(b.text)
        known = self.heads.get(heads_key(one.head, other.head), 0.0)
        return {**features_of(a, b), HEADS: known}


def features_of(a: Mention, b: Mention) -> dict[str, float]:
    """Return the features that a pair has by itself."""
    found = {INTERCEPT: 1.0, **compare(words_of(a.text), words_of(b.text))}
    for kind in a.types:
        if kind in b.types:
            found[f"type.{kind}"] = 1.0
    return found


def heads_key(one: str, other: str) -> str:
    """Return the key of a pair of head nouns, in either order."""
    return f"{one}|{other}" if one <= other else f"{other}|{one}"


MISSED, INVENTED = 0.0470, 0.0492
"""How often a single answer in the paper missed that two mentions are the same thing, and how often it found
one thing where there are two: the error rates of `exhaustive` in table 2."""


@dataclass(frozen=True, slots=True)
class ErrorRates:
    """How often a single answer about a link is wrong."""

    missed: float = MISSED  # "different", although it is the same thing
    invented: float = INVENTED  # "same", although there are two things

    @property
    def for_yes(self) -> float:
        """Return how much a *same* adds to the log odds."""
        return log((1 - self.missed) / self.invented)

    @property
    def for_no(self) -> float:
        """Return how much a *different* adds to the log odds. It is negative."""
        return log(self.missed / (1 - self.invented))


QUESTIONS_OF_THE_PAPER = 200
"""How many answers the paper's error rates count for, beside those of a project."""


@dataclass(frozen=True, slots=True)
class LinkAnswers:
    """Answers to verification questions about links: how many there are, and how many are wrong."""

    same: int = 0  # whose right answer is *same*
    missed: int = 0
    different: int = 0
    invented: int = 0


def error_rates(answers: LinkAnswers) -> ErrorRates:
    """Return how often answers are wrong, between the paper's rates and those of the project's answers.

    The paper's count for QUESTIONS_OF_THE_PAPER answers of each kind, so that few answers change little.
    """

    def rate(wrong: int, asked: int, paper: float) -> float:
        return round((wrong + paper * QUESTIONS_OF_THE_PAPER) / (asked + QUESTIONS_OF_THE_PAPER), 6)

    return ErrorRates(
        missed=rate(answers.missed, answers.same, MISSED),
        invented=rate(answers.invented, answers.different, INVENTED),
    )


class TooFewPairsError(ValueError):
    """The captions have too few pairs of mentions to fit a prior to."""


class ScoresError(ValueError):
    """What a model's scores add cannot be fitted. The message says why, and what to do."""


PairScores = Mapping[tuple[int, int], float]
"""A model's scores of pairs of mentions, by `pair_key`."""


def pair_key(a: int, b: int) -> tuple[int, int]:
    """Return the key of a pair of mentions (ids), in either order."""
    return (a, b) if a < b else (b, a)


@dataclass(frozen=True, slots=True)
class ScoreWeights:
    """What a model's score of a pair adds to the log odds that its words give: `added + times x score`."""

    set: int  # the number of the project's set of suggestions that has the scores
    added: float
    times: float  # at least 0: a higher score never makes a pair less likely the same thing


@dataclass(frozen=True, slots=True)
class Prior:
    """Everything that a batch pins.

    The scores of the pairs themselves are no part of its JSON. They are in the set, which never changes.
    """

    text: TextPrior
    errors: ErrorRates = field(default_factory=ErrorRates)
    scores: ScoreWeights | None = None
    of_pairs: PairScores = field(default_factory=dict)

    def log_odds(self, a: Mention, b: Mention) -> float:
        """Return the log odds that two mentions of different captions are the same thing."""
        return self.with_score(self.text.log_odds(a, b), a, b)

    def with_score(self, text: float, a: Mention, b: Mention) -> float:
        """Return the log odds of a pair whose words give `text`. Without a score, it keeps these."""
        score = self.of_pairs.get(pair_key(a.id, b.id))
        if self.scores is None or score is None:
            return text
        total = text + self.scores.added + self.scores.times * score
        return max(-SUREST, min(SUREST, round(total, 9)))

    def to_json(self) -> dict[str, Any]:
        """Return the prior as plain JSON values."""
        data = {
            "format": FORMAT,
            "weights": dict(self.text.weights),
            "heads": dict(self.text.heads),
            "errors": {"missed": self.errors.missed, "invented": self.errors.invented},
        }
        return data if self.scores is None else {**data, "format": SCORED, "scores": asdict(self.scores)}


def from_json(data: Mapping[str, Any]) -> Prior:
    """Return what `to_json` wrote, without scores of pairs. Raises ValueError for another format."""
    if data.get("format") not in (FORMAT, SCORED):
        raise ValueError(
            f"a prior of the format {data.get('format')!r} cannot be read, only {FORMAT} and {SCORED}"
        )
    scores = ScoreWeights(**data["scores"]) if data["format"] == SCORED else None
    return Prior(TextPrior(data["weights"], data["heads"]), ErrorRates(**data["errors"]), scores)


def probability(log_odds: float) -> float:
    """Return the probability that has these log odds."""
    if log_odds < 0:
        return exp(log_odds) / (1 + exp(log_odds))
    return 1 / (1 + exp(-log_odds))
