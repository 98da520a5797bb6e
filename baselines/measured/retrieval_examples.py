"""Figures 12 and 13 of the paper: captions that phrases bring to the first place, or do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from baselines.localization import PhraseLocalizer
from baselines.measured.examples import locate, sentence, shown
from baselines.regions import RegionSource
from baselines.retrieval import captioned
from baselines.work import Work
from evaluation.arrays import Bools, Floats, Ints
from evaluation.report.model import Gallery, Item, Picture

EXAMPLES = 3
"""How many images of each figure are shown [ours]: the paper shows three and two."""
Figure = Literal["helped", "wrong"]
TITLES: dict[Figure, str] = {
    "helped": "Where phrases bring the right caption to the first place",
    "wrong": "Where a wrong caption stays first, or becomes it",
}


def images_to_show(whole: Floats, both: Floats, own: Bools, figure: Figure) -> Ints:
    """Return the images of a figure, those in which the two distances differ most first.

    `helped`: the nearest caption by the whole image is wrong, and the nearest by both is right (figure 12).
    `wrong`: the nearest by both is wrong (figure 13). All arrays are of shape (images, captions).
    """
    rows = np.arange(len(own))
    first, second = whole.argmin(axis=1), both.argmin(axis=1)
    kept = ~own[rows, second] if figure == "wrong" else ~own[rows, first] & own[rows, second]
    best = np.where(own, both, np.inf).min(axis=1)
    gain = both[rows, first] - best if figure == "helped" else best - both[rows, second]
    found = np.flatnonzero(kept)
    return found[np.argsort(-gain[found], kind="stable")]


def galleries(
    work: Work,
    model: PhraseLocalizer,
    source: RegionSource,
    distances: tuple[Floats, Floats, Floats],
    own: Bools,
) -> Sequence[Item]:
    """Return both figures. `distances` are by the whole image, by phrases, and by both."""
    whole, _, both = distances
    items: list[Item] = []
    for figure, title in TITLES.items():
        pictures: list[Picture] = []
        for at in images_to_show(whole, both, own, figure)[:EXAMPLES].tolist():
            right = int(np.where(own[at], both[at], np.inf).argmin())
            if figure == "helped":
                pair = ((int(whole[at].argmin()), "first by the whole image"), (right, "first by both"))
            else:
                pair = ((int(both[at].argmin()), "first by both"), (right, "the nearest right one"))
            for place, kind in pair:
                pictures += _picture(work, model, source, (at, place), distances, kind)
        if pictures:
            items.append(Gallery(title, tuple(pictures)))
    return items


def _picture(
    work: Work,
    model: PhraseLocalizer,
    source: RegionSource,
    pair: tuple[int, int],
    distances: tuple[Floats, Floats, Floats],
    kind: str,
) -> list[Picture]:
    images = captioned(work.test)
    caption = [one for image in images for one in image.captions][pair[1]]
    image = images[pair[0]]
    located = locate(model, image, caption.mentions, source)
    whole, phrases, both = (float(one[pair]) for one in distances)
    scores = f"whole image {whole:.2f}, phrases {phrases:.2f}, both {both:.2f}"
    text = f"{sentence(caption, located)} — distances: {scores}"
    found = shown(work, image, located, f"{image.name}: {kind}", text, truth=False)
    return [] if found is None else [found]
