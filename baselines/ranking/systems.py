"""Kernel CCA of captions and images, and how a system is trained (R, 3.2.2 and 4.1.3).

Every system has a common space or a nearest neighbour in between, so it scores any images with any captions.
Images are histograms of `Pyramids`, and captions are those of `Preparation`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from baselines.model_file import load_model, save_model
from baselines.ranking.kcca import (
    DIMENSIONS,
    KAPPAS,
    Factor,
    correlate,
    cosines,
    exact_factor,
    incomplete_factor,
)
from baselines.ranking.kernels import TextKernel
from baselines.ranking.nearest import (
    SIMILARITY,
    NearestNeighbour,
    Ranking,
    check_pairs,
    packed,
    packed_similarity,
    unpacked,
    unpacked_similarity,
)
from baselines.ranking.pyramids import Histograms, intersections
from baselines.ranking.recipes import Corpora, learn_similarity, one_each, recipe_of, text_kernel
from baselines.ranking.similarities import WordSimilarity
from baselines.ranking.words import Document
from evaluation.arrays import Floats, Ints
from evaluation.errors import InputError
from evaluation.retrieval import RANKS, borda_order, first_ranks, success_at


class Setting(NamedTuple):
    """One of the models that a KCCA system combines."""

    kappa: float
    dimensions: int


@dataclass(frozen=True, slots=True)
class Space:
    """What places images and texts in the space of one κ: their kernel with the pivots, times weights."""

    images: Floats
    """Of shape (image pivots, dimensions)."""
    texts: Floats
    """Of shape (text pivots, dimensions)."""
    image_mean: Floats
    """What is taken off, of shape (dimensions,)."""
    text_mean: Floats

    def place(self, images: Floats, texts: Floats) -> tuple[Floats, Floats]:
        """Return the places of images and texts with these kernels, of shape (…, dimensions)."""
        return images @ self.images - self.image_mean, texts @ self.texts - self.text_mean


@dataclass
class KernelCca:
    """Ranks by the cosine in spaces that kernel CCA learns, with Borda counts over several (R, 4.1.3).

    `power` is that of the image kernel, 2 or 3 in the paper. The diagonal of the text kernel is multiplied by
    `diagonal`, from 1 to 15 in the paper. `rank` is the number of columns of incomplete Cholesky factors; 0
    computes whole kernels. `best` settings are chosen for recall at each of 1, 5 and 10 on validation pairs,
    for each direction; equal ones by their median rank [ours]. `center` makes kernels have a mean of zero;
    the paper does not say whether it did. `visual_words` is as in NearestNeighbour.
    """

    system: str = "tri5-sem"
    power: int = 2
    diagonal: float = 1.0
    kappas: tuple[float, ...] = KAPPAS
    dimensions: tuple[int, ...] = DIMENSIONS
    rank: int = 0
    tolerance: float = 1e-6
    best: int = 5
    center: bool = True
    seed: int = 1
    visual_words: str = ""
    documents: tuple[Document, ...] = field(default=(), init=False)
    similarity: WordSimilarity | None = field(default=None, init=False)
    histograms: Histograms = field(default_factory=lambda: np.empty((0, 0), np.float32), init=False)
    """Of the pivots among the training images."""
    pivots: Ints = field(default_factory=lambda: np.empty(0, np.int64), init=False)
    """The pivots among the training documents."""
    spaces: dict[float, Space] = field(default_factory=dict, init=False)
    """For each κ that a chosen setting has."""
    annotation: tuple[Setting, ...] = field(default=(), init=False)
    search: tuple[Setting, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        """Check the parameters, which may come from a file."""
        if recipe_of(self.system).nearest:
            raise ValueError(f"system is {self.system}, which is none of kernel CCA")
        self.kappas, self.dimensions = tuple(self.kappas), tuple(self.dimensions)
        if min(self.kappas) <= 0 or min(self.dimensions) < 1 or self.best < 1:
            raise ValueError("kappas must be above 0, and dimensions and best at least 1")
        if self.power < 1 or self.diagonal < 1:
            raise ValueError("power and diagonal must be at least 1")

    def fit(
        self,
        histograms: Histograms,
        documents: Sequence[Document],
        validation_histograms: Histograms,
        validation_documents: Sequence[Document],
        *,
        similarity: WordSimilarity | None = None,
    ) -> KernelCca:
        """Learn the spaces from training pairs, and choose settings on validation pairs. Return self.

        `similarity` is what `learn_similarity` returns for the system and the training documents. Raise
        ValueError if something is no pairs.
        """
        check_pairs(histograms, documents)
        check_pairs(validation_histograms, validation_documents)
        one = recipe_of(self.system).one
        self.documents = tuple(one_each(documents, self.seed) if one else documents)
        self.similarity = similarity
        kernel = self._kernel()
        represented = kernel.represent(self.documents)
        factors = self._image_factor(histograms), self._text_factor(kernel, represented)
        self.histograms, self.pivots = histograms[factors[0].pivots], factors[1].pivots
        kernels = (
            intersections(validation_histograms, self.histograms, power=self.power),
            kernel.compare(kernel.represent(validation_documents), represented.take(self.pivots)),
        )
        most = min(len(factor.values) for factor in factors)
        numbers = sorted({min(one, most) for one in self.dimensions})
        self.spaces = {kappa: _space(*factors, kappa, numbers[-1]) for kappa in self.kappas}
        reached = {}
        for kappa, space in self.spaces.items():
            images, texts = space.place(*kernels)
            for number in numbers:
                scores = cosines(images[:, :number], texts[:, :number])
                reached[Setting(kappa, number)] = _reached(scores), _reached(scores.T)
        self.annotation, self.search = (
            _best({one: found[direction] for one, found in reached.items()}, self.best)
            for direction in (0, 1)
        )
        self.spaces = {kappa: _cut(space, self._most(kappa)) for kappa, space in self.spaces.items()}
        self.spaces = {kappa: space for kappa, space in self.spaces.items() if self._most(kappa)}
        return self

    def score(self, histograms: Histograms, documents: Sequence[Document]) -> Ranking:
        """Return minus the place of each item for each query. Images and documents need not be pairs."""
        kernel = self._kernel()
        pivots = kernel.represent([self.documents[at] for at in self.pivots.tolist()])
        kernels = (
            intersections(histograms, self.histograms, power=self.power),
            kernel.compare(kernel.represent(documents), pivots),
        )
        placed = {kappa: space.place(*kernels) for kappa, space in self.spaces.items()}

        def scores(one: Setting) -> Floats:
            images, texts = placed[one.kappa]
            return cosines(images[:, : one.dimensions], texts[:, : one.dimensions])

        return Ranking(
            _combined([scores(one) for one in self.annotation]),
            _combined([scores(one).T for one in self.search]),
        )

    def save(self, path: Path) -> None:
        """Write what was learnt. Raise InputError if the file cannot be written."""
        kappas = list(self.spaces)
        arrays = {
            "documents": packed(self.documents),
            "histograms": self.histograms,
            "pivots": self.pivots,
            **packed_similarity(self.similarity),
            "settings": np.array([self.annotation, self.search], dtype=np.float64),
            "kappas_kept": np.array(kappas, dtype=np.float64),
        }
        for number, kappa in enumerate(kappas):
            for part in _SPACE:
                arrays[f"{part}_{number}"] = getattr(self.spaces[kappa], part)
        save_model(path, self, arrays)

    @classmethod
    def load(cls, path: Path) -> KernelCca:
        """Return what `save` wrote. Raise InputError if the file is something else."""
        kinds = dict.fromkeys(("histograms", "settings", "kappas_kept"), "f")
        kinds |= {"documents": "U", "pivots": "i", **SIMILARITY}
        found, arrays = load_model(path, cls, kinds)
        kappas = [float(one) for one in arrays["kappas_kept"].ravel()[: len(found.kappas)]]
        names = {f"{part}_{number}": "f" for number in range(len(kappas)) for part in _SPACE}
        _, parts = load_model(path, cls, names)
        found.documents = unpacked(arrays["documents"], path)
        found.histograms = arrays["histograms"].astype(np.float32)
        found.pivots = arrays["pivots"]
        try:
            found.similarity = unpacked_similarity(arrays)
            found.annotation, found.search = (
                tuple(Setting(float(kappa), int(number)) for kappa, number in rows)
                for rows in arrays["settings"]
            )
            for number, kappa in enumerate(kappas):
                found.spaces[kappa] = Space(*(parts[f"{part}_{number}"] for part in _SPACE))
            found._check()
        except (ValueError, TypeError, IndexError, KeyError) as error:
            raise InputError(
                f"{path}: its parts do not fit together ({error}); train the system anew"
            ) from error
        return found

    def _check(self) -> None:
        """Raise ValueError if a part has another shape than the others say."""
        for one in (*self.annotation, *self.search):
            space = self.spaces[one.kappa]
            shapes = [getattr(space, part).shape for part in _SPACE]
            width = shapes[0][1]
            if shapes != [(len(self.histograms), width), (len(self.pivots), width), (width,), (width,)]:
                raise ValueError(f"the space of kappa {one.kappa} has the shapes {shapes}")
        if recipe_of(self.system).one and max(map(len, self.documents)) > 1:
            raise ValueError(f"{self.system} has one caption of each image")
        if not 0 <= self.pivots.min() <= self.pivots.max() < len(self.documents):
            raise ValueError("a pivot is none of the documents")

    def _kernel(self) -> TextKernel:
        kernel = text_kernel(recipe_of(self.system), self.similarity, seed=self.seed)
        kernel.fit(self.documents)
        return kernel

    def _most(self, kappa: float) -> int:
        """Return the most dimensions of a chosen setting with this κ, or 0."""
        return max(
            (one.dimensions for one in (*self.annotation, *self.search) if one.kappa == kappa), default=0
        )

    def _image_factor(self, histograms: Histograms) -> Factor:
        if not self.rank:
            return exact_factor(intersections(histograms, histograms, power=self.power), center=self.center)
        return incomplete_factor(
            np.ones(len(histograms)),  # a pyramid sums to 1, and so does its intersection with itself
            lambda at: intersections(histograms, histograms[at : at + 1], power=self.power)[:, 0],
            rank=self.rank,
            tolerance=self.tolerance,
            center=self.center,
        )

    def _text_factor(self, kernel: TextKernel, represented: Any) -> Factor:
        added = self.diagonal - 1
        if not self.rank:
            whole = kernel.compare(represented, represented)
            return exact_factor(whole + added * np.diag(np.diag(whole)), center=self.center)
        one = [represented.take(np.array([at])) for at in range(len(represented))]
        diagonal = kernel.diagonal(represented)

        def column(at: int) -> Floats:
            found = kernel.compare(represented, one[at])[:, 0]
            found[at] += added * diagonal[at]
            return found

        return incomplete_factor(
            self.diagonal * diagonal, column, rank=self.rank, tolerance=self.tolerance, center=self.center
        )


def train(
    system: str,
    training: tuple[Histograms, Sequence[Document]],
    validation: tuple[Histograms, Sequence[Document]],
    *,
    corpora: Corpora | None = None,
    parameters: Mapping[str, Any] = MappingProxyType({}),
) -> NearestNeighbour | KernelCca:
    """Return a system that has learnt from training pairs.

    Of validation images, one caption counts, which the seed draws (R, 4.1.1). `parameters` are those of
    KernelCca, of which the nearest neighbour has only some.
    """
    recipe = recipe_of(system)
    similarity = learn_similarity(recipe, training[1], corpora) if recipe.similarities else None
    if recipe.nearest:
        own = {name: parameters[name] for name in ("power", "seed", "visual_words") if name in parameters}
        return NearestNeighbour(system, **own).fit(*training, similarity=similarity)
    model = KernelCca(system, **parameters)
    drawn = one_each(validation[1], model.seed)
    return model.fit(*training, validation[0], drawn, similarity=similarity)


_SPACE = ("images", "texts", "image_mean", "text_mean")
"""The fields of Space, in their order."""


def _space(images: Factor, texts: Factor, kappa: float, dimensions: int) -> Space:
    found = correlate(images, texts, kappa, dimensions)
    return Space(
        images.weights @ found.first,
        texts.weights @ found.second,
        images.mean @ found.first,
        texts.mean @ found.second,
    )


def _cut(space: Space, dimensions: int) -> Space:
    return Space(
        space.images[:, :dimensions],
        space.texts[:, :dimensions],
        space.image_mean[:dimensions],
        space.text_mean[:dimensions],
    )


def _reached(scores: Floats) -> Floats:
    """Return recall at each of RANKS and minus the median rank, where item i is query i's own."""
    own = np.eye(len(scores), dtype=bool)
    recall = [float(success_at(scores, own, rank).mean()) for rank in RANKS]
    return np.array([*recall, -float(np.median(first_ranks(scores, own)))])


def _best(reached: dict[Setting, Floats], number: int) -> tuple[Setting, ...]:
    """Return `number` settings for each of RANKS, the best for its recall first. One may be among several."""
    found: list[Setting] = []
    for place in range(len(RANKS)):
        ordered = sorted(reached, key=lambda one: (reached[one][place], reached[one][-1]), reverse=True)
        found += ordered[:number]
    return tuple(found)


def _combined(models: list[Floats]) -> Floats:
    """Return minus the place that Borda counts give each item for each query: of shape (queries, items)."""
    ranks = np.stack([ranks_of(scores) for scores in models], axis=1)
    found = np.empty(models[0].shape)
    for query, rows in enumerate(ranks):
        found[query, borda_order(rows)] = -np.arange(float(rows.shape[1]))
    return found


def ranks_of(scores: Floats) -> Ints:
    """Return each item's rank from 0 in each row. Of items with equal scores, the first comes first.

    >>> ranks_of(np.array([[0.2, 0.9, 0.2]])).tolist()
    [[1, 0, 2]]
    """
    order = np.argsort(-scores, axis=1, kind="stable")
    found = np.empty(scores.shape, dtype=np.int64)
    np.put_along_axis(found, order, np.arange(scores.shape[1])[None, :], axis=1)
    return found
