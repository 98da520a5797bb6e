"""What a page says about a prior, from its stored content and report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.models import Batch
from console.common.charts import Chart, bars
from console.common.numbers import say
from workflows.batch_settings.selectors import settings_of
from workflows.priors.domain.prior import HEADS, INTERCEPT
from workflows.priors.domain.words import FEATURES
from workflows.priors.models import PriorVersion

_WEIGHTS: Mapping[str, str] = {
    INTERCEPT: "every pair",
    **FEATURES,
    HEADS: "the value of the pair of head nouns",
}
NOUNS_SHOWN = 12


@dataclass(frozen=True, slots=True)
class PriorRow:
    """A version in the list."""

    version: PriorVersion
    auc: str
    known: str
    batches: list[Batch]

    @property
    def fitted_on(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.version.report["fitted_on"]
        return found


@dataclass(frozen=True, slots=True)
class PriorReport:
    """One version in detail."""

    version: PriorVersion
    images: str
    across: str  # pairs of mentions of different captions
    within: str  # pairs of one caption
    same: str  # the share of the pairs across that is estimated to be the same thing
    known: str  # pairs whose chains are known; empty if there are none
    auc: str
    errors: list[tuple[str, str, str]]  # what goes wrong, how often, and in how many answers that was seen
    calibration: Chart
    scores: str  # what a model's scores add: a sentence; empty for a prior of words alone
    weights: list[tuple[str, str]]
    nouns: list[tuple[str, str]]


def rows_of(versions: Iterable[PriorVersion], batches: Iterable[Batch]) -> list[PriorRow]:
    """Return the versions with the batches that have pinned them."""
    pinned: dict[int, list[Batch]] = defaultdict(list)
    for batch in batches:
        settings = settings_of(batch)
        if settings.needs_prior and settings.prior is not None:
            pinned[settings.prior].append(batch)
    return [
        PriorRow(
            version, _auc(version), say(version.report["known"]["pairs"]), pinned.get(version.number, [])
        )
        for version in versions
    ]


def report_of(version: PriorVersion) -> PriorReport:
    """Return what the page says about a version."""
    content, report = version.content, version.report
    fitted, known = report["fitted_on"], report["known"]["pairs"]
    answers, errors = report["answers"], content["errors"]
    weights = [
        (_WEIGHTS.get(name, f"both are of the type {name.removeprefix('type.')}"), f"{value:+.2f}")
        for name, value in content["weights"].items()
        if abs(value) >= 0.005
    ]
    nouns = sorted(content["heads"].items(), key=lambda one: (-one[1], one[0]))
    different = [one for one in nouns if one[1] > 0 and len(set(one[0].split("|"))) == 2]
    return PriorReport(
        version=version,
        images=say(fitted["images"]),
        across=say(fitted["across"]),
        within=say(fitted["within"]),
        same=say(100 * fitted["same"], "%"),
        known=say(known) if known else "",
        auc=_auc(version),
        errors=[
            ("“different”, although it is the same thing", _rate(errors["missed"]), say(answers["same"])),
            ("“same”, although it is not", _rate(errors["invented"]), say(answers["different"])),
        ],
        calibration=calibration(report["known"]["bins"]),
        scores=_scores(version),
        weights=weights,
        nouns=[(key.replace("|", ", "), f"{value:+.2f}") for key, value in different[:NOUNS_SHOWN]],
    )


def calibration(bins: Iterable[Mapping[str, Any]]) -> Chart:
    """Return the chart that compares what a prior predicts with what is known, by tenths."""
    found = list(bins)
    return bars(
        "Pairs that are the same thing, by what the prior says",
        [f"{say(one['pairs'])} pairs" for one in found],
        {"known": [100 * one["same"] for one in found]},
        unit="%",
        references={"the prior": [100 * one["predicted"] for one in found]},
    )


def _scores(version: PriorVersion) -> str:
    if "scores" not in version.content:
        return ""
    weights, on = version.content["scores"], version.report["scores_fitted_on"]
    return (
        f"To the words it adds a model's scores of pairs, from set {weights['set']}: the log odds of a pair "
        f"grow by {weights['added']:.4g} + {weights['times']:.4g} × its score. These numbers were fitted on "
        f"{say(on['pairs'])} known pairs of {say(on['images'])} images. A batch needs human_yes with it."
    )


def _rate(share: float) -> str:
    return say(100 * share, "%")


def _auc(version: PriorVersion) -> str:
    auc = version.report["known"]["auc"]
    return "–" if auc is None else f"{auc:.2f}"
