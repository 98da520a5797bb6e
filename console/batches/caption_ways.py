"""The way to verification questions of campaigns about captions: they are made of captions that are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.domain.answers import CampaignStage
from annotation.domain.protocols import Campaign
from annotation.models import Batch
from console.common.labels import STAGES
from workflows.batch_settings.selectors import settings_of
from workflows.batches.campaign_questions import images_to_take_out
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
