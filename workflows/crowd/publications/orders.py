"""What a publication says on a platform: the order that is placed for it there."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from types import MappingProxyType

from django.conf import settings as configured

from annotation.domain.answers import CampaignStage, JointStage, Stage
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.models import Publication
from workflows.money.domain.wage_floor import page_time
from workflows.platforms.provider import Money, Order, Requirements

TITLES: Mapping[str, str] = MappingProxyType(
    {
        Stage.LINK: "Do two phrases about a photograph mean the same thing?",
        Stage.VERIFICATION: "Do these phrases about a photograph all mean the same thing?",
        Stage.REQUIREMENT: "Can a box be drawn around it in the photograph?",
        Stage.DRAWING: "Draw a box around what a phrase means in a photograph",
        Stage.QUALITY: "Is this box in a photograph drawn well?",
        Stage.COVERAGE: "Do the boxes in a photograph cover all that a phrase means?",
        JointStage.BOXES: "Draw boxes around everything that a phrase means in a photograph",
        JointStage.CHECK: "Are these boxes in a photograph drawn well, and is one missing?",
        CampaignStage.WRITING: "Describe what a photograph shows in a sentence",
        CampaignStage.CAPTION_CHECK: "Does a sentence describe what a photograph shows?",
        CampaignStage.GRADING: "How well does a sentence describe a photograph?",
        CampaignStage.RELEVANCE: "Which of these sentences describe a photograph?",
    }
)
"""The titles of tasks whose batch has none in its settings."""

MIN_WORK_SECONDS = 3600
"""A worker has at least this long for a place: nobody should lose a place to a telephone call [ours]."""


def work_seconds(settings: BatchSettings, pages: int) -> int:
    """Return how many seconds a worker has from taking a place to submitting the last of its pages."""
    return max(settings.lease_seconds * pages, MIN_WORK_SECONDS)


def order_of(
    publication: Publication, *, holding: tuple[str, ...] = (), lacking: tuple[str, ...] = ()
) -> Order:
    """Return the order that asks a platform for this publication.

    `holding` and `lacking` are the platform's ids of our qualifications that a worker must have, and must
    not have. What was fixed when the publication was planned comes from its row, so that asking again asks
    for the same. The publication's batch and project should be loaded with it.
    """
    batch, stage = publication.batch, publication.stage
    settings = settings_of(batch)
    crowd, items = settings.crowd, settings.items_a_page[stage]
    pages = publication.pages
    title = crowd.title or TITLES[stage]
    contents = f"A page of {items} questions." if pages == 1 else f"{pages} pages of {items} questions each."
    return Order(
        token=publication.token,
        annotation=f"{batch.project.name[:100]}, {batch.name}, {stage}",
        url=f"{configured.SITE}/work/crowd/{stage}/{publication.token}/",
        title=title,
        description=crowd.description or f"{title} {contents}",
        keywords=crowd.words,
        reward=Money(publication.reward, publication.currency),
        places=publication.places,
        work_seconds=publication.work_seconds,
        # The paper's time. What the batch's pages have taken so far changes from one call to the next.
        typical_seconds=ceil(pages * page_time((), stage=stage, items=items).seconds),
        lifetime_seconds=round((publication.expires_at - publication.created_at).total_seconds()),
        approval_seconds=crowd.approval_seconds,
        screen_out=publication.screen_out,
        screen_outs=publication.screen_outs,
        requirements=Requirements(
            completed=settings.screening.completed,
            approval=settings.screening.approval,
            locales=crowd.countries,
            masters=crowd.masters,
            holding=holding,
            lacking=lacking,
        ),
    )
