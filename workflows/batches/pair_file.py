"""Reads which captions are to be judged for which images, and makes a draft that judges them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from random import Random

from annotation.domain.answers import MAX_CAPTIONS_AT_ONCE, CampaignStage
from annotation.models import Batch, Caption, Image, Project
from annotation.transactions import write_transaction
from evaluation.errors import InputError, within
from evaluation.predictions.pairs import CaptionKey, caption_of
from evaluation.readers.files import json_lines
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.domain.pair_groups import grouped
from workflows.batches.lifecycle import BatchError, create_batch
from workflows.batches.pairs import queue_pairs
from workflows.jobs.domain.jobs import MAX_PAIRS

MAX_LINE = 64 * 1024
NAMES_AT_ONCE = 500
"""Names in one statement: SQLite takes a thousand parameters."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Captions (ids) to judge by image (id), in the order of the file, and how many lines were repeated."""

    captions: dict[int, list[int]]
    repeated: int

    @property
    def number(self) -> int:
        """Return how many pairs there are."""
        return sum(map(len, self.captions.values()))


def read_pairs(project: Project, path: Path) -> Pairs:
    """Return the pairs in a file of JSON lines, such as `evaluation pairs --write` makes.

    A line has `image`, a file name, and `caption`: the file name of the image that the caption was written
    for, and its number there. Other fields are not read. A pair that is there twice is taken once. Raises
    BatchError, which names the file and the line, for a line of another shape, and for an image or a caption
    that the project does not have.
    """
    lines: dict[tuple[str, CaptionKey], int] = {}
    repeated = 0
    try:
        for value, place in json_lines(path, MAX_LINE):
            fields = within(value, dict, place, "")
            for name in ("image", "caption"):
                if name not in fields:
                    raise place.error(name, "is missing")
            key = (
                within(fields["image"], str, place, "image"),
                caption_of(fields["caption"], place, "caption"),
            )
            repeated += key in lines
            lines.setdefault(key, place.line or 0)
            if len(lines) > MAX_PAIRS:
                raise place.error("", f"there are more than {MAX_PAIRS:,} pairs")
    except InputError as error:
        raise BatchError(str(error)) from error
    if not lines:
        raise BatchError(f"{path}: has no pair")
    return Pairs(_with_ids(project, path, lines), repeated)


def draft_of_pairs(*, project: Project, name: str, settings: BatchSettings, pairs: Pairs) -> Batch:
    """Create a draft that judges these pairs, in groups that its seed draws. Raises BatchError."""
    most = 1 if CampaignStage.GRADING in settings.stages else MAX_CAPTIONS_AT_ONCE
    rng = Random(f"pairs/{settings.seed}")
    groups = [
        (image, group) for image, captions in pairs.captions.items() for group in grouped(captions, most, rng)
    ]
    with write_transaction():
        batch = create_batch(project=project, name=name, settings=settings, images=pairs.captions)
        queue_pairs(batch, groups)
    return batch


def _with_ids(project: Project, path: Path, lines: dict[tuple[str, CaptionKey], int]) -> dict[int, list[int]]:
    names = sorted({name for image, (of, _) in lines for name in (image, of)})
    images: dict[str, int] = {}
    captions: dict[tuple[int, int], int] = {}
    for start in range(0, len(names), NAMES_AT_ONCE):
        found = Image.objects.in_use().filter(project=project, name__in=names[start : start + NAMES_AT_ONCE])
        images.update(found.values_list("name", "pk"))
        rows = Caption.objects.in_use().filter(image__in=found)
        captions.update({(image, index): pk for pk, image, index in rows.values_list("pk", "image", "index")})
    result: dict[int, list[int]] = defaultdict(list)
    for (image, (of, number)), line in lines.items():
        place = f"{path}, line {line}"
        for name in (image, of):
            if name not in images:
                raise BatchError(f"{place}: project {project.name} has no image {name!r}")
        if (images[of], number) not in captions:
            raise BatchError(f"{place}: {of} has no caption {number}")
        result[images[image]].append(captions[images[of], number])
    return dict(result)
