"""Made-up images whose truth is known: mentions, chains and boxes like the paper's.

The mentions are those of `research.strategies`. No picture is drawn: workers answer from the truth.
"""

from __future__ import annotations

import random
from pathlib import Path

from annotation.domain.geometry import Box, iou
from annotation.domain.records import BoxRecord, CaptionRecord, ChainRecord, ImageRecord, MentionRecord
from annotation.formats.datasets.flickr30k_entities import EntitiesWriter
from benchmarks.corpus import NOUNS
from research.strategies import CAPTIONS, SPREAD, draw_image

WIDTH, HEIGHT = 640, 480
NO_BOX = {"scene": 0.75, "other": 0.25}
"""The share of the chains of a type that have no box.

With it, a fifth of all chains have none, as in the paper.
"""
BOXES = (0.75, 0.17, 0.08)
"""The shares of the other chains that have one box, two boxes, and three (20% of all have several)."""
_APART = 0.3
"""The largest IoU of two boxes of a chain. It is small, so that their entities can be told apart."""
_LOOKS = ("young", "old", "small", "big", "red", "blue")


def imagine(name: str, rng: random.Random, first_id: int) -> ImageRecord:
    """Make up an image. The ids of its chains begin at `first_id`."""
    sketch = draw_image(rng, SPREAD)
    kinds = {sketch.truth[mention.id]: mention.types for mention in sketch.mentions}
    nouns = {entity: rng.choice(NOUNS[kind[0]]) for entity, kind in kinds.items()}
    places: dict[int, list[tuple[int, int, int]]] = {entity: [] for entity in kinds}
    captions = []
    for index in range(CAPTIONS):
        tokens: list[str] = []
        mentions = []
        for entity in [sketch.truth[mention.id] for mention in sketch.mentions if mention.caption == index]:
            phrase = (
                ["the", rng.choice(_LOOKS), nouns[entity]] if rng.random() < 0.3 else ["a", nouns[entity]]
            )
            start, end = len(tokens), len(tokens) + len(phrase)
            mentions.append(MentionRecord(start, end, kinds[entity], first_id + entity))
            places[entity].append((index, start, end))
            tokens += [*phrase, "near"]
        tokens = [*tokens[:-1], "."] if tokens else ["Nothing", "."]
        captions.append(CaptionRecord(index, " ".join(tokens), tuple(tokens), tuple(mentions)))
    boxes: list[BoxRecord] = []
    chains = []
    for entity, kind in kinds.items():
        own = [] if rng.random() < NO_BOX.get(kind[0], 0.0) else _boxes(rng)
        numbers = tuple(range(len(boxes), len(boxes) + len(own)))
        boxes += [BoxRecord(box) for box in own]
        scene = not own and kind == ("scene",)
        chains.append(
            ChainRecord(
                id=first_id + entity,
                types=kind,
                mentions=tuple(places[entity]),
                boxes=numbers,
                scene=scene,
                nobndbox=not own and not scene,
            )
        )
    return ImageRecord(name, tuple(captions), WIDTH, HEIGHT, chains=tuple(chains), boxes=tuple(boxes))


def _boxes(rng: random.Random) -> list[Box]:
    """Return the boxes of a chain, which can easily be told apart."""
    wanted = rng.choices((1, 2, 3), BOXES)[0]
    found: list[Box] = []
    while len(found) < wanted:
        width, height = rng.randrange(50, 260), rng.randrange(50, 260)
        left, top = rng.randrange(WIDTH - width), rng.randrange(HEIGHT - height)
        box = Box(left, top, left + width, top + height)
        if all(iou(box, other) <= _APART for other in found):
            found.append(box)
    return found


def write_corpus(folder: Path, images: int, seed: int) -> list[ImageRecord]:
    """Write so many images as a Flickr30k Entities folder, and return their records."""
    rng = random.Random(seed)
    folder.mkdir(parents=True)
    records: list[ImageRecord] = []
    first_id = 1
    with EntitiesWriter(folder) as writer:
        for number in range(images):
            record = imagine(f"{number:06}.jpg", rng, first_id)
            first_id += len(record.chains)
            writer.add(record)
            records.append(record)
    return records
