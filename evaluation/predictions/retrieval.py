"""Predictions for `retrieval`: a matrix of scores of images x captions, or ranked lists.

A matrix is `.npy`, `.npz` (array `scores`) or `.csv` without a header. Its rows are the images in the order
of their names, and its columns their captions in their order: all, or one candidate of each image.

Ranked lists are JSON lines: `{"image": "a.jpg", "captions": [["a.jpg", 0], …]}` for an image, or
`{"caption": ["a.jpg", 0], "images": ["a.jpg", …]}` for a caption, the best first.

If one caption of each image is a candidate, files may have all captions: the others are left out.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.lib import format as npy

from evaluation.arrays import Floats, Ints
from evaluation.dataset import Dataset
from evaluation.errors import InputError, Place, fields_of, within
from evaluation.predictions.candidates import Candidates, candidates_of
from evaluation.predictions.compact import opened, read_array
from evaluation.predictions.findings import Findings
from evaluation.predictions.judgments import Kind, read_judgments
from evaluation.predictions.pairs import (
    CaptionKey,
    Pairs,
    caption_of,
    images_and_captions,
)
from evaluation.readers.files import json_lines, read_lines
from evaluation.retrieval import scores_of_lists

MAX_CELLS = 100_000_000
"""The most pairs of images and captions. Their scores take 800 MB."""
MAX_BYTES = 8 * MAX_CELLS + 1024
MAX_LINE = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Scores:
    """What a file has: scores of images x captions for each direction that it has, else None."""

    annotation: Floats | None
    search: Floats | None
    """Of captions x images."""


def pairs(dataset: Dataset, candidates: Candidates = "all", seed: int = 1) -> Pairs:
    """Return the images that have captions, with their candidates (`candidates_of`).

    Raise InputError if there are too many pairs.
    """
    found = candidates_of(dataset, candidates, seed)
    if len(found.images) * len(found.captions) > MAX_CELLS:
        raise InputError(
            f"{dataset.title} has {len(found.images):,} images and {len(found.captions):,} captions, which "
            f"is more than {MAX_CELLS:,} pairs; give --split"
        )
    return found


def read_scores(
    path: Path, dataset: Dataset, findings: Findings, candidates: Candidates = "all", seed: int = 1
) -> tuple[Pairs, Scores]:
    """Return the scores in a file, and what its queries and items are.

    What else it has is counted in `findings`. Raise InputError for the first thing that cannot be read.
    """
    wanted = pairs(dataset, candidates, seed)
    if path.suffix not in (".npy", ".npz", ".csv"):
        return wanted, _read_lists(path, wanted, images_and_captions(dataset), findings)
    matrix = _read_csv(path) if path.suffix == ".csv" else _read_array(path)
    every = images_and_captions(dataset)
    whole, square = (len(every.images), len(every.captions)), (len(every.images),) * 2
    if matrix.shape == whole:
        matrix = matrix[:, places_of(every.captions, wanted.captions)]
    elif matrix.shape == square:
        wanted = pairs(dataset, "first") if candidates == "all" else wanted
    else:
        raise InputError(
            f"{path}: scores: have the shape {matrix.shape}; the data set needs {whole}, or {square} with "
            "one caption of each image"
        )
    unknown = np.isnan(matrix)
    if unknown.any():
        row, column = np.argwhere(unknown)[0]
        name, index = wanted.captions[column]
        example = f"{wanted.images[row]} with caption {index} of {name}"
        findings.add("score of a pair with NaN", example, int(unknown.sum()))
        matrix = np.where(unknown, -np.inf, matrix)
    return wanted, Scores(matrix, matrix.T)


def places_of(every: Sequence[CaptionKey], wanted: Sequence[CaptionKey]) -> Ints:
    """Return the place of each wanted caption among all."""
    places = {caption: at for at, caption in enumerate(every)}
    return np.array([places[caption] for caption in wanted], dtype=np.int64)


def read_grades(path: Path, found: Pairs, dataset: Dataset, findings: Findings) -> tuple[Kind, Floats]:
    """Return what was judged, and the mean of each pair of images x captions, nan where there is none.

    `evaluation.predictions.judgments` has the formats. Judgments of captions that are no candidates are
    counted in `findings`. Raise InputError.
    """
    every = images_and_captions(dataset)
    judgments = read_judgments(path, every, findings)
    columns = np.full(len(every.captions), -1, dtype=np.int64)
    columns[places_of(every.captions, found.captions)] = np.arange(len(found.captions))
    pair, mean = judgments.means()
    column = columns[pair % len(every.captions)]
    findings.add("judged pair whose caption is no candidate", "", int((column < 0).sum()))
    grades = np.full((len(found.images), len(found.captions)), np.nan)
    known = column >= 0
    grades[pair[known] // len(every.captions), column[known]] = mean[known]
    return judgments.kind, grades


def _read_array(path: Path) -> Floats:
    place = Place(str(path))
    if path.suffix == ".npz":
        with opened(path) as archive:
            loaded = read_array(archive, "scores", place, MAX_BYTES)
    else:
        try:
            with path.open("rb") as file:
                if file.seek(0, 2) > MAX_BYTES:
                    raise place.error("scores", f"have more than {MAX_BYTES:,} bytes")
                file.seek(0)
                loaded = npy.read_array(file, allow_pickle=False)
        except InputError:
            raise
        except (OSError, ValueError, EOFError, MemoryError) as error:
            raise place.error("", f"is no array that can be read: {error}") from error
    if loaded.dtype.kind not in "fiu":
        raise place.error("scores", f"have the type {loaded.dtype}, not numbers")
    return loaded.astype(np.float64)


def _read_csv(path: Path) -> Floats:
    rows: list[list[float]] = []
    cells = 0
    for line, content in read_lines(path, MAX_LINE):
        place = Place(str(path), line)
        try:
            rows.append([float(cell) for cell in next(csv.reader([content.decode()]))])
        except (UnicodeDecodeError, ValueError, csv.Error) as error:
            raise place.error("", f"is not numbers with commas between them: {error}") from error
        if len(rows[-1]) != len(rows[0]):
            raise place.error("", f"has {len(rows[-1])} numbers, and the first line has {len(rows[0])}")
        cells += len(rows[-1])
        if cells > MAX_CELLS:
            raise place.error("", f"there are more than {MAX_CELLS:,} numbers")
    return np.array(rows, dtype=np.float64)


def _read_lists(path: Path, found: Pairs, every: Pairs, findings: Findings) -> Scores:
    rows: dict[str | CaptionKey, int] = {name: at for at, name in enumerate(found.images)}
    columns: dict[str | CaptionKey, int] = dict.fromkeys(every.captions, -1)  # -1: no candidate
    columns |= {caption: at for at, caption in enumerate(found.captions)}
    annotation: dict[int, list[int]] = {}
    search: dict[int, list[int]] = {}
    for value, place in json_lines(path, MAX_LINE):
        entry = within(value, dict, place, "")
        if "image" in entry:
            fields = fields_of(entry, place, ("image", "captions"))
            query = rows.get(within(fields["image"], str, place, "image"))
            given: list[str | CaptionKey] = [
                caption_of(one, place, f"captions[{at}]")
                for at, one in enumerate(within(fields["captions"], list, place, "captions"))
            ]
            known, lists = columns, annotation
        else:
            fields = fields_of(entry, place, ("caption", "images"))
            query = columns.get(caption_of(fields["caption"], place, "caption"))
            given = [
                within(one, str, place, f"images[{at}]")
                for at, one in enumerate(within(fields["images"], list, place, "images"))
            ]
            known, lists = rows, search
        if query is None:
            findings.add("item that the data set does not have", place.entry)
        elif query < 0:
            findings.add("caption in a ranked list that is no candidate", place.entry)
        elif query in lists:
            findings.add("item that is in a ranked list twice", f"{place.entry}: a second list for one query")
        else:
            lists[query] = _places(given, known, place, findings)
    if not annotation and not search:
        raise InputError(f"{path}: has no ranked list")
    return Scores(
        _ranked(annotation, len(rows), len(found.captions), found.images, findings),
        _ranked(
            search, len(found.captions), len(rows), [f"{name} {at}" for name, at in found.captions], findings
        ),
    )


def _places(
    given: Sequence[str | CaptionKey], known: dict[str | CaptionKey, int], place: Place, findings: Findings
) -> list[int]:
    found: dict[int, None] = {}
    for one in given:
        at = known.get(one)
        if at is None:
            findings.add("item that the data set does not have", f"{place.entry}: {one}")
        elif at < 0:
            findings.add("caption in a ranked list that is no candidate", f"{place.entry}: {one}")
        elif at in found:
            findings.add("item that is in a ranked list twice", f"{place.entry}: {one}")
        else:
            found[at] = None
    return list(found)


def _ranked(
    lists: dict[int, list[int]], queries: int, items: int, names: Sequence[str], findings: Findings
) -> Floats | None:
    if not lists:
        return None
    for query in range(queries):
        if query not in lists:
            findings.add("query without a ranked list", names[query])
        else:
            missing = items - len(lists[query])
            findings.add("pair that a ranked list does not have", names[query] if missing else "", missing)
    ordered = [np.array(lists.get(query, []), dtype=np.int64) for query in range(queries)]
    return scores_of_lists(ordered, items)
