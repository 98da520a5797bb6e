"""Taking pages back, whoever asks for it: a worker, the clock, or the end of a batch."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import F

from annotation.models import Assignment, ImageWork, Item


def lock_works(ids: Sequence[int]) -> None:
    """Lock the image works of these items, in the order of their ids, as every writer but dispatch does."""
    works = Item.objects.filter(pk__in=ids).values("work_id")
    list(
        ImageWork.objects.filter(pk__in=works)
        .order_by("pk")
        .select_for_update(no_key=True)
        .values_list("pk", flat=True)
    )


def release(assignments: Sequence[Assignment], state: Assignment.State) -> None:
    """Let others have the items of these live pages, which become `state`. The pages must be locked."""
    items = [item for assignment in assignments for item in assignment.items]
    lock_works(items)
    for assignment in assignments:
        # Page by page: two pages may hold the same item, and then it is released twice.
        Item.objects.filter(pk__in=assignment.items).update(leased=F("leased") - 1)
    Assignment.objects.filter(pk__in=[a.pk for a in assignments]).update(state=state)
