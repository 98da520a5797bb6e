"""Suggest boxes with a small detector of 23 classes, which runs on a processor in a tenth of a second.

It is the SSD-MobileNetV2 of Open Images in the npm package @mediapipe/objectron (Apache-2.0). Get it, export
the mentions of your project, and run it:

    pip install ai-edge-litert pillow numpy
    npm pack @mediapipe/objectron && tar xzf mediapipe-objectron-*.tgz
    manage.py export_dataset out --project my-project --format jsonl --include-unfinished
    manage.py model add my-project objectron/0.4 --trained-on "Open Images"
    python -m examples.detector --model package/objectron_solution_packed_assets.data \\
        --images photographs --mentions out/images.jsonl --out suggestions.jsonl
    manage.py import_suggestions my-project suggestions.jsonl --model objectron/0.4 --every-mention

`model add` prints a token, which suggestions do not need. The detector knows no phrases: *person* is
suggested for every mention of people. It cannot tell two men apart.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

SIDE = 300
"""The pixels of a side of the picture that the detector sees."""
LEVELS = ((19, 0.2), (10, 0.35), (5, 0.5), (3, 0.65), (2, 0.8), (1, 0.95))
"""Its grids: cells a side, and how large a box is, as a share of the picture."""
ASPECTS = (1.0, 2.0, 0.5, 3.0, 0.3333)
THRESHOLD, OVERLAP = 0.25, 0.5
"""The least score of a box, and the IoU from which the better of two boxes of a class is kept alone."""
TYPES: Mapping[str, tuple[str, ...]] = {"people": ("Person",), "vehicles": ("Vehicle", "Car", "Bicycle")}
"""Which classes are suggested for a type of mentions."""
PARTS, NOT_ASKED = "bodyparts", "notvisual"
WORDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("shoe", "shoes", "boot", "boots", "sneakers"), ("Footwear", "Boot", "High heels")),
    **dict.fromkeys(("dog", "dogs", "puppy"), ("Dog",)),
    **dict.fromkeys(("cat", "cats", "kitten"), ("Cat",)),
    **dict.fromkeys(("cow", "cows", "bull", "cattle"), ("Cattle",)),
    **dict.fromkeys(("bike", "bikes", "bicycle", "bicycles"), ("Bicycle",)),
    **dict.fromkeys(("car", "cars", "truck", "van", "bus"), ("Car", "Vehicle")),
    **dict.fromkeys(("table", "tables", "desk"), ("Table", "Desk")),
    **{word: (word.capitalize(),) for word in ("chair", "book", "bottle", "camera", "laptop", "mug", "box")},
}
"""Which classes are suggested for a word of a mention; they come before those of its types."""


def anchors() -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return center x, center y, width and height of each of the detector's 1,917 anchors, as shares."""
    found: list[tuple[float, float, float, float]] = []
    for level, (cells, scale) in enumerate(LEVELS):
        following = LEVELS[level + 1][1] if level + 1 < len(LEVELS) else 1.0
        sizes = [(scale * aspect**0.5, scale / aspect**0.5) for aspect in ASPECTS]
        sizes.append(((scale * following) ** 0.5,) * 2)
        if level == 0:
            sizes = [(0.1, 0.1), (scale * 2**0.5, scale / 2**0.5), (scale / 2**0.5, scale * 2**0.5)]
        for row in range(cells):
            for column in range(cells):
                center = (column + 0.5) / cells, (row + 0.5) / cells
                found += [(*center, width, height) for width, height in sizes]
    return np.array(found)


def decode(
    encoded: np.ndarray[Any, Any], classes: np.ndarray[Any, Any], width: int, height: int
) -> list[tuple[int, float, list[int]]]:
    """Return (class, score, box in pixels) of what was found, the best first."""
    at = anchors()
    y, x = encoded[:, 0] / 10 * at[:, 3] + at[:, 1], encoded[:, 1] / 10 * at[:, 2] + at[:, 0]
    h, w = np.exp(encoded[:, 2] / 5) * at[:, 3], np.exp(encoded[:, 3] / 5) * at[:, 2]
    sides = np.array([width, height, width, height])
    boxes = np.stack([x - w / 2, y - h / 2, x + w / 2, y + h / 2], axis=1).clip(0, 1) * sides
    scores = 1 / (1 + np.exp(-classes))
    kept: list[tuple[int, float, list[int]]] = []
    places, kinds = np.nonzero(scores[:, 1:] >= THRESHOLD)
    order = np.argsort(-scores[places, kinds + 1])
    for place, kind in zip(places[order], kinds[order] + 1, strict=True):
        box = [round(float(edge)) for edge in boxes[place]]
        large = box[2] - box[0] >= 3 and box[3] - box[1] >= 3
        if large and all(kind != other or iou(box, there) < OVERLAP for other, _, there in kept):
            kept.append((int(kind), float(scores[place, kind]), box))
    return kept


def iou(a: list[int], b: list[int]) -> float:
    """Return the intersection over union of two boxes."""
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    shared = max(0, width) * max(0, height)
    return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared)


def wanted(words: list[str], types: list[str]) -> tuple[str, ...]:
    """Return the classes to suggest for a mention of these words and types."""
    if PARTS in types:
        return ()  # a man 's arm, a dog 's tail
    for word in reversed(words):
        if word.lower() in WORDS:
            return WORDS[word.lower()]
    return next((TYPES[one] for one in types if one in TYPES), ())


def suggest(
    image: Mapping[str, Any], found: list[tuple[int, float, list[int]]], labels: list[str]
) -> Iterator[dict[str, Any]]:
    """Yield a line for each mention that workers are asked about, also without boxes."""
    for place, caption in enumerate(image["captions"]):
        for mention in caption.get("mentions") or ():
            if NOT_ASKED in mention["types"]:
                continue
            words = caption["tokens"][mention["start"] : mention["end"]]
            names = wanted(words, mention["types"])
            boxes = [(score, box) for kind, score, box in found if labels[kind] in names]
            yield {
                "image": image["name"],
                "caption": caption.get("index", place),
                "start": mention["start"],
                "end": mention["end"],
                "boxes": [box for _, box in boxes],
                "scores": [round(score, 4) for score, _ in boxes],
            }


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name in ("model", "images", "mentions", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args(arguments)
    from ai_edge_litert.interpreter import Interpreter
    from PIL import Image, ImageOps

    packed = options.model.read_bytes()
    labels = packed[:184].decode().split("\n")
    model = Interpreter(model_content=packed[184:])
    model.allocate_tensors()
    outputs = {one["name"]: one["index"] for one in model.get_output_details()}
    with options.mentions.open() as lines, options.out.open("w") as out:
        for line in lines:
            image = json.loads(line)
            with Image.open(options.images / image["name"]) as opened:
                picture = ImageOps.exif_transpose(opened).convert("RGB")
            pixels = np.asarray(picture.resize((SIDE, SIDE)), dtype=np.float32) / 127.5 - 1
            model.set_tensor(model.get_input_details()[0]["index"], pixels[None])
            model.invoke()
            encoded = model.get_tensor(outputs["raw_outputs/box_encodings"])[0]
            classes = model.get_tensor(outputs["raw_outputs/class_predictions"])[0]
            found = decode(encoded, classes, *picture.size)
            for suggestion in suggest(image, found, labels):
                out.write(json.dumps(suggestion) + "\n")
            print(f"{image['name']}: {len(found)} boxes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
