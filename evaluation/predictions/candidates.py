"""Which captions of an image are candidates: those that systems rank and that people judge."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

import numpy as np

from evaluation.arrays import Bools
from evaluation.dataset import Dataset
from evaluation.predictions.findings import Findings
from evaluation.predictions.judgments import read_judgments
from evaluation.predictions.pairs import Pairs, drawn_place, images_and_captions

Named = Literal["all", "drawn", "first"]
Candidates = Named | Path
"""All captions, or one of each image: drawn by a seed, the first, or one that a file has judgments of."""
NAMED: tuple[str, ...] = get_args(Named)
HELP = "all, drawn (one, as in the paper), first, or a file: one that this has judgments of"


def parse_candidates(text: str) -> Candidates:
    """Return which captions of an image are candidates, by name or of a file of judgments."""
    return text if text in NAMED else Path(text)  # type: ignore[return-value]


def candidates_of(dataset: Dataset, candidates: Candidates = "all", seed: int = 1) -> Pairs:
    """Return the images that have captions, with their candidates.

    The paper's test images have "one, arbitrarily chosen, caption" (Hodosh, Young and Hockenmaier 2013,
    section 4.1.1): `drawn` draws one by the seed and the image's name. Those that the paper drew are the ones
    that Flickr8k's files of judgments name, so a file of judgments may be given. Of an image with several
    judged captions, or none, one is drawn. Raise InputError if the file cannot be used.
    """
    every = images_and_captions(dataset)
    if candidates == "all":
        return every
    starts = np.diff(every.owner, prepend=-1) > 0
    if candidates == "first":
        return _only(every, starts)
    whole = np.ones(len(every.captions), dtype=bool)
    if candidates == "drawn":
        return _only(every, one_of_each(every, whole, seed))
    judged = np.zeros(len(every.captions), dtype=bool)
    judged[read_judgments(candidates, every, Findings()).pair % len(every.captions)] = True
    return _only(every, judged_of_each(every, judged, seed))


def judged_of_each(every: Pairs, judged: Bools, seed: int) -> Bools:
    """Return one judged caption of each image. Of several, or of an image without one, one is drawn."""
    none = np.bincount(every.owner, weights=judged)[every.owner] == 0
    return one_of_each(every, judged | none, seed)


def one_of_each(every: Pairs, wanted: Bools, seed: int) -> Bools:
    """Return one of the wanted captions of each image that has any, drawn by the seed."""
    found = np.zeros(len(wanted), dtype=bool)
    places = np.flatnonzero(wanted)
    owners, starts, counts = np.unique(every.owner[places], return_index=True, return_counts=True)
    for owner, start, count in zip(owners.tolist(), starts.tolist(), counts.tolist(), strict=True):
        found[places[start + drawn_place(every.images[owner], count, seed)]] = True
    return found


def said_candidates(candidates: Candidates) -> str:
    """Return what reports say of the candidates."""
    return _SAID.get(
        str(candidates), f"one caption of each image, of those judged in {Path(candidates).name}"
    )


_SAID = {
    "all": "all captions of an image",
    "drawn": "one caption of each image, which the seed draws",
    "first": "the first caption of each image",
}


def _only(every: Pairs, wanted: Bools) -> Pairs:
    places = np.flatnonzero(wanted)
    return Pairs(every.images, tuple(every.captions[at] for at in places.tolist()), every.owner[places])
