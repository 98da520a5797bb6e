"""Retrieval of captions for images, and of images for captions, by whole-image CCA and by phrases.

The source is Flickr30k Entities (Plummer et al. 2017, IJCV), section 4.2, with equations 4 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from baselines.cca import (
    ARRAYS,
    CCA,
    EIGENVALUE,
    POWER,
    Eigenvalue,
    Pairs,
    Scaling,
    of_older,
    scaled_cosines,
)
from baselines.cues import Phrase
from baselines.exemplars import phrase_basis
from baselines.localization import BLOCK, PhraseLocalizer
from baselines.model_file import load_model, save_model
from baselines.phrases import Kind, PhraseFeatures
from baselines.region_features import WithLooks, looks_kinds
from baselines.regions import CROPS, RegionSource, Rows
from baselines.words import WordVectors, sentences_of
from baselines.work import show
from evaluation.arrays import Floats
from evaluation.dataset import Dataset, Image
from evaluation.errors import InputError, Place

PENALTY = 1.5
"""γ of equation 4, as the paper found it."""
WHOLE_SHARE = 0.7
"""α of equation 5, as the paper has it."""
WITHOUT_PHRASES = 1.0
"""The distance of a sentence without a phrase by equation 4 [ours]: that of a cosine of 0."""


def combined_distance(whole: Floats, by_phrases: Floats, *, whole_share: float = WHOLE_SHARE) -> Floats:
    """Return the distance of sentences to images by both models (equation 5). Shapes are broadcast.

    >>> combined_distance(np.array([0.54]), np.array([0.49])).round(3).tolist()
    [0.525]
    """
    return np.asarray(whole_share * whole + (1 - whole_share) * by_phrases)


@dataclass(kw_only=True)
class ImageSentenceRetrieval(WithLooks):
    """CCA of whole images and whole sentences; and distances by phrases, with a phrase localizer.

    `kind`, `dimensions` and `centres` are of the sentences' features (`phrases.PhraseFeatures`), and
    `components`, `regularization`, `eigenvalue` and `power` of the CCA (`cca.CCA`). `penalty` is γ of
    equation 4, and `whole_share` α of equation 5. `crops` says over how many crops features of photographs
    are averaged; the source does this (`regions.Photographs`).
    """

    kind: Kind = "fisher"
    dimensions: int = 300
    centres: int = 30
    components: int = 4096
    regularization: float = 0.1
    eigenvalue: Eigenvalue = EIGENVALUE
    power: float = POWER
    penalty: float = PENALTY
    whole_share: float = WHOLE_SHARE
    crops: int = CROPS
    seed: int = 1
    sentences_: PhraseFeatures = field(init=False, repr=False)
    cca_: CCA = field(init=False, repr=False)
    scale_: tuple[Rows, Rows] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Raise ValueError if a parameter cannot be meant."""
        self._features(), self._cca()  # they check their own

    def fit(self, dataset: Dataset, source: RegionSource, *, vectors: WordVectors | None = None) -> Self:
        """Learn from images and their captions. Raise InputError if there is nothing to learn from."""
        images = captioned(dataset)
        rows = np.stack([source.whole(image) for image in show(images, "Images", len(images))])
        mean, deviation = rows.mean(axis=0), rows.std(axis=0)
        self.scale_ = (mean, np.where(deviation > 1e-6, deviation, 1.0).astype(np.float32))
        rows = (rows - self.scale_[0]) / self.scale_[1]
        owner = np.repeat(np.arange(len(images)), [len(image.captions) for image in images])
        sentences = sentences_of(dataset)
        try:
            features = self.sentences_ = self._features().fit(sentences, vectors)
            blocks = (
                Pairs(
                    features.transform(sentences[begin : begin + BLOCK]),
                    rows[owner[begin : begin + BLOCK]],
                    np.arange(len(sentences[begin : begin + BLOCK])),
                )
                for begin in range(0, len(sentences), BLOCK)
            )
            self.cca_ = self._cca().fit_blocks(blocks, phrase_basis(features, list(dict.fromkeys(sentences))))
        except ValueError as error:
            raise InputError(f"{dataset.title}: {error}") from error
        return self

    def rescale(self, scaling: Scaling) -> None:
        """Scale the projections of the CCA anew."""
        self.eigenvalue, self.power = scaling.eigenvalue, scaling.power
        self.cca_.rescale(scaling)

    def whole_distance(self, dataset: Dataset, source: RegionSource) -> Floats:
        """Return the distance of each image to each caption by whole-image CCA: (images, captions)."""
        return self.whole_distances(dataset, source, [Scaling(self.eigenvalue, self.power)])[0]

    def whole_distances(
        self, dataset: Dataset, source: RegionSource, scalings: Sequence[Scaling]
    ) -> list[Floats]:
        """Return what `whole_distance` would with each scaling."""
        images = captioned(dataset)
        rows = np.stack([source.whole(image) for image in show(images, "Images", len(images))])
        if rows.shape[1] != len(self.scale_[0]):
            raise InputError(
                f"images have {rows.shape[1]} features, and the model was trained with {len(self.scale_[0])}"
            )
        embedded = self.cca_.coordinates((rows - self.scale_[0]) / self.scale_[1], 1)
        sentences = sentences_of(dataset)
        found = np.concatenate(
            [
                self.cca_.coordinates(self.sentences_.transform(sentences[begin : begin + BLOCK]), 0)
                for begin in range(0, len(sentences), BLOCK)
            ]
        )
        factors = [scaling.factors(self.cca_.correlations_) for scaling in scalings]
        return [1 - scaled_cosines(embedded, found, one) for one in factors]

    def score(self, dataset: Dataset, source: RegionSource, by_phrases: Floats | None = None) -> Floats:
        """Return the negative distance of each image to each caption, of shape (images, captions).

        With `by_phrases`, which `PhraseDistances` gives, it is that of equation 5, else by whole-image CCA
        alone. Images without a caption are left out; captions are those of the images, in their order.
        """
        whole = self.whole_distance(dataset, source)
        if by_phrases is None:
            return -whole
        return -combined_distance(whole, by_phrases, whole_share=self.whole_share)

    def save(self, path: Path) -> None:
        """Write the model. Raise InputError if the file cannot be written."""
        arrays = {**self.sentences_.arrays(), **self.cca_.arrays(), "scale": np.stack(self.scale_)}
        save_model(path, self, {**arrays, **self.looks_arrays()})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model. Raise InputError if the file is none."""
        model, arrays = load_model(path, cls, _array_kinds, _of_older)
        try:
            model.sentences_ = model._features().set_arrays(arrays)
            model.cca_ = model._cca().set_arrays(arrays)
            mean, deviation = arrays["scale"]
        except (ValueError, TypeError) as error:
            raise Place(str(path)).error("", f"is damaged: {error}") from error
        model.scale_ = (mean, deviation)
        model.codebook_ = arrays.get("codebook")
        return model

    def _features(self) -> PhraseFeatures:
        return PhraseFeatures(
            kind=self.kind, dimensions=self.dimensions, centres=self.centres, seed=self.seed
        )

    def _cca(self) -> CCA:
        return CCA(
            components=self.components,
            regularization=self.regularization,
            eigenvalue=self.eigenvalue,
            power=self.power,
        )


def captioned(dataset: Dataset) -> list[Image]:
    """Return the images that have captions. Raise InputError if none has one."""
    images = [image for image in dataset.images if image.captions]
    if not images:
        raise InputError(f"{dataset.title} has no caption")
    return images


@dataclass(frozen=True, eq=False)
class PhraseDistances:
    """How near the best region of each image is to each phrase, and the phrases of each caption.

    All phrases of a caption count, also those that are not visual (section 4.2, footnote 5). Chunks without a
    word that counts, such as pronouns, are none [ours]: no feature stands for them.
    """

    nearest: Floats
    """Of shape (images, distinct phrases); its columns are `places`."""
    said: tuple[tuple[Phrase, ...], ...]
    """The phrases of each caption."""
    places: dict[Phrase, int]

    def of_captions(self, penalty: float = PENALTY) -> Floats:
        """Return the distance of each image to each caption by equation 4: of shape (images, captions)."""
        found = np.asarray((caption_sums(self.said, self.places, penalty) @ self.nearest.T).T)
        found[:, [not phrases for phrases in self.said]] = WITHOUT_PHRASES
        return found


def phrase_distances(
    localizer: PhraseLocalizer,
    dataset: Dataset,
    source: RegionSource,
    *,
    cues: Sequence[str] | None = None,
) -> PhraseDistances:
    """Return how near the regions of each image are to the phrases of all captions. Cues as in `score`."""
    images = captioned(dataset)
    captions = [
        [Phrase.of(one) for one in caption.mentions] for image in images for caption in image.captions
    ]
    said = tuple(tuple(phrase for phrase in phrases if phrase.words) for phrases in captions)
    distinct = {phrase: at for at, phrase in enumerate(dict.fromkeys(one for many in said for one in many))}
    embedded = localizer.embed(list(distinct))
    found = np.empty((len(images), len(distinct)))
    for at, image in enumerate(show(images, "Phrases in images", len(images))):
        found[at] = nearest_distances(localizer, image, source, list(distinct), embedded, cues)
    return PhraseDistances(found, said, distinct)


def nearest_distances(
    localizer: PhraseLocalizer,
    image: Image,
    source: RegionSource,
    phrases: Sequence[Phrase],
    embedded: NDArray[np.float32],
    cues: Sequence[str] | None = None,
) -> Floats:
    """Return the distance of each phrase to the region of an image that fits it best, of shape (phrases,)."""
    regions = localizer.regions(image, source)
    if not len(regions.boxes):
        return np.full(len(phrases), WITHOUT_PHRASES)
    return np.asarray(1 - localizer.score(phrases, embedded, regions, cues=cues).max(axis=1))


def caption_sums(said: Sequence[Sequence[Phrase]], places: dict[Phrase, int], penalty: float) -> csr_matrix:
    """Return what makes distances of captions of those of phrases: of shape (captions, phrases).

    With a `penalty` of 1 it is their mean; a larger one makes captions with many phrases nearer (equation 4).
    """
    rows = np.repeat(np.arange(len(said)), [len(phrases) for phrases in said])
    columns = np.array([places[one] for phrases in said for one in phrases], dtype=np.int64)
    weights = np.array([len(phrases) ** -penalty for phrases in said for _ in phrases], dtype=np.float64)
    return csr_matrix((weights, (rows, columns)), shape=(len(said), len(places)))


def _of_older(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of a model file as of today. Older ones have no crops."""
    return {"crops": 1, **of_older(parameters)}


def _array_kinds(parameters: dict[str, Any]) -> dict[str, str]:
    kinds = PhraseFeatures(kind=parameters.get("kind", "fisher")).array_kinds()
    return kinds | dict.fromkeys(ARRAYS, "f") | {"scale": "f"} | looks_kinds(parameters)
