"""The rules of agreement of the protocol `entities-fast`: judgments are added as likelihoods.

A judge is right with the accuracy of trusted workers in table 3. A judgment that says *yes* multiplies the
odds of *yes* by accuracy / (1 - accuracy), and one that says *no* divides them by it. So the posterior
depends on how many judges said what, and not on their order. As in `verdicts`, a rule returns None while one
more judgment is needed, and once it has decided, later judgments change nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from annotation.domain.answers import (
    TO_REDRAW,
    Answer,
    BoxesAnswer,
    BoxJudgment,
    CheckAnswer,
    NoBoxes,
    Requirement,
    RequirementAnswer,
    Stage,
)
from workflows.batch_settings.domain.paper import TRUSTED_SCORE
from workflows.pipeline.domain.verdicts import SEALED, Evidence, ModelWeights, Verdict


@dataclass(frozen=True, slots=True)
class Doubt:
    """Between which posteriors one more judge is asked, how many there may be, and how good they are."""

    accuracy: float
    low: float
    high: float
    most: int

    def posterior(self, prior: float, yes: int, no: int, model: float = 0.0) -> float:
        """Return how likely *yes* is after so many judgments. `prior` is between 0 and 1.

        `model` is what a model adds, as log odds.
        """
        odds = prior / (1 - prior) * (self.accuracy / (1 - self.accuracy)) ** (yes - no) * exp(model)
        return odds / (1 + odds)

    def doubts(self, posterior: float) -> bool:
        """Return whether one more judge is asked, if there may be more."""
        return self.low < posterior < self.high


NEEDED = Doubt(TRUSTED_SCORE[Stage.REQUIREMENT], low=0.06, high=0.9, most=5)
GOOD = Doubt(TRUSTED_SCORE[Stage.QUALITY], low=0.2, high=0.9, most=3)
COMPLETE = Doubt(TRUSTED_SCORE[Stage.COVERAGE], low=0.35, high=0.9, most=3)
PRIOR_GOOD = TRUSTED_SCORE[Stage.DRAWING]
"""The share of new boxes that are good: those of trusted workers in table 3."""
PRIOR_COMPLETE = 0.9
"""The share of chains that miss no box after somebody drew all that were missing [ours]."""


def asks_need_first(prior: float) -> bool:
    """Return whether requirement comes before boxes: where its first *no box* settles it [ours].

    Elsewhere a second judgment would be needed. Whoever finds nothing to draw in boxes gives the first one,
    and if there is something to draw, nobody need have been asked.
    """
    return NEEDED.posterior(prior, yes=0, no=1) <= NEEDED.low


def decide_need(answers: Sequence[Answer], prior: float = 0.5) -> Verdict | None:
    """Add judgments to the prior of the chain's types and head noun until the posterior of *box* leaves
    (.06, .9), and five at most; then the likelier one decides. At least one worker is asked here. *None* in
    boxes counts as *no box*, with its reason, if the chain has no box. The flag is the more frequent reason.
    If they tie, it is `nobndbox`.
    """
    yes, asked = 0, False
    reasons: Counter[str] = Counter()
    for answer in answers:
        match answer:
            case RequirementAnswer(Requirement.BOX):
                yes, asked = yes + 1, True
            case RequirementAnswer(reason):
                reasons[reason.value] += 1
                asked = True
            case BoxesAnswer(none=NoBoxes() as reason):
                reasons[reason.value] += 1
            case _:
                continue
        judgments = yes + reasons.total()
        likely = NEEDED.posterior(prior, yes, reasons.total())
        if asked and (judgments >= NEEDED.most or not NEEDED.doubts(likely)):
            if likely > 0.5:
                return Verdict("box")
            scene = reasons[Requirement.SCENE.value] > reasons[Requirement.NOBOX.value]
            return Verdict("no box", flag="scene" if scene else "nobndbox")
    return None


def decide_boxes(answers: Sequence[Answer]) -> Verdict | None:
    """One judgment decides: all boxes that were missing, or a reason why there are none."""
    for answer in answers:
        if isinstance(answer, BoxesAnswer):
            return Verdict("boxes drawn", boxes=answer.boxes) if answer.boxes else Verdict("no further box")
    return None


def decide_check(answers: Sequence[Evidence]) -> Verdict | None:
    """Each judgment is about every new box, and about whether one is missing. One more judge is asked
    while the posterior of a box is in (.2, .9) or that of *complete* in (.35, .9), and three at most; then
    the likelier one decides. A box that is not good is rejected. If it was mostly called loose or cut off,
    its entity needs another one, and the chain is incomplete.

    A model that judges adds to the posteriors, and counts as none of the three. Without a judge it settles
    one thing only: that every new box is good and none is missing. A box is rejected only if a judge called
    it bad, and a chain is incomplete only if a judge said so, or if a judge had its box rejected [ours].
    """
    given = [answer for answer in answers if isinstance(answer, CheckAnswer)]
    model = next((one for one in answers if isinstance(one, ModelWeights) and one != SEALED), None)
    for judges in range(0 if model else 1, len(given) + 1):
        decided = verdict_of_checks(given[:judges], model)
        if decided is not None:
            return decided
    return None


def verdict_of_checks(said: Sequence[CheckAnswer], model: ModelWeights | None) -> Verdict | None:
    """Return the verdict of these judges and the model, or None while one more judge is needed."""
    of_boxes: Sequence[Sequence[BoxJudgment]] = [*zip(*(answer.boxes for answer in said), strict=True)]
    if model and not said:
        of_boxes = [()] * len(model.boxes)
    weights = model.boxes if model else (0.0,) * len(of_boxes)
    good = [
        _Likely(GOOD, PRIOR_GOOD, [one is BoxJudgment.GOOD for one in box], weight)
        for box, weight in zip(of_boxes, weights, strict=True)
    ]
    nothing_missing = [not answer.missing for answer in said]
    complete = _Likely(COMPLETE, PRIOR_COMPLETE, nothing_missing, model.complete if model else 0.0)
    if not said:
        sure = all(one.model > 0 and one.posterior >= one.doubt.high for one in (complete, *good))
        return Verdict("complete", accepted=(True,) * len(good)) if sure else None
    if len(said) < GOOD.most and any(one.undecided for one in (complete, *good)):
        return None
    accepted = tuple(one.holds for one in good)
    redrawn = any(_to_redraw(box) for box, kept in zip(of_boxes, accepted, strict=True) if not kept)
    return Verdict("complete" if complete.holds and not redrawn else "incomplete", accepted=accepted)


class _Likely:
    """How likely one thing is, that judges said *yes* or *no* to and a model gave a weight."""

    def __init__(self, doubt: Doubt, prior: float, votes: Sequence[bool], model: float) -> None:
        self.doubt, self.model = doubt, model
        self.denied = not all(votes)
        self.posterior = doubt.posterior(prior, votes.count(True), votes.count(False), model)

    @property
    def holds(self) -> bool:
        """Whether it is taken for true: a model alone never makes it false."""
        return self.posterior > 0.5 or not self.denied

    @property
    def undecided(self) -> bool:
        return self.doubt.doubts(self.posterior) or (self.posterior <= 0.5 and not self.denied)


def _to_redraw(said: Sequence[BoxJudgment]) -> bool:
    """Return whether a rejected box was around the right entity. If the judges tie, it was."""
    bad = [one for one in said if one is not BoxJudgment.GOOD]
    return 2 * sum(one in TO_REDRAW for one in bad) >= len(bad)
