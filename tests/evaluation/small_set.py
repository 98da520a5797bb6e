"""A small data set for tests: two images with known mentions, chains and boxes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import orjson

from evaluation.dataset import Caption, Chain, Dataset, Image, Mention, MentionKey
from evaluation.errors import InputError
from evaluation.localization import queries
from evaluation.predictions.lookup import Lookup

MAN, DOGS, SHIRT, PARK = "1", "2", "3", "4"
BOXES = {
    MAN: [(10, 10, 60, 90)],
    DOGS: [(0, 60, 20, 80), (70, 60, 100, 80)],
    SHIRT: [(20, 30, 50, 50)],
    PARK: [],
}
TYPES = {MAN: ("people",), DOGS: ("animals",), SHIRT: ("clothing", "other"), PARK: ("scene",)}
CAPTIONS = (
    ("A man with two dogs in a park .", [(0, 2, MAN), (3, 5, DOGS), (6, 8, PARK)]),
    ("Two dogs pull the man in a shirt .", [(0, 2, DOGS), (3, 5, MAN), (6, 8, SHIRT)]),
)
QUERIES = 5
"""Mentions with a box in each image. The park has none."""


def small_set(names: tuple[str, ...] = ("a.jpg", "b.jpg")) -> Dataset:
    """Return a data set whose images have 100 x 100 pixels, and all the same captions and boxes."""
    return Dataset("small", tuple(_image(name) for name in names))


def lookup_of(dataset: Dataset) -> Lookup:
    return Lookup(dataset, queries(dataset))


def error_of(work: Callable[[], object]) -> str:
    """Return what is said about an input that cannot be used, or "" if it can."""
    try:
        work()
    except InputError as error:
        return str(error)
    return ""


def write_lines(path: Path, *entries: object) -> Path:
    """Write JSON lines. A text or bytes is written as it is."""
    lines = [
        entry
        if isinstance(entry, bytes)
        else entry.encode()
        if isinstance(entry, str)
        else orjson.dumps(entry)
        for entry in entries
    ]
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def mention(
    image: str, caption: int, start: int, end: int, *boxes: tuple[float, ...], **more: object
) -> object:
    """Return a line of predictions for a mention."""
    return {"image": image, "caption": caption, "start": start, "end": end, "boxes": boxes, **more}


def _image(name: str) -> Image:
    captions = tuple(
        Caption(
            index,
            tuple(text.split()),
            tuple(
                Mention(
                    MentionKey(name, index, start, end), tuple(text.split()[start:end]), TYPES[chain], chain
                )
                for start, end, chain in spans
            ),
        )
        for index, (text, spans) in enumerate(CAPTIONS)
    )
    chains = {
        chain: Chain(chain, TYPES[chain], np.array(boxes, dtype=float).reshape(-1, 4), scene=chain == PARK)
        for chain, boxes in BOXES.items()
    }
    return Image(name, 100, 100, "test", captions, chains)
