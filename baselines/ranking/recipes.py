"""The ranking systems by name: what text kernel each has (R, sections 3 and 4.3.4).

A name is a kernel and its features, such as `tri5-idf-alignment`. So each cell of the paper's table 6 has a
name, and so has each other combination.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from baselines.ranking.alignment import alignment
from baselines.ranking.kernels import BagOfWords, Idf, SharedWords, TextKernel
from baselines.ranking.sequences import SimilarTrigrams, Trigrams
from baselines.ranking.similarities import WordSimilarity, average, distributional, larger
from baselines.ranking.tag_rank import TagRank
from baselines.ranking.taxonomy import Taxonomy, lin
from baselines.ranking.words import Document, lemmas

MIN_ALIGNMENT, MIN_DISTRIBUTIONAL = 0.05, 0.01
"""Similarities below these count as nothing (R, 3.5.1)."""
NEAREST = "nn"
CAPTIONS, CORPUS, ALIGNMENT, LIN = "captions", "corpus", "alignment", "lin"
DISTRIBUTIONAL, SEM = "distributional", "sem"
PAPER = ("nn", "bow1", "bow5", "tagrank", "tri5", "tri5-sem")
"""The systems that the paper's section 4 compares."""
GRID = tuple(
    "-".join(filter(None, ("tri5", idf, aligned, *own)))
    for own in ((), (CORPUS,), (CAPTIONS,), (CAPTIONS, CORPUS))
    for aligned in ("", ALIGNMENT)
    for idf in ("", "idf")
)
"""The cells of the paper's table 6, row by row. `corpus` is the British National Corpus there."""
HELP = (
    "nn, bow1, bow5, tagrank or tri5, with features after it: idf or root (of IDF) for bow1, bow5 and tri5; "
    "captions, corpus, alignment and lin (similarities of words) for tri5; tri5-sem is all but lin; nn-… "
    "takes a text kernel for the nearest neighbour"
)


@dataclass(frozen=True, slots=True)
class Recipe:
    """A system's text side.

    `nearest` stands for the nearest neighbour in place of kernel CCA. `one` takes one caption of each
    training image. `similarities` are those of words: CAPTIONS, CORPUS, DISTRIBUTIONAL (the captions and, if
    there is one, the corpus), ALIGNMENT and LIN.
    """

    kernel: Literal["shared words", "bag", "tag rank", "trigrams"]
    nearest: bool = False
    one: bool = False
    idf: Idf = "none"
    similarities: tuple[str, ...] = ()


_KERNELS = {
    "bow1": Recipe("bag", one=True),
    "bow5": Recipe("bag"),
    "tagrank": Recipe("tag rank"),
    "tri5": Recipe("trigrams"),
}
_WEIGHTS: dict[str, Idf] = {"idf": "full", "root": "root"}
_SIMILARITIES = (CAPTIONS, CORPUS, DISTRIBUTIONAL, ALIGNMENT, LIN)


def recipe_of(name: str) -> Recipe:
    """Return the recipe of a system's name. Raise ValueError if there is no such system.

    >>> recipe_of("tri5-idf-alignment").similarities
    ('alignment',)
    >>> recipe_of("nn-bow5") == Recipe("bag", nearest=True)
    True
    """
    if name == NEAREST:
        return Recipe("shared words", nearest=True, idf="full")
    head, *features = name.removeprefix(f"{NEAREST}-").split("-")
    if head not in _KERNELS:
        raise ValueError(f"system {name[:60]} is none: {HELP}")
    found = replace(_KERNELS[head], nearest=name.startswith(f"{NEAREST}-"))
    if head == "tri5" and SEM in features:
        at = features.index(SEM)
        features[at : at + 1] = ["idf", ALIGNMENT, DISTRIBUTIONAL]
    for feature in features:
        if feature in _WEIGHTS and found.kernel in ("bag", "trigrams") and found.idf == "none":
            found = replace(found, idf=_WEIGHTS[feature])
        elif feature in _SIMILARITIES and found.kernel == "trigrams" and feature not in found.similarities:
            found = replace(found, similarities=(*found.similarities, feature))
        else:
            raise ValueError(f"system {name[:60]}: {feature[:20]!r} does not fit: {HELP}")
    return found


@dataclass(frozen=True, slots=True)
class Corpora:
    """What word similarities are learnt from, beside the training captions."""

    taxonomy: Taxonomy | None = None
    sentences: tuple[tuple[str, ...], ...] = ()
    """Lemmas of sentences of another corpus, for a second distributional similarity."""


def lacking(recipe: Recipe, corpora: Corpora) -> str:
    """Return what a system needs and does not have, `taxonomy` or `corpus`, or ""."""
    if LIN in recipe.similarities and corpora.taxonomy is None:
        return "taxonomy"
    return CORPUS if CORPUS in recipe.similarities and not corpora.sentences else ""


def learn_similarity(
    recipe: Recipe, documents: Sequence[Document], corpora: Corpora | None = None
) -> WordSimilarity | None:
    """Return the similarity of words that a system needs, or None.

    That of two corpora is their mean, and of two kinds the larger counts (R, 3.5.6). Raise ValueError without
    a taxonomy or a corpus that the system needs.
    """
    corpora = corpora or Corpora()
    if missing := lacking(recipe, corpora):
        raise ValueError(f"the similarities of this system need a {missing}")
    captions = [lemmas(caption) for document in documents for caption in document]
    kinds = set(recipe.similarities)
    if DISTRIBUTIONAL in kinds:
        kinds |= {CAPTIONS, CORPUS} if corpora.sentences else {CAPTIONS}
    found: list[WordSimilarity] = []
    if kinds & {CAPTIONS, CORPUS}:
        own = distributional(captions)
        of_corpora = [own.similarity(MIN_DISTRIBUTIONAL)] if CAPTIONS in kinds else []
        if CORPUS in kinds:
            other = distributional(corpora.sentences, only=own.words)
            of_corpora.append(other.similarity(MIN_DISTRIBUTIONAL))
        found.append(of_corpora[0] if len(of_corpora) == 1 else average(*of_corpora))
    if ALIGNMENT in kinds:
        found.append(alignment(documents).similarity(MIN_ALIGNMENT))
    if LIN in kinds and corpora.taxonomy:
        words = (word for caption in captions for word in caption)
        found.append(lin(words, corpora.taxonomy).similarity(0.0))
    whole = found[0] if found else None
    for one in found[1:]:
        whole = one if whole is None else larger(whole, one)
    return whole


def text_kernel(recipe: Recipe, similarity: WordSimilarity | None, *, seed: int = 1) -> TextKernel:
    """Return the text kernel of a system, not yet fitted."""
    if recipe.kernel == "shared words":
        return SharedWords(idf=recipe.idf)
    if recipe.kernel == "bag":
        return BagOfWords(idf=recipe.idf)
    if recipe.kernel == "tag rank":
        return TagRank(seed=seed)
    return SimilarTrigrams(similarity, idf=recipe.idf) if similarity else Trigrams(idf=recipe.idf)


def one_each(documents: Sequence[Document], seed: int) -> list[Document]:
    """Return documents of one caption each, which the seed draws: "arbitrarily" in the paper (R, 4.1)."""
    rng = np.random.default_rng(seed)
    return [
        (document[place],) if document else ()
        for document, place in (
            (document, int(rng.integers(max(1, len(document))))) for document in documents
        )
    ]
