"""Publishes accepted captions of done images: they become captions of the corpus, with mentions."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from django.db.models import Exists, Max, OuterRef, QuerySet

from annotation.chunkers import get_chunker
from annotation.domain.records import CaptionRecord, ImageRecord
from annotation.importing.captions import store_captions
from annotation.importing.chunker_choice import chunker_of
from annotation.importing.prepare import PreparedCaption, prepare_all
from annotation.languages import primary
from annotation.models import Caption, Image, ImageWork, Mention
from annotation.row_changes import change_rows
from annotation.selectors import project_types
from annotation.transactions import write_transaction
from workflows.pipeline.models import WrittenCaption

logger = logging.getLogger(__name__)

IMAGES_AT_ONCE = 50
ACCEPTED = WrittenCaption.State.ACCEPTED


def publish_captions() -> int:
    """Publish what is accepted about done images, and take back what is not accepted any more.

    Return how many images changed. A second call changes nothing. Images that a batch grounds stay as they
    are: their judgments rest on the mentions that they have.
    """
    total = 0
    while works := _waiting():
        prepared = _prepared(WrittenCaption.objects.filter(work__in=works, state=ACCEPTED, caption=None))
        changed = _publish(works, prepared)
        total += changed
        if not changed:  # others hold them just now
            break
    return total


def _waiting(among: Collection[int] | None = None) -> list[int]:
    """Return works whose captions in the corpus are not the accepted ones, of images that no batch grounds.

    Each part of it has an index, since every sweep asks this.
    """
    grounded = ImageWork.objects.grounding().filter(image=OuterRef("work__image"))
    rows = WrittenCaption.objects.filter(~Exists(grounded))
    if among is not None:
        rows = rows.filter(work__in=among)
    unpublished = rows.filter(state=ACCEPTED, caption__isnull=True, work__state=ImageWork.State.DONE)
    wrong = rows.filter(caption__isnull=False).exclude(state=ACCEPTED)
    ids = [part.order_by("work_id").values_list("work_id", flat=True) for part in (unpublished, wrong)]
    return sorted({pk for part in ids for pk in part.distinct()[:IMAGES_AT_ONCE]})


def _prepared(rows: QuerySet[WrittenCaption]) -> dict[tuple[int, str], PreparedCaption]:
    """Return the captions with their mentions, by row (id) and text. Loading the chunker may take seconds."""
    by_project: dict[tuple[int, str], list[tuple[int, str]]] = defaultdict(list)
    projects = ("work__batch__project", "work__batch__project__language")
    for pk, text, project, language in rows.values_list("pk", "text", *projects):
        by_project[project, language].append((pk, text))
    found: dict[tuple[int, str], PreparedCaption] = {}
    for (project, language), captions in by_project.items():
        chunker = chunker_of(language)
        cuts = get_chunker(chunker).language in ("", primary(language))
        # Without a chunker of the language, a caption has no mentions until somebody marks them.
        records = [
            ImageRecord("", (CaptionRecord(0, text, mentions=None if cuts else ()),)) for _, text in captions
        ]
        made = prepare_all(records, chunker, types=project_types(project))
        for key, (one,) in zip(captions, made, strict=True):
            if isinstance(one, PreparedCaption):
                found[key] = one
            else:
                logger.error("caption %d cannot be published: %s", key[0], one.reason)
    return found


def _publish(works: Sequence[int], prepared: Mapping[tuple[int, str], PreparedCaption]) -> int:
    """Write the captions of those of these works that nobody else has locked. Return how many changed."""
    with write_transaction():
        free = ImageWork.objects.select_for_update(no_key=True, skip_locked=True).filter(pk__in=works)
        images = dict(free.order_by("pk").values_list("pk", "image_id"))
        # As an import and a new batch lock them.
        list(Image.objects.select_for_update().filter(pk__in=images.values()).order_by("name"))
        images = {pk: images[pk] for pk in _waiting(among=images)}
        rows = list(WrittenCaption.objects.filter(work__in=images).order_by("judgment_id"))
        gone = [row for row in rows if row.caption_id is not None and row.state != ACCEPTED]
        taken = [row.caption_id for row in gone if row.caption_id is not None]
        change_rows(Caption.objects.filter(pk__in=taken), superseded=True)
        change_rows(Mention.objects.filter(caption__in=taken), superseded=True)
        for row in gone:
            row.caption = None
        indexes: dict[int, int] = defaultdict(int)
        there = Caption.objects.filter(image__in=images.values()).values("image").annotate(last=Max("index"))
        indexes.update({row["image"]: row["last"] + 1 for row in there})
        new = []
        for row in rows:
            one = prepared.get((row.pk, row.text))
            if row.state == ACCEPTED and row.caption_id is None and one is not None:
                image = images[row.work_id]
                new.append((row, image, _at(one, indexes[image])))
                indexes[image] += 1
        stored, _ = store_captions([(image, one) for _, image, one in new])
        for (row, _, _), caption in zip(new, stored, strict=True):
            row.caption = caption
        changed = [*gone, *(row for row, _, _ in new)]
        WrittenCaption.objects.bulk_update(changed, ["caption"])
        return len({row.work_id for row in changed})


def _at(caption: PreparedCaption, index: int) -> PreparedCaption:
    return replace(caption, index=index, line=None)
