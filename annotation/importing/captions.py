"""Writes the captions of one chunk of images, with their mentions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from annotation.domain.readable import readable
from annotation.domain.records import ImageRecord, Problem
from annotation.importing.dry_run import another_text, refused
from annotation.importing.prepare import Prepared, PreparedCaption, Refused
from annotation.importing.summary import DETECTORS_READ, Summary
from annotation.models import Caption, Image, ImageWork, Mention


def write_captions(
    records: Sequence[ImageRecord],
    prepared: Mapping[str, Sequence[Prepared]],
    images: Mapping[str, Image],
    grown: Collection[str],
    report: Callable[[Problem], None],
    summary: Summary,
) -> set[int]:
    """Write the captions that are new, by their image's name. `grown` names images that existed before.

    Return the ids of the images that got captions.
    A caption is reported, and not written, if it exists with another text, if it was refused, or if its image
    is being annotated. This must run in the chunk's transaction.
    """
    ids = [images[name].pk for name in grown if prepared[name]]
    stored = _stored(ids)
    fixed = _being_annotated(ids)
    new: list[tuple[int, PreparedCaption]] = []
    for record in records:
        for caption in prepared[record.name]:
            if isinstance(caption, Refused):
                report(refused(record, caption))
                continue
            image = images[record.name]
            if known := stored[image.pk].get(caption.index):
                summary.captions_known += caption.text in known
                if caption.text not in known:
                    report(another_text(record, caption))
            elif image.pk in fixed:
                message = f"{record.name} is being annotated: caption {caption.index} cannot be added"
                report(record.problem(message, "import it into another project", caption.line))
            else:
                stored[image.pk][caption.index] = {caption.text}
                new.append((image.pk, caption))
                if (tokens := caption.tokens.count(" ") + 1) > DETECTORS_READ:
                    summary.add_long(record.name, caption.index, tokens)
    rows, mentions = store_captions(new)
    asked = [mention for mention in mentions if mention.annotatable]
    summary.captions += sum(not row.unrelated for row in rows)
    summary.unrelated += sum(row.unrelated for row in rows)
    summary.chunks += len(mentions)
    summary.mentions += len(asked)
    summary.words += sum(mention.end - mention.start for mention in asked)
    return {row.image_id for row in rows}


def store_captions(
    captions: Sequence[tuple[int, PreparedCaption]],
) -> tuple[list[Caption], list[Mention]]:
    """Write captions of images (ids), which have no caption of that index, with their mentions."""
    rows = Caption.objects.bulk_create(
        Caption(
            image_id=image,
            index=caption.index,
            text=caption.text,
            tokens=caption.tokens,
            superseded=caption.unrelated,
            unrelated=caption.unrelated,
        )
        for image, caption in captions
    )
    mentions = _mentions(rows, [caption for _, caption in captions])
    return rows, Mention.objects.bulk_create(mentions)


def _stored(images: Sequence[int]) -> defaultdict[int, dict[int, set[str]]]:
    """Return the texts that the stored captions have or had, by image id and index.

    A caption that a researcher has edited or withdrawn since is known, and stays as the researcher left it.
    So is one with HTML or invisible characters, which earlier versions kept as they were.
    """
    stored: defaultdict[int, dict[int, set[str]]] = defaultdict(dict)
    if images:
        rows = Caption.objects.filter(image__in=images).values_list("image_id", "index", "text")
        for image, index, text in rows:
            stored[image].setdefault(index, set()).update((text, readable(text)))
    return stored


def _being_annotated(images: Sequence[int]) -> set[int]:
    """Return the images that are in a batch. Their judgments rest on the mentions they had.

    Lock the images, in the same order as a batch does, so that none is added to a batch meanwhile.
    """
    if not images:
        return set()
    locked = Image.objects.select_for_update().filter(pk__in=images).order_by("name")
    works = ImageWork.objects.grounding().filter(image__in=[image.pk for image in locked])
    return set(works.values_list("image_id", flat=True))


def _mentions(rows: Sequence[Caption], sources: Sequence[PreparedCaption]) -> Iterator[Mention]:
    for row, caption in zip(rows, sources, strict=True):
        for mention in caption.mentions:
            yield Mention(
                image_id=row.image_id,
                caption_id=row.pk,
                start=mention.start,
                end=mention.end,
                text=mention.text,
                head=mention.head,
                types=mention.types,
                annotatable=mention.annotatable,
                types_version=caption.types_version,
            )
