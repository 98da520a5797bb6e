"""Writes one chunk of images to the database, in one transaction. Writing it again adds nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db import transaction
from django.db.models import Max

from annotation.domain.records import ImageRecord, Problem
from annotation.importing.captions import write_captions
from annotation.importing.gold import write_gold
from annotation.importing.pictures import Picture
from annotation.importing.prepare import Prepared, is_usable
from annotation.importing.summary import Summary
from annotation.models import Box, Image, Project
from annotation.renditions import delete_photograph
from annotation.row_changes import changing
from annotation.transactions import write_transaction

Report = Callable[[Problem], None]


@dataclass(slots=True)
class Chunk:
    """Images with different names, those of their captions that are not stored yet, and stored pictures."""

    records: list[ImageRecord]
    prepared: list[list[Prepared]]
    pictures: Mapping[str, Picture] = field(default_factory=dict)


def write_chunk(
    *,
    project: Project,
    chunk: Chunk,
    as_gold: bool,
    report: Report,
    summary: Summary,
    dry_run: bool = False,
) -> set[str]:
    """Write what is new of these images, and return the names of the images that were created.

    `project` is created with the first chunk. Lock the project, so that imports into it queue, then images
    that grow, by name. A dry run follows the same rules and is rolled back at the end.
    """
    unknown = project.pk is None
    with write_transaction():
        if unknown:
            # Another import may have created it meanwhile.
            project.pk = _saved(project)
            project.refresh_from_db()
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        names = [record.name for record in chunk.records]
        known = {image.name: image for image in Image.objects.filter(project=project, name__in=names)}
        grown: set[int] = set()
        drawn = _drawn([image.pk for image in known.values() if not (image.width and image.height)])
        for record in chunk.records:
            if image := known.get(record.name):
                picture = chunk.pictures.get(record.name)
                record, picture = _fitting(record, picture, drawn.get(image.pk, (0, 0)), report)
                if _complete(image, record, picture, report, summary):
                    grown.add(image.pk)
        created = _create(project, chunk, known, summary)
        images = known | created
        summary.images_known += len(known)
        captions = dict(zip(names, chunk.prepared, strict=True))
        grown |= write_captions(chunk.records, captions, images, set(known), report, summary)
        summary.images_grown += sum(image.pk in grown for image in known.values())
        if as_gold:
            kept = [(record, images[record.name].pk) for record in chunk.records if record.name in images]
            summary.gold_chains += write_gold(kept, report)
        if dry_run:
            transaction.set_rollback(True)
    if dry_run and unknown:
        project.pk = None
    return set(created)


def _saved(project: Project) -> int:
    """Return the id of the project of this name, which another import may have made meanwhile."""
    new = {"language": project.language}
    return Project.objects.get_or_create(name=project.name, defaults=new)[0].pk


def _create(project: Project, chunk: Chunk, known: Mapping[str, Image], summary: Summary) -> dict[str, Image]:
    """Create the new images and return them by name.

    Images whose captions were all refused are not created.
    """
    new = []
    for record, captions in zip(chunk.records, chunk.prepared, strict=True):
        if record.name in known or not is_usable(captions):
            continue
        image = Image(
            project=project,
            name=record.name,
            width=record.width,
            height=record.height,
            split=record.split,
        )
        if picture := chunk.pictures.get(record.name):
            _attach(image, picture, summary)
        new.append(image)
    summary.images += len(new)
    return {image.name: image for image in Image.objects.bulk_create(new)}


def _drawn(images: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return (right, bottom) in pixels that the drawn boxes reach, by image id, for images with boxes."""
    if not images:
        return {}
    boxes = Box.objects.filter(chain__work__image__in=images).values_list("chain__work__image")
    return {image: (right, bottom) for image, right, bottom in boxes.annotate(Max("right"), Max("bottom"))}


def _fitting(
    record: ImageRecord, picture: Picture | None, drawn: tuple[int, int], report: Report
) -> tuple[ImageRecord, Picture | None]:
    """Return the record and its picture, without a size that would leave drawn boxes outside the image."""
    width, height = (picture.width, picture.height) if picture else (record.width, record.height)
    if (width or drawn[0]) >= drawn[0] and (height or drawn[1]) >= drawn[1]:
        return record, picture
    reach = f"but the boxes drawn on it reach to {drawn[0]} x {drawn[1]}"
    if picture:
        if picture.path:
            delete_photograph(picture.path)
        hint = "it was not attached: get the picture that was annotated"
        report(record.problem(f"the picture of {record.name} has {width} x {height} pixels, {reach}", hint))
    else:
        message = f"{record.name} is said to have {width} x {height} pixels, {reach}"
        report(record.problem(message, "the size was left out"))
    return replace(record, width=None, height=None), None


def _complete(
    image: Image, record: ImageRecord, picture: Picture | None, report: Report, summary: Summary
) -> bool:
    """Fill in what was not known of an image, and never change what was.

    Return whether anything was added.
    """
    before = (image.file.name, image.width, image.height, image.split)
    if picture and not image.file:
        _attach(image, picture, summary)
    image.width, image.height = image.width or record.width, image.height or record.height
    image.split = image.split or record.split
    completed = (image.file.name, image.width, image.height, image.split) != before
    if completed:
        with changing(image, "file", "width", "height", "split"):
            image.save(update_fields=["file", "width", "height", "split", "renditions"])
    said = []
    if record.split not in ("", image.split):
        said.append(f"{image.name} is in split {image.split}, not in {record.split}")
    if (record.width or image.width, record.height or image.height) != (image.width, image.height):
        size = f"{record.width} x {record.height}"
        said.append(f"{image.name} has {image.width} x {image.height} pixels, not {size}")
    for message in said:
        report(record.problem(message, "what was imported before was kept"))
    return completed


def _attach(image: Image, picture: Picture, summary: Summary) -> None:
    image.file.name = picture.path
    image.width, image.height = picture.width, picture.height
    image.renditions = list(picture.renditions)
    summary.pictures += 1
