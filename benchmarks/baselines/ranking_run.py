"""One side of `benchmarks.baselines.ranking`, whose arguments are SYSTEM RANK IMAGES OUT.json.

It makes up N images with captions, trains a system on them, and ranks others. An image has a few things of a
vocabulary as large as that of Flickr 8k; its pyramid and its captions show them. Seconds are those of the
processor.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np

from baselines.ranking.pyramids import Histograms
from baselines.ranking.recipes import learn_similarity, recipe_of
from baselines.ranking.systems import KernelCca
from baselines.ranking.words import NOUN, OTHER, VERB, Caption, Document, Word
from evaluation.arrays import Ints
from evaluation.retrieval import retrieve

VOCABULARY, BINS, CAPTIONS, WORDS = 2_000, 13_440, 5, 7
ONE_KAPPA = (1.0,)
"""Whole kernels are trained with one κ, and incomplete Cholesky factors with all."""


def made_up(images: int, seed: int) -> tuple[Histograms, list[Document]]:
    """Return pyramids of images and their captions, which share the image's things."""
    rng = np.random.default_rng(seed)
    of_thing = np.random.default_rng(0).integers(0, BINS, (VOCABULARY, 200))
    rows = np.zeros((images, BINS), dtype=np.float32)
    documents: list[Document] = []
    for row in range(images):
        things = np.minimum(rng.geometric(0.004, 2 * WORDS), VOCABULARY) - 1
        for thing in things.tolist():
            rows[row, of_thing[thing]] += 1
        rows[row, rng.integers(0, BINS, 1_000)] += 1
        rows[row] /= rows[row].sum()
        documents.append(tuple(_caption(rng, things) for _ in range(CAPTIONS)))
    return rows, documents


def _caption(rng: np.random.Generator, things: Ints) -> Caption:
    chosen = rng.choice(things, WORDS, replace=False).tolist()
    kinds = (NOUN, NOUN, VERB, OTHER)
    return tuple(Word(f"word{thing}", kinds[thing % 4]) for thing in chosen)


def train(system: str, rank: int, images: int, out: Path) -> None:
    """Train a system, and write how long each step took."""
    training, validation = made_up(images, 1), made_up(images // 6, 2)
    first = [document[:1] for document in validation[1]]
    begin = time.process_time()
    similarity = learn_similarity(recipe_of(system), training[1])
    learnt = time.process_time()
    model = KernelCca(system, rank=rank) if rank else KernelCca(system, kappas=ONE_KAPPA)
    model.fit(*training, validation[0], first, similarity=similarity)
    trained = time.process_time()
    ranking = model.score(validation[0], first)
    own = np.eye(len(first), dtype=bool)
    figures = {
        "similarity": learnt - begin,
        "train": trained - learnt,
        "rank": time.process_time() - trained,
        "median": retrieve(ranking.search, own).median_rank,
        "kappas": len(model.kappas),
        "ranked": len(first),
    }
    out.write_text(json.dumps(figures), encoding="utf-8")


if __name__ == "__main__":
    name, columns, count, path = sys.argv[1:]
    train(name, int(columns), int(count), Path(path))
