"""Add the images of a draft in their order, and delete them again, in one statement each.

Creating that many model instances would take seconds, during which SQLite lets nobody else write.
"""

from __future__ import annotations

from collections.abc import Sequence

import orjson
from django.db import connection

from annotation.domain.protocols import Campaign
from annotation.models import Batch, ImageWork
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.models import JudgedPair

_LISTED = {
    "sqlite": "SELECT value AS image, key AS place FROM json_each(%s)",
    "postgresql": "SELECT image::bigint, place FROM json_array_elements_text(%s::json) "
    "WITH ORDINALITY AS listed (image, place)",
}
"""By database: a query of the numbers of a JSON array, each with its place."""


def queue_images(batch: Batch, images: Sequence[int]) -> None:
    """Create the batch's works for these images (ids), in this order, in the caller's transaction."""
    blank = ImageWork(batch=batch, campaign=settings_of(batch).campaign)
    fields = [field for field in ImageWork._meta.concrete_fields if field.name not in ("id", "image")]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    statement = (
        f'INSERT INTO "{ImageWork._meta.db_table}" (image_id, {columns}) '  # noqa: S608  # of names of ours
        f"SELECT image, {', '.join(['%s'] * len(fields))} "
        f"FROM ({_LISTED[connection.vendor]}) AS listed ORDER BY place"
    )
    values = [field.get_db_prep_save(getattr(blank, field.attname), connection) for field in fields]
    with connection.cursor() as cursor:
        cursor.execute(statement, [*values, orjson.dumps(images).decode()])


def unqueue_images(batch: Batch) -> None:
    """Delete the works of a draft, whose row is locked, and the pairs that it was to judge.

    Nothing else refers to them; the database checks that.
    """
    # `delete` would look up references one by one; foreign keys check them at the end of the transaction.
    works = ImageWork.objects.filter(batch=batch)
    if settings_of(batch).campaign is Campaign.RELEVANCE:
        pairs = JudgedPair.objects.filter(work__in=works)
        pairs._raw_delete(pairs.db)
    works._raw_delete(works.db)
