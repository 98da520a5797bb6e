"""A tiny data set of drawn squares and discs, on which every system learns something within seconds."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from evaluation.dataset import Boxes

WIDTH, HEIGHT = 96, 64
COLOURS = {"red": (40, 40, 220), "blue": (220, 60, 40), "green": (60, 180, 60), "yellow": (40, 220, 230)}
"""By their names, as blue, green and red."""
SHAPES = ("square", "disc")


def write_tiny_set(folder: Path, *, train: int = 16, val: int = 4, test: int = 6) -> Path:
    """Write `images.jsonl` and a folder `images`. Each image has two things, each of a colour and a shape.

    Two captions mention both, and one of these a sky that has no box.
    """
    rng = np.random.default_rng(7)
    images = folder / "images"
    images.mkdir(parents=True)
    lines = []
    for number, split in enumerate(["train"] * train + ["val"] * val + ["test"] * test):
        pixels = np.full((HEIGHT, WIDTH, 3), 200, np.uint8)
        pixels[: HEIGHT // 3] = (235, 206, 160)
        names, boxes = [], []
        for at in range(2):
            colour = list(COLOURS)[int(rng.integers(len(COLOURS)))]
            shape = SHAPES[int(rng.integers(len(SHAPES)))]
            side = int(rng.integers(18, 28))
            left = 6 + 46 * at + int(rng.integers(0, 12))
            top = 24 + int(rng.integers(0, 10))
            if shape == "square":
                cv2.rectangle(pixels, (left, top), (left + side - 1, top + side - 1), COLOURS[colour], -1)
            else:
                centre = (left + side // 2, top + side // 2)
                cv2.circle(pixels, centre, side // 2, COLOURS[colour], -1)
            names.append(f"{colour} {shape}")
            boxes.append([left, top, left + side, top + side])
        name = f"{number:02d}.png"
        cv2.imwrite(str(images / name), pixels)
        lines.append(json.dumps(_record(name, split, names, boxes)))
    (folder / "images.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def _record(name: str, split: str, names: list[str], boxes: list[list[int]]) -> dict[str, object]:
    first, second = names
    captions = [
        {
            "index": 0,
            "text": f"A {first} lies beside a {second} .",
            "mentions": [_mention(0, 3, 1), _mention(5, 8, 2)],
        },
        {
            "index": 1,
            "text": f"The {second} and the {first} below a sky .",
            "mentions": [_mention(0, 3, 2), _mention(4, 7, 1), _mention(8, 10, 3, "scene")],
        },
    ]
    return {
        "name": name,
        "width": WIDTH,
        "height": HEIGHT,
        "split": split,
        "captions": captions,
        "chains": [{"id": 1, "boxes": [0]}, {"id": 2, "boxes": [1]}, {"id": 3, "scene": True}],
        "boxes": [{"box": box} for box in boxes],
    }


def _mention(start: int, end: int, chain: int, kind: str = "other") -> dict[str, object]:
    return {"start": start, "end": end, "types": [kind], "chain": chain}


def write_feature_file(path: Path, names: list[str], boxes: list[Boxes], features: list[Boxes]) -> Path:
    """Write boxes and features of images as `.npz`."""
    np.savez(
        path,
        images=np.array(names),
        offsets=np.concatenate([[0], np.cumsum([len(one) for one in boxes])]),
        boxes=np.concatenate(boxes),
        features=np.concatenate(features),
    )
    return path
