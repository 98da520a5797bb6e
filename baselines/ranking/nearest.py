"""The nearest neighbour among training pairs, and what all systems share (R, 3.1)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from baselines.model_file import load_model, save_model
from baselines.ranking.pyramids import Histograms, intersections
from baselines.ranking.recipes import NEAREST, one_each, recipe_of, text_kernel
from baselines.ranking.similarities import WordSimilarity
from baselines.ranking.words import Document, Word
from evaluation.arrays import Floats
from evaluation.errors import InputError


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scores in both directions; the higher, the better."""

    annotation: Floats
    """Captions for images, of shape (images, captions)."""
    search: Floats
    """Images for captions, of shape (captions, images)."""


@dataclass
class NearestNeighbour:
    """Ranks by what is like the training pair that is nearest to the query (R, 3.1).

    An image is annotated with captions that are like those of the most similar training image. A caption
    finds images that are like the image of the most similar training captions. `system` is `nn`, the paper's
    main one, or says whose text kernel is taken, as `nn-bow5`. `visual_words` is the fingerprint of those
    that the histograms count.
    """

    system: str = NEAREST
    power: int = 2
    seed: int = 1
    visual_words: str = ""
    documents: tuple[Document, ...] = field(default=(), init=False)
    similarity: WordSimilarity | None = field(default=None, init=False)
    histograms: Histograms = field(default_factory=lambda: np.empty((0, 0), np.float32), init=False)

    def __post_init__(self) -> None:
        """Check the parameters, which may come from a file."""
        if not recipe_of(self.system).nearest:
            raise ValueError(f"system is {self.system}, which is no nearest neighbour")

    def fit(
        self,
        histograms: Histograms,
        documents: Sequence[Document],
        *,
        similarity: WordSimilarity | None = None,
    ) -> NearestNeighbour:
        """Keep the training pairs. `similarity` is what `learn_similarity` returns. Return self."""
        check_pairs(histograms, documents)
        one = recipe_of(self.system).one
        self.histograms, self.documents = (
            histograms,
            tuple(one_each(documents, self.seed) if one else documents),
        )
        self.similarity = similarity
        return self

    def score(self, histograms: Histograms, documents: Sequence[Document]) -> Ranking:
        """Return the scores of images with documents, which need not be as many."""
        kernel = text_kernel(recipe_of(self.system), self.similarity, seed=self.seed).fit(self.documents)
        texts = kernel.compare(kernel.represent(documents), kernel.represent(self.documents))
        images = intersections(histograms, self.histograms, power=self.power)
        return Ranking(texts[:, images.argmax(axis=1)].T, images[:, texts.argmax(axis=1)].T)

    def save(self, path: Path) -> None:
        """Write the training pairs. Raise InputError if the file cannot be written."""
        arrays = {"documents": packed(self.documents), "histograms": self.histograms}
        save_model(path, self, arrays | packed_similarity(self.similarity))

    @classmethod
    def load(cls, path: Path) -> NearestNeighbour:
        """Return what `save` wrote. Raise InputError if the file is something else."""
        found, arrays = load_model(path, cls, {"documents": "U", "histograms": "f", **SIMILARITY})
        found.documents = unpacked(arrays["documents"], path)
        found.histograms = arrays["histograms"].astype(np.float32)
        try:
            found.similarity = unpacked_similarity(arrays)
            check_pairs(found.histograms, found.documents)
        except (ValueError, IndexError) as error:
            raise InputError(f"{path}: {error}; train the system anew") from error
        return found


def check_pairs(histograms: Histograms, documents: Sequence[Document]) -> None:
    """Raise ValueError unless there are as many images as documents, and some."""
    if len(histograms) != len(documents) or not len(documents):
        raise ValueError(f"{len(histograms)} images and {len(documents)} documents are no pairs")


# Parts of model files ---------------------------------------------------------------------------------------


SIMILARITY = {"words": "U", "similarities": "f", "similar": "i", "ends": "i"}
"""The arrays of a similarity of words, and their kinds."""


def packed(documents: Sequence[Document]) -> NDArray[np.str_]:
    """Return documents as one text."""
    return np.array(json.dumps([[[list(word) for word in text] for text in one] for one in documents]))


def unpacked(array: NDArray[np.str_], path: Path) -> tuple[Document, ...]:
    """Return what `packed` made. Raise InputError if it is something else."""
    try:
        found = json.loads(str(array))
        return tuple(
            tuple(tuple(Word(str(lemma), str(kind)) for lemma, kind in text) for text in one) for one in found
        )
    except (ValueError, TypeError) as error:
        raise InputError(f"{path}: documents: cannot be read ({error}); train the system anew") from error


def packed_similarity(similarity: WordSimilarity | None) -> dict[str, NDArray[Any]]:
    """Return a similarity of words, or none, as the arrays of SIMILARITY."""
    found = similarity or WordSimilarity((), sparse.csr_matrix((0, 0)))
    return {
        "words": np.array(found.words, dtype=np.str_),
        "similarities": found.matrix.data.astype(np.float64),
        "similar": found.matrix.indices.astype(np.int64),
        "ends": found.matrix.indptr.astype(np.int64),
    }


def unpacked_similarity(arrays: Mapping[str, NDArray[Any]]) -> WordSimilarity | None:
    """Return what `packed_similarity` made. Raise ValueError or IndexError if the arrays do not fit."""
    if not len(arrays["words"]):
        return None
    cells = arrays["similarities"], arrays["similar"], arrays["ends"]
    shape = (len(arrays["words"]),) * 2
    return WordSimilarity(arrays["words"].tolist(), sparse.csr_matrix(cells, shape=shape))
