"""What a page has shown with its items and questions, as far as answers refer to it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from annotation.domain.answers import CampaignStage
from annotation.domain.page_entries import ITEM, QUESTION
from annotation.domain.suggested import SuggestedBox
from annotation.models import Assignment, Item, VerificationQuestion
from workflows.assignments.replies import Entry
from workflows.batch_settings.domain.settings import shows_suggestions
from workflows.batch_settings.selectors import settings_of
from workflows.suggestions.selectors import Subject, suggested_to

Suggested = dict[Entry, list[SuggestedBox]]
"""The boxes that are shown with each entry of a page. Entries that cannot have any are left out."""


def captions_shown(assignment: Assignment, questions: Mapping[int, VerificationQuestion]) -> dict[Entry, int]:
    """Return how many captions each entry of a page of `relevance` shows. Other answers need no number."""
    if assignment.stage != CampaignStage.RELEVANCE:
        return {}
    items = Item.objects.filter(pk__in=assignment.items).values_list("pk", "captions")
    shown: dict[Entry, int] = {(ITEM, pk): len(captions) for pk, captions in items}
    return shown | {(QUESTION, pk): len(question.captions) for pk, question in questions.items()}


def suggested_on(assignment: Assignment, asked: Collection[int]) -> Suggested:
    """Return the boxes that the page was shown with. `asked` are the ids of its verification questions.

    Sets and the settings that matter never change, so that they are the same as when it was claimed. Whether
    suggestions were switched off then is stored with the page. Three queries, and none if it shows none.
    """
    settings = settings_of(assignment.batch)
    if assignment.unaided or not shows_suggestions(assignment.stage, settings):
        return {}
    items = Item.objects.filter(pk__in=assignment.items).values_list(
        "pk", "chain__representative_id", "work__image_id", "work__image__split", "shown"
    )
    questions = VerificationQuestion.objects.filter(pk__in=asked).values_list(
        "pk", "mentions", "image_id", "image__split", "boxes"
    )
    subjects: dict[Entry, Subject] = {
        (ITEM, pk): Subject(mention, image, split, bool(shown)) for pk, mention, image, split, shown in items
    }
    subjects |= {
        (QUESTION, pk): Subject(mentions[0], image, split, bool(boxes))
        for pk, mentions, image, split, boxes in questions
    }
    return suggested_to(subjects, project_id=assignment.batch.project_id, settings=settings)
