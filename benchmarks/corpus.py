"""A made-up corpus of any size, which is written straight into the database for benchmarks.

It has five captions an image, with three or four mentions each. Its types are spread as in the paper's table
4. A mention's head noun names its entity, so a script can answer by comparing words.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from django.db import connection
from django.utils import timezone

from annotation.models import Batch, Caption, Image, ImageWork, Item, Mention, Project
from annotation.planner import analyze
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import create_batch

NOUNS = {
    "people": ("man", "woman", "child", "crowd"),
    "clothing": ("shirt", "hat", "jacket"),
    "bodyparts": ("hand", "head"),
    "animals": ("dog", "horse"),
    "vehicles": ("car", "bike"),
    "instruments": ("guitar", "drum"),
    "scene": ("street", "beach", "field"),
    "other": ("ball", "table", "tree", "sign", "rope"),
}
WEIGHTS = (19, 7, 2, 2, 2, 1, 9, 16)
"""How often each type of NOUNS is mentioned."""
AT_ONCE = 2000


def make_project(name: str, images: int, *, seed: int = 0, mentions: int = 3) -> Project:
    """Make a project of `images` images of 640x480 without pictures.

    Each caption has so many mentions, and the first one more: that is 16 mentions an image.
    """
    rng = random.Random(seed)
    project = Project.objects.create(name=name, contact="lab@example.org")
    rows = (Image(project=project, name=f"{n:07}.jpg", width=640, height=480) for n in range(images))
    for chunk in _chunks(rows):
        made = Image.objects.bulk_create(chunk)
        captions, plans = [], []
        for image in made:
            for index in range(5):
                nouns = _nouns(rng, mentions + 1 if index == 0 else mentions)
                text = " and ".join(f"a {noun}" for noun, _ in nouns)
                captions.append(Caption(image=image, index=index, text=text, tokens=text))
                plans.append(nouns)
        Caption.objects.bulk_create(captions)
        Mention.objects.bulk_create(
            Mention(
                image_id=caption.image_id,
                caption=caption,
                start=3 * n,
                end=3 * n + 2,
                text=f"a {noun}",
                head=noun,
                types=kind,
            )
            for caption, nouns in zip(captions, plans, strict=True)
            for n, (noun, kind) in enumerate(nouns)
        )
    analyze(Image, Caption, Mention)
    return project


def with_open_links(project: Project, items: int) -> Batch:
    """Make a running batch with exactly `items` open link items.

    They are all pairs of mentions of two captions, image by image, until there are enough.
    """
    settings = parse_settings({"strategy": "exhaustive", "lease_seconds": 3600, "regime": "open"})
    batch = create_batch(project=project, name="main", settings=settings)
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO annotation_item (batch_id, work_id, stage, state, needed, judged, leased, unread,
                                         queued_at, mention_a_id, mention_b_id, settling, visit, shown)
            SELECT w.batch_id, w.id, 'link', 'open', 1, 0, 0, %s, %s, a.id, b.id, %s, 0, '[]'
            FROM annotation_imagework w
            JOIN annotation_mention a ON a.image_id = w.image_id
            JOIN annotation_mention b ON b.image_id = w.image_id AND b.caption_id > a.caption_id
            WHERE w.batch_id = %s
            ORDER BY w.id, a.id, b.id
            LIMIT %s
            """,
            [False, timezone.now(), False, batch.pk, items],
        )
        if cursor.rowcount != items:
            raise ValueError(f"{items} open items need more images; these give {cursor.rowcount}")
    batch.works.update(state=ImageWork.State.LINKING)
    batch.state = Batch.State.RUNNING
    batch.save()
    analyze(Item, ImageWork)
    return batch


def _nouns(rng: random.Random, count: int) -> list[tuple[str, str]]:
    kinds = rng.sample(list(NOUNS), k=count, counts=WEIGHTS)
    return [(rng.choice(NOUNS[kind]), kind) for kind in kinds]


def _chunks(rows: Iterator[Image]) -> Iterator[list[Image]]:
    while chunk := list(islice(rows, AT_ONCE)):
        yield chunk
