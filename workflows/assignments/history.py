"""Reads which images a worker was shown: on pages of all stages and batches, whatever became of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import orjson
from django.db import connection

from workflows.assignments.domain import Sighting, sightings

HISTORY_PAGES = 500
"""How many of a worker's latest pages count for how often an image was seen.

A claim reads them all. The index `assignment_of_worker` has them in their order."""

LATELY_PAGES = 100
"""How many of them count for which items come first.

If all counted, all images would be seen equally often. Then there is hardly ever a question that goes with
them."""

# By hand, since Django would convert the columns of each row one by one, which takes several times as long.
_NEWEST = """
SELECT stage, images, checks FROM annotation_assignment
WHERE worker_id = %s ORDER BY created_at DESC LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class History:
    """What a worker was shown on pages, the newest page first."""

    pages: Sequence[tuple[str, Sequence[int]]]  # stage, images
    asked: Mapping[int, int]  # image -> how often with a verification question

    @property
    def lately(self) -> History:
        """Return what the worker was shown on the newest LATELY_PAGES."""
        return replace(self, pages=self.pages[:LATELY_PAGES])

    def sightings(self, stage: str, *, among: Collection[int]) -> dict[int, Sighting]:
        """Return how often and when the worker, who gets a page of `stage`, saw those of these images."""
        return sightings(self.pages, stage, among=among)


def history_of(worker_id: int) -> History:
    """Return what the worker was shown. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST, [worker_id, HISTORY_PAGES])
        rows = cursor.fetchall()
    stages = [stage for stage, _, _ in rows]
    # All pages at once: to parse them one by one takes longer.
    images = orjson.loads(f"[{','.join(shown for _, shown, _ in rows)}]")
    checks = orjson.loads(f"[{','.join(placed for _, _, placed in rows)}]")
    asked = Counter(shown[place] for shown, placed in zip(images, checks, strict=True) for place, _ in placed)
    return History(list(zip(stages, images, strict=True)), asked)
