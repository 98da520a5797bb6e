"""Captions whose phrases a system localizes all, as in figure 11a of Flickr30k Entities."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluation.dataset import Dataset
from evaluation.localization import Outcomes, Queries
from evaluation.report.model import Column, Gallery, Item, Outline, Picture, Section, Table
from evaluation.report.pictures import find_image, picture

BEST = 6
"""How many captions of a system are shown [ours]: the paper shows three."""
MIN_PHRASES = 2
"""The fewest phrases with a box of such a caption [ours]."""


def best_section(
    systems: Mapping[str, Outcomes], asked: Queries, dataset: Dataset, folder: Path | None
) -> tuple[Section, ...]:
    """Return the captions of each system, as pictures if there is a folder; nothing if no caption is right.

    Outcomes are of all queries, in their order.
    """
    items: list[Item] = []
    for place, (name, outcomes) in enumerate(systems.items(), 1):
        found = best_captions(asked, outcomes)
        title = f"{name}: captions whose phrases are all localized"
        if folder is None and found:
            columns = (Column("image"), Column("caption"))
            cells = tuple((asked.keys[rows[0]].image, said(rows, asked, outcomes, dataset)) for rows in found)
            items.append(Table(f"best_{place}", title, columns, cells))
        elif folder is not None:
            every = (_picture(rows, asked, outcomes, dataset, folder) for rows in found)
            if pictures := tuple(one for one in every if one is not None):
                items.append(Gallery(title, pictures))
    if not items:
        return ()
    text = (
        "Captions of which each phrase with a box is hit by the first box: those with most phrases first, "
        "and one from each image. After each phrase is its number and the overlap of the first box."
    )
    return (Section("Best examples", text, tuple(items)),)


def best_captions(asked: Queries, outcomes: Outcomes) -> list[tuple[int, ...]]:
    """Return the queries of captions that are all hit at rank 1, one caption of an image.

    Captions with more queries come first, then those that are earlier in the data set.
    """
    of_caption: dict[tuple[int, int], list[int]] = {}
    for row, key in enumerate(asked.keys):
        of_caption.setdefault((int(asked.image[row]), key.caption), []).append(row)
    whole = [
        (image, tuple(rows))
        for (image, _), rows in of_caption.items()
        if len(rows) >= MIN_PHRASES and (outcomes.rank[rows] == 1).all()
    ]
    found: dict[int, tuple[int, ...]] = {}
    for image, rows in sorted(whole, key=lambda one: -len(one[1])):
        found.setdefault(image, rows)
    return list(found.values())[:BEST]


def said(rows: tuple[int, ...], asked: Queries, outcomes: Outcomes, dataset: Dataset) -> str:
    """Return a caption with the number of each query and its overlap after its phrase, as `[1: 0.82]`."""
    key = asked.keys[rows[0]]
    image = dataset.images[int(asked.image[rows[0]])]
    caption = next(one for one in image.captions if one.index == key.caption)
    marks: dict[int, list[str]] = {}
    for number, row in enumerate(rows, 1):
        marks.setdefault(asked.keys[row].end, []).append(f"[{number}: {outcomes.overlap[row]:.2f}]")
    words: list[str] = []
    for end, token in enumerate(caption.tokens, 1):
        words += [token, *marks.get(end, ())]
    return " ".join(words)


def _picture(
    rows: tuple[int, ...], asked: Queries, outcomes: Outcomes, dataset: Dataset, folder: Path
) -> Picture | None:
    image = dataset.images[int(asked.image[rows[0]])]
    path = find_image(folder, image.name)
    if path is None:
        return None
    outlines: list[Outline] = []
    for number, row in enumerate(rows, 1):
        outlines += [Outline(_edges(box), "truth") for box in asked.truth[row]]
        outlines.append(Outline(_edges(outcomes.first[row]), "predicted", str(number)))
    text = said(rows, asked, outcomes, dataset)
    return picture(path, (image.width, image.height), outlines, image.name, text)


def _edges(box: NDArray[np.float64]) -> tuple[float, float, float, float]:
    left, top, right, bottom = (float(edge) for edge in box)
    return left, top, right, bottom
