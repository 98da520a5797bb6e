"""What an image takes of people and of a model that judges: without it, in the shadow, and if it counts.

The figures are expectations with full pages, without entrances. A model in the shadow answers everything,
and changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.domain.answers import JointStage
from workflows.batch_settings.domain.paper import VERIFIED
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.domain.forecast import MAX_FAILING
from workflows.batches.domain.image_work import Drawn, Model
from workflows.batches.domain.judge_course import Judging, KindOfBox, Said, bad_boxes
from workflows.batches.domain.knowledge import Knowledge
from workflows.batches.domain.link_work import ImageShape
from workflows.judges.domain.gate import Record, weight_of
from workflows.judges.domain.kinds import PEOPLE
from workflows.money.domain.model_calls import CALLS_PER_BLOCK
from workflows.questions.domain.supply import question_share


@dataclass(frozen=True, slots=True)
class Way:
    """What an image takes on average. Money is in smallest units of the batch's currency."""

    seconds: float  # of people
    people: float  # pay and fees
    model: float


@dataclass(frozen=True, slots=True)
class Ways:
    """An image without a judge, with one that counts nothing, and with one whose answers count."""

    off: Way
    shadow: Way
    counts: Way


def judging_of(record: Record, mix: Mapping[str, float], *, drawn_bad: float, share: float) -> Judging:
    """Return what a model is expected to say by the lower bounds of its record.

    `mix` are the shares of new boxes by kind, and `drawn_bad` is how many of those that workers draw are bad;
    of boxes that a model suggested, the record says it. `share` is that of the items where its answers may
    count.
    """
    return Judging(
        share,
        tuple(
            KindOfBox(
                kind,
                part,
                1 - record.rates[kind].prior.value if kind != PEOPLE and kind in record.rates else drawn_bad,
            )
            for kind, part in sorted(mix.items())
        ),
        tuple(
            (
                kind,
                Said(
                    record.rates[kind].sensitivity.low,
                    record.rates[kind].specificity.low,
                    weight_of(record.rates[kind], kind, yes=True),
                    weight_of(record.rates[kind], kind, yes=False),
                ),
            )
            for kind in sorted(record.open)
        ),
    )


def ways_of(
    sample: Sequence[ImageShape],
    settings: BatchSettings,
    judging: Judging,
    *,
    knowledge: Knowledge,
    prices: Mapping[str, float],
) -> Ways:
    """Return what an image like those of `sample` takes, each way.

    `prices` say what a page of each stage costs altogether. The boxes are equally good each way.
    """
    bad = bad_boxes(judging.boxes)
    found = []
    for judge in (None, judging):
        model = Model(
            sample,
            settings,
            bad=bad,
            without=knowledge.without,
            several=knowledge.several,
            judging=judge,
        )
        taken = model.taken(Drawn(broken=1 - VERIFIED))
        seconds = people = 0.0
        for stage, one in taken.items():
            answers = one.judgments / (1 - question_share(settings, stage))
            if settings.regime[stage] == Regime.VERIFICATION:
                answers /= 1 - _rejected(knowledge, stage)
            seconds += answers * knowledge.stages[stage].seconds
            people += answers / settings.items_a_page[stage] * prices[stage]
        asked = taken[JointStage.CHECK].items if JointStage.CHECK in taken else 0.0
        found.append(Way(seconds, people, asked * settings.judge.price / CALLS_PER_BLOCK))
    off, counts = found
    return Ways(Way(off.seconds, off.people, 0.0), off, counts)


def _rejected(knowledge: Knowledge, stage: str) -> float:
    """Return the share of pages that are rejected on average, as `forecast` draws it."""
    known = knowledge.stages[stage]
    return known.rejected if known.own else MAX_FAILING / 2 * known.rejected
