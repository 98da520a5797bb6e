"""Annotated images that are written straight into the database, and exports of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.domain.merge import unite_types
from annotation.exporting.dataset import ExportOptions, export_dataset
from annotation.exporting.manifest import Manifest
from annotation.formats.registry import READERS
from annotation.importing.corpus import import_corpus
from annotation.models import (
    Assignment,
    Batch,
    Box,
    Chain,
    Image,
    ImageWork,
    Item,
    Judgment,
    Mention,
    Project,
)
from tests.factories import LATER, NOW, SIZE, TYPES, make_image, make_project, make_worker

Edges = tuple[int, int, int, int]


@dataclass(frozen=True)
class Made:
    """A chain to make: its mentions by their place in reading order, and its accepted boxes."""

    mentions: Sequence[int]
    boxes: Sequence[Edges] = ()
    state: str = "done"
    flag: str = ""
    generation: int = 0


def annotate(image: Image, chains: Sequence[Made], *, batch: Batch, state: str = "done") -> ImageWork:
    """Make the image's work in a batch, with these chains.

    Each box has a drawing and a quality judgment.
    """
    work = ImageWork.objects.create(batch=batch, image=image, state=state)
    worker = make_worker(batch.project)
    page = Assignment.objects.create(
        worker=worker, batch=batch, state="submitted", items=[], created_at=NOW, expires_at=LATER
    )
    mentions = list(Mention.objects.filter(image=image).order_by("caption__index", "start"))
    for made in chains:
        members = [mentions[place] for place in made.mentions]
        chain = Chain.objects.create(
            work=work,
            generation=made.generation,
            first=members[0],
            members=[mention.pk for mention in members],
            representative=members[0],
            types="/".join(unite_types(mention.types.split("/") for mention in members)),
            state=made.state,
            flag=made.flag,
        )
        for visit, edges in enumerate(made.boxes):
            drawing = Item(stage="drawing", visit=2 * visit)
            quality = Item(stage="quality", visit=2 * visit + 1)
            box = None
            for item in (drawing, quality):
                item.batch, item.work, item.chain, item.queued_at, item.box = batch, work, chain, NOW, box
                item.save()
                judgment = Judgment.objects.create(
                    item=item, worker=worker, assignment=page, answer={}, created_at=NOW
                )
                if box is None:
                    places = dict(zip(("left", "top", "right", "bottom"), edges, strict=True))
                    box = Box.objects.create(chain=chain, judgment=judgment, state="accepted", **places)
    return work


def make_batch(project: Project, name: str = "main") -> Batch:
    """Make a running batch without any work."""
    return Batch.objects.create(project=project, name=name, state="running", settings={})


def make_annotated(
    chains: Sequence[Made], captions: Sequence[Sequence[str]], *, name: str = "a.jpg"
) -> Project:
    """Make a project with one finished image."""
    project = make_project()
    annotate(make_image(project, captions, name=name), chains, batch=make_batch(project))
    return project


def make_random(seed: int, images: int = 5) -> Project:
    """Make images whose boxes are often near to one another or equal.

    They are made in another order than that of their names.
    """
    rng = random.Random(seed)
    project = make_project()
    batch = make_batch(project)
    for number in rng.sample(range(images), images):
        words = [rng.choices(sorted(TYPES), k=rng.randint(1, 4)) for _ in range(rng.randint(1, 4))]
        image = make_image(project, words, name=f"{number}.jpg")
        image.split = rng.choice(["", "train", "val"])
        image.save()
        places = list(range(sum(map(len, words))))
        rng.shuffle(places)
        chains = []
        while places:
            taken, places = places[: rng.randint(1, 3)], places[3:]
            flag = rng.choice(["scene", "nobndbox", ""])
            boxes = [] if flag else [_box(rng) for _ in range(rng.randint(0, 3))]
            chains.append(Made(sorted(taken), boxes, "nonvisual" if flag else "done", flag))
        annotate(image, chains, batch=batch)
    return project


def _box(rng: random.Random) -> Edges:
    left, top = rng.choice([0, 300]) + rng.randrange(3), rng.choice([0, 200]) + rng.randrange(3)
    return left, top, min(left + 20 + rng.randrange(3), SIZE[0]), min(top + 20 + rng.randrange(3), SIZE[1])


def export(project: Project, out: Path, format: str = "flickr30k-entities", **options: Any) -> Manifest:
    """Export with the service's defaults."""
    return export_dataset(project=project, format=format, out=out, options=ExportOptions(**options))


def import_as_gold(path: Path, format: str) -> Project:
    """Import what `path` knows into a new project."""
    project = make_project()
    summary = import_corpus(project=project, records=READERS[format](path), as_gold=True)
    assert summary.skipped == 0
    return project


def files(out: Path, *, without: Sequence[str] = ()) -> dict[str, bytes]:
    """Return the content of each file by its relative path."""
    found = {
        str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()
    }
    return {name: content for name, content in found.items() if name not in without}
