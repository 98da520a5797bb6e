"""What campaigns about captions lack: questions, made of known captions, and captions that were kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.domain.answers import CampaignStage
from annotation.domain.protocols import Campaign
from annotation.models import Batch, Decision, ImageWork
from console.common.labels import STAGES
from console.common.numbers import say_count
from workflows.batch_settings.selectors import settings_of
from workflows.batches.campaign_questions import images_to_take_out
from workflows.pipeline.models import WrittenCaption
from workflows.pipeline.selectors import short_of_captions
from workflows.questions.domain.caption_questions import MADE_STAGES
from workflows.questions.make_caption_questions import free_for_questions, unasked


@dataclass(frozen=True, slots=True)
class CaptionWays:
    """What is missing to launch a campaign, or for its workers to go on, and what there is to make it of."""

    test: bool  # whether the language test is missing
    stages: list[str]  # the names of those whose questions are made of known captions and are too few
    first: str  # the first stage of which questions are missing, or ""
    free: int  # images that these can be made of
    taken: int  # images of the draft that they are made of besides, since too few are free
    more_images: int  # how many of them, beside what is missing, let workers go on to the end


def caption_ways(
    batch: Batch,
    shortages: Sequence[tuple[str, str, int, int]],
    more_images: int = 0,
) -> CaptionWays | None:
    """Return the way to the questions that are missing, or None for a batch about chains."""
    if settings_of(batch).campaign is Campaign.ENTITIES:
        return None
    missing = dict.fromkeys(stage for stage, *_ in shortages)
    free = free_for_questions(batch.project)
    more_images = min(more_images, unasked(free).count()) if more_images else 0
    return CaptionWays(
        test=CampaignStage.WRITING in missing,
        stages=[STAGES[stage] for stage in missing if stage in MADE_STAGES],
        first=next(iter(missing), ""),
        free=free.count(),
        taken=images_to_take_out(batch),
        more_images=more_images,
    )


@dataclass(frozen=True, slots=True)
class KeptCaptions:
    """How many captions were kept of those that were written, and why others were not."""

    short: int  # photographs that have fewer captions than they were to get
    none: int  # of these, photographs without any
    kept: int
    written: int
    reasons: list[str]  # why the others were not kept, as in "3 were refused by researchers"


def kept_captions(batch: Batch) -> KeptCaptions | None:
    """Return this of a batch that leaves photographs short of captions, or None. At most six queries."""
    if settings_of(batch).campaign is not Campaign.CAPTIONS:
        return None
    short = short_of_captions(ImageWork.objects.filter(batch=batch))
    if not short:
        return None
    rows = WrittenCaption.objects.filter(work__batch=batch).values_list(
        "judgment", "state", "caption__superseded"
    )
    decided = Decision.objects.filter(work__batch=batch, kind=Decision.Kind.WRITTEN)
    rulings = set(decided.values_list("content__judgment", flat=True))
    State = WrittenCaption.State
    why: Counter[str] = Counter()
    for judgment, state, superseded in rows:
        if state == State.ACCEPTED:
            why["withdrawn later" if superseded else ""] += 1
        elif state == State.WITHDRAWN:
            why["set aside with their workers' answers"] += 1
        elif judgment in rulings:
            why["refused by researchers"] += 1
        else:
            why["refused by a second worker"] += 1
    kept = why.pop("", 0)
    return KeptCaptions(
        short=len(short),
        none=sum(not has for has, _ in short.values()),
        kept=kept,
        written=kept + why.total(),
        reasons=[f"{say_count(number, 'was', 'were')} {reason}" for reason, number in why.most_common()],
    )
