"""The part of the page about ranking: recall of the systems, and whether their order is the paper's."""

from __future__ import annotations

import numpy as np

from baselines.photographs import read_photograph
from baselines.ranking.nearest import Ranking
from baselines.ranking.pyramids import Histograms, Pixels, Pyramids
from baselines.ranking.recipes import PAPER
from baselines.ranking.systems import KernelCca, train
from baselines.ranking.words import Document, Preparation
from baselines.work import Work, show
from evaluation.arrays import Bools
from evaluation.dataset import Dataset
from evaluation.errors import InputError
from evaluation.predictions.retrieval import pairs
from evaluation.report.model import Cell, Column, Section, Table
from evaluation.retrieval import RANKS, Retrieval, retrieve
from evaluation.significance import mcnemar

MEASURED = (*PAPER, "tri5-idf", "tri5-distributional", "tri5-alignment")
RANDOM = "random ranking"
STATEMENTS = (
    *(("nn", other) for other in PAPER[1:]),
    *((other, "tri5-sem") for other in PAPER[1:-1]),
)
"""Pairs of systems of which the paper found the first to be worse, with significance (R, 4.3.1)."""
_TITLES = {"annotation": "Captions for images", "search": "Images for captions"}
_PLACE = RANKS.index(10)


def measure(work: Work) -> tuple[Section, ...]:
    """Train and measure the systems. Return the tables of both directions."""
    preparation = Preparation()
    parts = [documents_of(dataset, preparation) for dataset in (work.train, work.validation, work.test)]
    pyramids = Pyramids(seed=work.seed)

    def read(name: str) -> Pixels:
        return read_photograph(work.images, name)

    pyramids.fit(list(parts[0]), read, lambda names: show(names, "Learning visual words"))
    rows = [
        pyramids.transform(list(part), read, lambda names: show(names, "Describing photographs"))
        for part in parts
    ]
    own = pairs(work.test).relevant()
    captions = [(caption,) for document in parts[2].values() for caption in document]
    found: dict[str, Ranking] = {}
    for system in show(MEASURED, "Training ranking systems", len(MEASURED)):
        model = train(
            system,
            (rows[0], list(parts[0].values())),
            (rows[1], list(parts[1].values())),
            parameters={"seed": work.seed},
        )
        found[system] = model.score(rows[2], captions)
    return (_section(work, found, own, rows[2]),)


def documents_of(dataset: Dataset, preparation: Preparation) -> dict[str, Document]:
    """Return the prepared captions of each image that has captions, by name. Raise InputError if none has."""
    images = [image for image in dataset.images if image.captions]
    if not images:
        raise InputError(f"{dataset.title} has no caption")
    return {
        image.name: tuple(preparation.caption(caption.tokens) for caption in image.captions)
        for image in show(images, "Preparing captions", len(images))
    }


def _section(work: Work, found: dict[str, Ranking], own: Bools, test: Histograms) -> Section:
    tables: list[Table] = []
    for direction, title in _TITLES.items():
        relevant = own if direction == "annotation" else own.T
        reached = {RANDOM: retrieve(np.zeros(relevant.shape), relevant)}
        for system, ranking in found.items():
            reached[system] = retrieve(getattr(ranking, direction), relevant)
        tables.append(recall_table(f"ranking_{direction}", f"{title} on {work.test.title}", reached))
        tables.append(_order(direction, reached))
    model = KernelCca()
    text = (
        f"{len(test):,} test images and {own.shape[1]:,} captions of {work.test.title}. All systems learn "
        f"from {len(work.train.images):,} images; the settings of kernel CCA (κ among "
        f"{', '.join(f'{kappa:g}' for kappa in model.kappas)}, and the number of dimensions) are chosen on "
        f"{len(work.validation.images):,} others. tri5-sem has no second corpus."
    )
    return Section("Ranking", text, tuple(tables))


def recall_table(name: str, title: str, reached: dict[str, Retrieval]) -> Table:
    """Return the table of what systems reached in one direction."""
    columns = (
        Column("system"),
        Column("queries", "count"),
        *(Column(f"R@{rank}", "share") for rank in RANKS),
        Column("median rank", "number"),
    )
    rows: list[tuple[Cell, ...]] = []
    for system, one in reached.items():
        shares = [one.share(place) for place in range(len(RANKS))]
        rows.append((system, len(one.rank), *shares, one.median_rank))
    return Table(name, title, columns, tuple(rows))


def _order(direction: str, reached: dict[str, Retrieval]) -> Table:
    """Return whether R@10 orders systems as the paper's recall does, with McNemar's test."""
    columns = (
        Column("worse in the paper"),
        Column("better in the paper"),
        Column("worse: R@10", "share"),
        Column("better: R@10", "share"),
        Column("p", "p"),
        Column("here"),
    )
    rows: list[tuple[Cell, ...]] = []
    for worse, better in STATEMENTS:
        shares = [reached[system].share(_PLACE) for system in (worse, better)]
        hits = [reached[system].success[:, _PLACE] >= 0.5 for system in (worse, better)]
        p = mcnemar(*hits).p
        same = (
            "the same order"
            if shares[1] > shares[0]
            else "no difference"
            if shares[1] == shares[0]
            else "the other way"
        )
        rows.append((worse, better, *shares, p, same if p < 0.05 else f"{same}, not significant"))
    note = (
        "The paper's order is that of its table 3, on 1,000 photographs with one caption each. Few test "
        "images cannot tell like systems apart: p is McNemar's test of what is found among the first ten."
    )
    return Table(
        f"ranking_order_{direction}", "Is the order of the systems the paper's?", columns, tuple(rows), note
    )
