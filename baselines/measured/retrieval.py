"""The part of the page about retrieval, in the shape of the paper's table 7."""

from __future__ import annotations

import numpy as np

from baselines.measured.localization import trained
from baselines.retrieval import ImageSentenceRetrieval, combined_distance, phrase_distances
from baselines.work import Work
from evaluation.arrays import Bools, Floats
from evaluation.predictions.retrieval import pairs
from evaluation.report.model import Cell, Column, Section, Table
from evaluation.retrieval import RANKS, retrieve

RANDOM = "random ranking"


def measure(work: Work) -> tuple[Section, ...]:
    """Return the tables of both directions."""
    found = trained(work)
    model = ImageSentenceRetrieval(seed=work.seed).fit(work.train, found.source)
    whole = model.whole_distance(work.test, found.source)
    by_phrases = phrase_distances(found.model, work.test, found.source, penalty=model.penalty)
    both = combined_distance(whole, by_phrases, whole_share=model.whole_share)
    systems = {
        RANDOM: np.zeros_like(whole),
        "whole-image CCA": -whole,
        "phrases alone (4)": -by_phrases,
        "both (5)": -both,
    }
    own = pairs(work.test, one_each=False).relevant()
    title = work.test.title
    items = (
        _table("retrieval_annotation", f"Captions for images on {title}", systems, own, turned=False),
        _table("retrieval_search", f"Images for captions on {title}", systems, own, turned=True),
    )
    about = (
        f"{own.shape[0]:,} test images and {own.shape[1]:,} captions of {title}. Trained on "
        f"{len(work.train.images):,} images. γ = {model.penalty:g} and α = {model.whole_share:g}, as in the "
        "paper, whose figures are of other data and other features."
    )
    return (Section("Retrieval", about, items),)


def _table(
    name: str,
    title: str,
    systems: dict[str, Floats],
    own: Bools,
    *,
    turned: bool,
) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for system, scores in systems.items():
        found = retrieve(scores.T, own.T) if turned else retrieve(scores, own)
        shares = [found.share(place) for place in range(len(RANKS))]
        rows.append((system, len(found.rank), *shares, found.median_rank))
    columns = (
        Column("system"),
        Column("queries", "count"),
        *(Column(f"R@{rank}", "share") for rank in RANKS),
        Column("median rank", "number"),
    )
    return Table(name, title, columns, tuple(rows))
