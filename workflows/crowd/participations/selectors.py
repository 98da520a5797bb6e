"""Reads of the pages that a place has: the latest one, which may be in hand, and those before it."""

from __future__ import annotations

from django.db.models import F, Q, QuerySet

from annotation.models import Assignment
from workflows.workers.models import Participation

COMPLETE = Q(assignment__receipt__isnull=False) & (
    Q(ended_early=True) | Q(page_number__gte=F("publication__pages"))
)
"""Places whose pages are all handed in."""


def is_complete(participation: Participation) -> bool:
    """Return whether all pages of the place are handed in."""
    page = participation.assignment
    whole = participation.ended_early or participation.page_number >= participation.publication.pages
    return whole and page is not None and page.receipt is not None


def pages_done(participation: Participation) -> int:
    """Return how many pages of the place are handed in."""
    page = participation.assignment
    in_hand = page is None or page.receipt is None
    return participation.page_number - in_hand


def pages_of(participation: Participation) -> QuerySet[Assignment]:
    """Return the pages of a place, the first one first."""
    # Their keys are read first: a condition on both relations would look at every page there is.
    latest = participation.assignment_id
    pages = [] if latest is None else [latest]
    if participation.page_number > 1:
        pages += participation.earlier_pages.values_list("pk", flat=True)
    return Assignment.objects.filter(pk__in=pages).order_by("created_at", "pk")


def has_answers(participation: Participation) -> bool:
    """Return whether the answers of any page of the place are in."""
    return pages_of(participation).filter(state=Assignment.State.SUBMITTED).exists()


def has_held_answers(participation: Participation) -> bool:
    """Return whether answers of the place wait to be confirmed, or were a stranger's."""
    return pages_of(participation).filter(held__isnull=False).exists()
