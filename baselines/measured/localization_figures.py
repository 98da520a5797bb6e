"""Figures 7, 8 and 11 of the paper: what the detector does to categories, colours, and examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from baselines.cues import COLOUR, PEOPLE, Phrase
from baselines.localization import PhraseLocalizer
from baselines.localize import queried
from baselines.measured.examples import Located, locate, sentence, shown
from baselines.phrases import colour_of
from baselines.regions import RegionSource
from baselines.work import Work
from evaluation.arrays import Bools, Ints
from evaluation.boxes import enclosing, iou_matrix
from evaluation.dataset import Boxes, Caption, Dataset, Image
from evaluation.localization import HIT, Outcomes
from evaluation.report.model import Bars, Cell, Column, Gallery, Item, Matrix, Picture, Table

LEAST_OF_CATEGORY = 20
"""How often a category has to occur among the test phrases to be shown (figure 7)."""
EXAMPLES = 6
"""How many captions of each kind are shown [ours]: the paper shows three."""
LEAST_PHRASES = 2
"""The fewest phrases with a box of a caption that is shown [ours]."""


def categories(model: PhraseLocalizer, work: Work, outcomes: Mapping[str, Outcomes]) -> tuple[Item, ...]:
    """Return R@1 of each system by category of the detector (figure 7). Outcomes are of all test queries."""
    of_query = np.array(
        [model.category(Phrase.of(one)) for image in work.test.images for one in queried(image)], dtype=object
    )
    counts = Counter(of_query.tolist())
    known = [name for name, count in counts.most_common() if name and count >= LEAST_OF_CATEGORY]
    if not known:
        return ()
    reached = {
        system: [float((one.rank[of_query[one.rows] == name] == 1).mean()) for name in known]
        for system, one in outcomes.items()
    }
    columns = (Column("category"), Column("phrases", "count"), *(Column(name, "share") for name in reached))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, counts[name], *(shares[at] for shares in reached.values())) for at, name in enumerate(known)
    )
    title = f"R@1 by category of the detector on {work.test.title}"
    note = f"Categories with {LEAST_OF_CATEGORY} test phrases or more, as in the paper's figure 7."
    return (
        Bars(title, tuple(known), reached),
        Table("localization_categories", title, columns, rows, note, folded=True),
    )


def colours(model: PhraseLocalizer, work: Work, source: RegionSource) -> tuple[Item, ...]:
    """Return the confusion of the colours of true boxes in test images (figure 8), the commonest first.

    A thing counts once for each colour that phrases give it [ours]. People have no colour.
    """
    names = model.classes(COLOUR)
    found = np.zeros((len(names), len(names)), dtype=np.int64)
    for image in work.test.images:
        named = coloured(image, names)
        if named:
            boxes = np.stack([enclosing(image.chains[chain].boxes) for chain, _ in named])
            predicted, known = colours_of(model, image, boxes, source)
            for (_, colour), column, has in zip(named, predicted, known, strict=True):
                found[names.index(colour), column] += bool(has)
    total = int(found.sum())
    if not total:
        return ()
    order = np.argsort(-found.sum(axis=1), kind="stable")
    ordered = tuple(names[at] for at in order)
    counts = tuple(tuple(row) for row in found[order][:, order].tolist())
    note = (
        f"Of {total:,} things, {np.trace(found) / total:.1%} have the colour that their phrase names. The "
        f"commonest colour would be right for {found.sum(axis=1).max() / total:.1%}. (The paper: 80.5% of "
        "eleven colours.)"
    )
    title = f"Colour of the phrase (row) and of the classifier (column) on {work.test.title}"
    return (Matrix("localization_colours", title, ordered, ordered, counts, note),)


def coloured(image: Image, names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the chain and the colour of each thing of an image that a phrase gives one of these colours."""
    phrases = ((one.chain, Phrase.of(one)) for one in queried(image))
    named = ((chain, colour_of(one.words)) for chain, one in phrases if PEOPLE not in one.types)
    return list(dict.fromkeys((chain, colour) for chain, colour in named if colour in names))


def colours_of(
    model: PhraseLocalizer, image: Image, boxes: Boxes, source: RegionSource
) -> tuple[Ints, Bools]:
    """Return the likeliest colour of each box, as a place in the classes, and which boxes have features."""
    rows, known = source.features(image, boxes)
    scores = model.colour_.score((rows - model.scale_[0]) / model.scale_[1])
    return scores.argmax(axis=1), known


def examples(model: PhraseLocalizer, work: Work, source: RegionSource) -> tuple[Item, ...]:
    """Return captions whose phrases are all hit, and such with the most misses (figure 11).

    One caption of an image is shown, the one with the most phrases with a box first.
    """
    every = sorted(
        _measured(model, work.test, source), key=lambda one: (-len(one[2]), one[0].name, one[1].index)
    )
    titles = {
        "right": "Captions whose phrases are all localized",
        "wrong": "Captions whose phrases are localized worst",
    }
    chosen = {
        "right": [one for one in every if one[3] == len(one[2])],
        "wrong": sorted(every, key=lambda one: one[3] / len(one[2])),
    }
    items: list[Item] = []
    for kind, title in titles.items():
        pictures: list[Picture] = []
        seen: set[str] = set()
        for image, caption, located, hits in chosen[kind]:
            if image.name in seen or len(pictures) == EXAMPLES:
                continue
            seen.add(image.name)
            text = f"{sentence(caption, located)} — {hits} of {len(located)} phrases hit"
            if one := shown(work, image, located, image.name, text, truth=True):
                pictures.append(one)
        if pictures:
            items.append(Gallery(f"{title}, with their distances (low is near)", tuple(pictures)))
    return tuple(items)


def _measured(
    model: PhraseLocalizer, dataset: Dataset, source: RegionSource
) -> Iterator[tuple[Image, Caption, list[Located], int]]:
    """Yield each caption with phrases enough, where they are found, and how many are hit."""
    for image in dataset.images:
        every = locate(model, image, queried(image), source)
        for caption in image.captions:
            located = [one for one in every if one.mention.key.caption == caption.index]
            if len(located) >= LEAST_PHRASES:
                truth = np.stack([enclosing(image.chains[one.mention.chain].boxes) for one in located])
                overlaps = iou_matrix(truth, np.array([one.box for one in located])).diagonal()
                yield image, caption, located, int((overlaps >= HIT).sum())
