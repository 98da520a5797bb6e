"""A made-up folder as in Flickr30k Entities, and predictions for it as MDETR's evaluator takes them.

Both depend on a seed only, so that figures of other evaluators, run elsewhere, can be kept for them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluation.dataset import TYPES

PHRASES = ("a man", "two dogs", "the red car", "trees", "a guitar")
Corners = tuple[int, int, int, int]


def write_made_entities(folder: Path, images: int, seed: int) -> list[dict[str, Any]]:
    """Write the folder with `test.txt`, and return predictions for all of its sentences."""
    rng = random.Random(seed)
    for name in ("Sentences", "Annotations"):
        (folder / name).mkdir(parents=True)
    stems = [str(1_000_000 + 7 * place) for place in range(images)]
    predictions = [entry for stem in stems for entry in _image(folder, stem, rng)]
    (folder / "test.txt").write_text("\n".join(stems) + "\n")
    return predictions


def _image(folder: Path, stem: str, rng: random.Random) -> Iterator[dict[str, Any]]:
    width, height = rng.choice([(500, 375), (375, 500)])
    chains = [int(stem) * 100 + number for number in range(1, rng.randint(3, 9))]
    types = {chain: rng.sample(TYPES, rng.choice([1, 1, 1, 2])) for chain in chains}
    boxes = {
        chain: [_corners(rng, width, height) for _ in range(rng.choice([0, 1, 1, 1, 2, 3, 5]))]
        for chain in chains
    }
    sentences = [rng.sample(chains, rng.randint(1, len(chains))) for _ in range(5)]
    lines = [
        " with ".join(f"[/EN#{chain}/{'/'.join(types[chain])} {rng.choice(PHRASES)}]" for chain in said)
        + " ."
        for said in sentences
    ]
    (folder / "Sentences" / f"{stem}.txt").write_text("\n".join(lines) + "\n")
    (folder / "Annotations" / f"{stem}.xml").write_text(_xml(stem, width, height, boxes))
    every = [box for own in boxes.values() for box in own]
    for number, said in enumerate(sentences):
        lists = [_predict(rng, boxes[chain], every) for chain in said if boxes[chain]]
        if lists:
            yield {"image_id": stem, "sentence_id": number, "boxes": lists}


def _corners(rng: random.Random, width: int, height: int) -> Corners:
    left, top = rng.randint(1, width - 20), rng.randint(1, height - 20)
    return left, top, rng.randint(left + 1, width), rng.randint(top + 1, height)


def _xml(stem: str, width: int, height: int, boxes: dict[int, list[Corners]]) -> str:
    objects = []
    for chain, own in boxes.items():
        for box in own:
            corners = "".join(
                f"<{name}>{value}</{name}>"
                for name, value in zip(("xmin", "ymin", "xmax", "ymax"), box, strict=True)
            )
            objects.append(f"<object><name>{chain}</name><bndbox>{corners}</bndbox></object>")
        if not own:
            objects.append(f"<object><name>{chain}</name><scene>1</scene><nobndbox>0</nobndbox></object>")
    size = f"<size><width>{width}</width><height>{height}</height><depth>3</depth></size>"
    return f"<annotation><filename>{stem}.jpg</filename>{size}{''.join(objects)}</annotation>"


def _predict(rng: random.Random, own: list[Corners], every: list[Corners]) -> list[list[float]]:
    """Return boxes on and near the truth, half as wide (an IoU of exactly 0.5), and on other things."""
    found = []
    for _ in range(rng.randint(1, 14)):
        left, top, right, bottom = rng.choice(own if rng.random() < 0.45 else every)
        kind = rng.random()
        if kind < 0.2:
            found.append([left, top, left + (right - left) / 2, bottom])
        elif kind < 0.3:
            found.append([left, top, right, bottom])
        else:
            edges = [edge + rng.randint(-250, 250) / 10 for edge in (left, top, right, bottom)]
            found.append([edges[0], edges[1], max(edges[2], edges[0] + 1), max(edges[3], edges[1] + 1)])
    return found
