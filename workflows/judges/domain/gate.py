"""When a model that judges is believed, and how much its answers then weigh."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import log
from typing import Any

import numpy as np

from annotation.domain.answers import BoxJudgment, CheckAnswer
from workflows.judges.domain.accuracy import Bounded, Rated, Rates, measure, right_people
from workflows.judges.domain.kinds import ABOUT_MISSING, PEOPLE, about_missing, proposers
from workflows.pipeline.domain.joint_verdicts import GOOD, PRIOR_COMPLETE, PRIOR_GOOD
from workflows.pipeline.domain.verdicts import SEALED, ModelWeights

SEALED_SHARE = 0.10
"""So many answers stay sealed for ever: they show whether the model is still as good [ours]."""
MIN_ANSWERS = 100
"""Of each kind, before its gate can open [ours]."""
MIN_ACCURACY = 0.80
"""The lower bound of the accuracy of a kind must be above this. Then a judge of .88 passes in 97% of runs at
1,000 boxes, and one of .80 in 4% [ours]."""
MAX_WEIGHT = log(GOOD.accuracy / (1 - GOOD.accuracy))
"""A model never weighs more than one person."""
MIN_ACCURACY_UNAIDED = 0.90
"""The same for boxes that people draw, where no model proposes boxes that are better: nothing makes up there
for what a judge lets pass. With one of .88, 2.5% of the boxes were wrong instead of 2.1% [ours]."""
MIN_SURPRISE = 10.0
"""The log likelihood ratio at which sealed answers show that a model has become worse. One that stays as it
was reaches it once in e^10 (22,000) answers of a kind at most, on average (Page 1954; Lorden 1971)."""
WORSE = 2.0
"""A model has become worse if it errs so many times as often as before, and more than MIN_ACCURACY allows."""


ALL = "*"
"""In the evidence that a model has become worse: all kinds together."""


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of a model at a time.

    `open` are the kinds of answers that may weigh, and `evidence` is what speaks for each of them having
    become worse (log likelihood ratios, at least 0). `seen` rows had been read. Rows before `since` are set
    aside: they were given before the model became worse.
    """

    rates: Mapping[str, Rates] = field(default_factory=dict)
    open: frozenset[str] = frozenset()
    evidence: Mapping[str, float] = field(default_factory=dict)
    since: int = 0
    seen: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the record as plain JSON values."""
        return {
            "rates": {kind: asdict(one) for kind, one in self.rates.items()},
            "open": sorted(self.open),
            "evidence": dict(self.evidence),
            "since": self.since,
            "seen": self.seen,
        }


NOTHING_KNOWN = Record()


def parse_record(data: Mapping[str, Any]) -> Record:
    """Return the record that `to_json` wrote."""
    rates = {kind: _parse_rates(found) for kind, found in data["rates"].items()}
    return Record(rates, frozenset(data["open"]), data["evidence"], data["since"], data["seen"])


def _parse_rates(data: Mapping[str, Any]) -> Rates:
    read: dict[str, Any] = {
        name: Bounded(**one) if isinstance(one, Mapping) else one for name, one in data.items()
    }
    return Rates(**read)


def renew(before: Record, rows: Sequence[Rated], rng: np.random.Generator) -> Record:
    """Return the record after these rows: all sealed and known answers of the model, in the order given.

    If those that came after `before` show that the model has become worse, its gates close, and what was
    answered so far is set aside. Else gates are open for the kinds that are good enough. Renew often: only
    then is it seen that a model has become worse.
    """
    evidence = add_evidence(before, rows[before.seen :])
    if max(evidence.values(), default=0.0) > MIN_SURPRISE:
        return Record(since=len(rows), seen=len(rows))
    rates = measure(rows[before.since :], rng)
    return Record(rates, _open(rates), evidence, before.since, len(rows))


def _open(rates: Mapping[str, Rates]) -> frozenset[str]:
    """Return the kinds of answers that are good enough to weigh."""
    aided = any(
        rates[kind].sealed >= MIN_ANSWERS and rates[kind].prior.low > PRIOR_GOOD for kind in proposers(rates)
    )
    least = dict.fromkeys(rates, MIN_ACCURACY)
    if not aided:
        least[PEOPLE] = MIN_ACCURACY_UNAIDED
    return frozenset(
        kind for kind, one in rates.items() if one.sealed >= MIN_ANSWERS and one.accuracy.low > least[kind]
    )


def spoiling(rates: Mapping[str, Rates]) -> frozenset[str]:
    """Return the models whose boxes, once people have accepted them, are surely worse than drawn ones.

    Their suggestions save no time, because others must reject them, and some pass. So they should be shown no
    more [ours].
    """
    return frozenset(
        kind
        for kind in proposers(rates)
        if rates[kind].sealed >= MIN_ANSWERS and rates[kind].prior.high < PRIOR_GOOD
    )


def add_evidence(before: Record, rows: Iterable[Rated]) -> dict[str, float]:
    """Add what rows say about whether a model errs more than its record says, in their order (Page's test).

    For each open kind, and for all of these together, the evidence for *worse* against *as before* is added
    up from where it was least. It stays where it is once it is more than MIN_SURPRISE.
    """
    sums = {kind: before.evidence.get(kind, 0.0) for kind in (*sorted(before.open), ALL)}
    for row in rows:
        if row.kind in before.open:
            surprise = _surprise(row, before.rates[row.kind])
            for kind in (row.kind, ALL):
                if sums[kind] <= MIN_SURPRISE:
                    sums[kind] = max(0.0, sums[kind] + surprise)
    return sums


def worse_since(before: Record, rows: Sequence[Rated]) -> int:
    """Return the place of the row from which on a model that has become worse probably was so.

    `rows` are those that its record `before` rests on and that came after it, in the order in which the model
    gave them. It is the likeliest place: the one after which most speaks for *worse* (Page 1954).
    """
    place, told, most = len(rows), 0.0, 0.0
    for at in range(len(rows) - 1, -1, -1):
        if rows[at].kind in before.open:
            told += _surprise(rows[at], before.rates[rows[at].kind])
            if told > most:
                place, most = at, told
    return place


def _surprise(row: Rated, rates: Rates) -> float:
    """Return the log likelihood ratio of *worse* against *as before*, given what people said.

    The truth is as likely as people's judgments and the prior make it.
    """
    right = right_people(row.kind)
    odds = rates.prior.value / (1 - rates.prior.value) * (right / (1 - right)) ** (row.agreed - row.denied)
    good = odds / (1 + odds) if row.truth is None else float(row.truth)
    likely = []
    for worse in (True, False):
        sensitivity, specificity = (
            1 - max(WORSE * (1 - one.value), 1 - MIN_ACCURACY) if worse else one.value
            for one in (rates.sensitivity, rates.specificity)
        )
        says_yes = good * sensitivity + (1 - good) * (1 - specificity)
        likely.append(says_yes if row.yes else 1 - says_yes)
    return log(likely[0] / likely[1])


def stays_sealed(seed: str, image: int, members: Collection[int], visit: int) -> bool:
    """Return whether the answer to a chain's item is sealed for ever.

    It depends on nothing that a replay changes: the batch's seed, the image, the chain's mentions, and the
    number of the item among those of the chain.
    """
    text = json.dumps([seed, image, sorted(members), visit])
    drawn = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return drawn < SEALED_SHARE * 2**64


def weights(record: Record, answer: CheckAnswer, kinds: Sequence[str]) -> ModelWeights:
    """Return what an answer about boxes of these kinds weighs: SEALED unless all of its gates are open.

    Raises ValueError if there are not as many kinds as boxes.
    """
    if len(kinds) != len(answer.boxes):
        raise ValueError(f"{len(kinds)} kinds for {len(answer.boxes)} boxes")
    complete = about_missing(kinds)
    if not {complete, *kinds} <= record.open:
        return SEALED
    boxes = tuple(
        weight_of(record.rates[kind], kind, yes=said is BoxJudgment.GOOD)
        for kind, said in zip(kinds, answer.boxes, strict=True)
    )
    return ModelWeights(boxes, weight_of(record.rates[complete], complete, yes=not answer.missing))


def weight_of(rates: Rates, kind: str, *, yes: bool) -> float:
    """Return the log odds that an answer of this kind adds to the prior that was taken for granted.

    Both rates and the prior are lower bounds, so that a model is believed no more than it has shown.
    """
    taken = PRIOR_COMPLETE if kind in ABOUT_MISSING else PRIOR_GOOD
    sensitivity, specificity = rates.sensitivity.low, rates.specificity.low
    if yes:
        told = max(0.0, log(sensitivity / (1 - specificity)))
    else:
        told = min(0.0, log((1 - sensitivity) / specificity))
    shift = log_odds(rates.prior.low) - log_odds(taken)
    return max(-MAX_WEIGHT, min(MAX_WEIGHT, told + shift))


def log_odds(probability: float) -> float:
    """Return the log odds of a probability between 0 and 1."""
    return log(probability / (1 - probability))
