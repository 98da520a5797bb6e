"""Phrase localization by canonical correlation analysis of phrases and regions, with cues.

The source is Flickr30k Entities (Plummer et al. 2017, IJCV), sections 4.1.1 and 4.1.3. Its features of
regions are those of a network, and its detector and colour classifier are networks, too. Here they are what
runs without a download [ours], or features come from a file of the user's.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from baselines import softmax
from baselines.cca import ARRAYS, CCA, Pairs, row_basis
from baselines.model_file import load_model, save_model
from baselines.phrases import Kind, PhraseFeatures, colour_of, head_noun
from baselines.region_features import WithLooks, looks_kinds
from baselines.regions import RegionSource, Rows
from baselines.softmax import Softmax
from baselines.words import WordVectors, content_words, sentences_of
from evaluation.arrays import Floats
from evaluation.boxes import areas, enclosing, iou_matrix
from evaluation.dataset import Boxes, Dataset, Image, Mention
from evaluation.errors import InputError, Place

DETECTOR, SIZE, COLOUR = "detector", "size", "colour"
CUES = (DETECTOR, SIZE, COLOUR)
"""The cues of equations 1, 2 and 3."""
LARGE_TYPES = frozenset({"scene", "vehicles", "instruments"})
"""The types whose phrases prefer large regions more (section 4.1.3)."""
PEOPLE = "people"
"""Phrases of this type have no colour cue: colours of people are races (section 4.1.3)."""
BACKGROUND = "(background)"
"""The detector's class of regions that hold nothing. No word is called so."""
BACKGROUND_IOU = 0.3
"""A region with a smaller IoU with everything that captions mention is background [ours]."""
BLOCK = 1_000
"""Phrases whose features are in memory at a time."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words of a phrase that count, and its types. Phrases that are equal score equally."""

    words: tuple[str, ...]
    types: frozenset[str]

    @classmethod
    def of(cls, mention: Mention) -> Phrase:
        """Return the phrase of a mention."""
        return cls(content_words(mention.tokens), frozenset(mention.types))


def full_distance(
    distance: Floats,
    *,
    detector: Floats | None = None,
    detector_share: float = 0.5,
    size: Floats | None = None,
    size_weight: float = 0.0,
    colour: Floats | None = None,
    colour_weight: float = 0.0,
) -> Floats:
    """Return the distance of a phrase to regions, of shape (regions,), by equations 1 to 3.

    `distance` is that of CCA. The others are from 0 to 1, and each is left out if it is None: the detector's
    score, the share of the image's area, and the score of the colour that the phrase names.

    >>> full_distance(np.array([0.6]), detector=np.array([0.8])).round(6).tolist()
    [0.4]
    >>> full_distance(np.array([0.6]), size=np.array([0.5]), size_weight=0.2).round(6).tolist()
    [0.58]
    """
    found = distance
    if detector is not None:
        found = (1 - detector_share) * found + detector_share * (1 - detector)
    rest = 1.0
    terms = np.zeros_like(found)
    if size is not None:
        rest -= size_weight
        terms = terms + size_weight * (1 - size)
    if colour is not None:
        rest -= colour_weight
        terms = terms + colour_weight * (1 - colour)
    return np.asarray(rest * found + terms)


@dataclass(frozen=True, slots=True)
class Scored:
    """An image's regions, ready to be compared with phrases."""

    boxes: Boxes
    embedded: NDArray[np.float32]
    """Of shape (regions, components), with unit length."""
    detector: Floats
    """How likely each class of the detector is, of shape (regions, classes)."""
    colour: Floats
    size: Floats
    """The share of the image's area, of shape (regions,)."""


@dataclass(kw_only=True)
class PhraseLocalizer(WithLooks):
    """Scores each region of an image for each phrase, without regard to other phrases.

    | parameter | meaning | the paper's |
    | --- | --- | --- |
    | exemplars | the most regions of a phrase in training, drawn at random | 10 |
    | kind, dimensions, centres | features of phrases (`phrases.PhraseFeatures`) | Fisher vectors, 300, 30 |
    | components, regularization, power | of the CCA (`cca.CCA`) | 4,096; not said; 1 |
    | cues | which of CUES count | all |
    | detector_share | of the detector's score, where there is one (1) | 0.5 |
    | size_weight, large_size_weight | w_size, and that of LARGE_TYPES (2) | 0.1, 0.2 |
    | colour_weight | w_color (3), which the paper finds on its validation part | not said |
    | detected, least_detected | the most head nouns with a detector, and the least regions of each | 20 |
    | negative_images, negatives | images, and regions of each, that are background to the detector | |
    | penalty | of the detector and the colour classifier (`softmax.Softmax`) | |
    """

    exemplars: int = 10
    kind: Kind = "fisher"
    dimensions: int = 300
    centres: int = 30
    components: int = 4096
    regularization: float = 0.01
    power: float = 1.0
    cues: tuple[str, ...] = CUES
    detector_share: float = 0.5
    size_weight: float = 0.1
    large_size_weight: float = 0.2
    colour_weight: float = 0.1
    detected: int = 20
    least_detected: int = 20
    negative_images: int = 200
    negatives: int = 20
    penalty: float = 10.0
    seed: int = 1
    phrases_: PhraseFeatures = field(init=False, repr=False)
    cca_: CCA = field(init=False, repr=False)
    detector_: Softmax = field(init=False, repr=False)
    colour_: Softmax = field(init=False, repr=False)
    scale_: tuple[Rows, Rows] = field(init=False, repr=False)
    """Mean and standard deviation of the features of regions in training."""

    def __post_init__(self) -> None:
        """Raise ValueError if a parameter cannot be meant."""
        self.cues = tuple(self.cues)
        if not {*self.cues} <= {*CUES}:
            raise ValueError(f"cues: {', '.join(self.cues)} are not some of {', '.join(CUES)}")
        if self.exemplars < 1:
            raise ValueError(f"exemplars: {self.exemplars} is not 1 or more")
        self._features(), self._cca()  # they check their own

    def fit(
        self,
        dataset: Dataset,
        source: RegionSource,
        *,
        vectors: WordVectors | None = None,
        progress: Callable[[Iterable[Image]], Iterable[Image]] = iter,
    ) -> Self:
        """Learn from the mentions of a data set that have boxes. Several boxes count as the one around them.

        Word vectors are learnt from the captions, unless there are some. Raise InputError if there is nothing
        to learn from.
        """
        rng = np.random.default_rng(self.seed)
        chosen = _exemplars(dataset, self.exemplars, rng)
        if len(chosen) < 2:
            raise InputError(f"{dataset.title} has {len(chosen)} phrases with a box; two are the least")
        try:
            self.phrases_ = self._features().fit(sentences_of(dataset), vectors)
        except ValueError as error:
            raise InputError(f"{dataset.title}: {error}") from error
        rows, phrases = self._regions(dataset, chosen, source, progress)
        mean, deviation = rows.mean(axis=0), rows.std(axis=0)
        self.scale_ = (mean, np.where(deviation > 1e-6, deviation, 1.0).astype(np.float32))
        rows = self._scaled(rows)
        try:
            distinct = list(dict.fromkeys(phrase.words for phrase in phrases))
            self.cca_ = self._cca().fit_blocks(
                self._pairs(rows, phrases), phrase_basis(self.phrases_, distinct)
            )
        except ValueError as error:
            raise InputError(f"{dataset.title}: {error}") from error
        self.colour_ = self._learn_colours(rows, phrases)
        self.detector_ = self._learn_detector(rows, phrases, dataset, source, rng)
        return self

    def embed(self, phrases: Sequence[Phrase]) -> NDArray[np.float32]:
        """Return phrases in the common space, of shape (phrases, components), with unit length."""
        blocks = [phrases[begin : begin + BLOCK] for begin in range(0, len(phrases), BLOCK)]
        found = [
            self.cca_.project(self.phrases_.transform([one.words for one in block]), 0) for block in blocks
        ]
        return np.concatenate(found) if found else np.zeros((0, len(self.cca_.correlations_)), np.float32)

    def regions(self, image: Image, source: RegionSource) -> Scored:
        """Return the proposals of an image, ready to be compared with phrases."""
        boxes = source.proposals(image)
        rows, known = source.features(image, boxes)
        boxes, rows = boxes[known], rows[known]
        self._check_width(rows)
        rows = self._scaled(rows)
        whole = float(image.width * image.height) or float(areas(boxes).max(initial=1.0))
        return Scored(
            boxes=boxes,
            embedded=self.cca_.project(rows, 1),
            detector=self.detector_.score(rows),
            colour=self.colour_.score(rows),
            size=np.clip(areas(boxes) / whole, 0.0, 1.0),
        )

    def score(
        self,
        phrases: Sequence[Phrase],
        embedded: NDArray[np.float32],
        regions: Scored,
        *,
        cues: Sequence[str] | None = None,
    ) -> Floats:
        """Return one minus the distance of each phrase to each region, of shape (phrases, regions).

        `embedded` is what `embed` gives for the phrases. `cues` are the model's, unless there are some.
        """
        cues = self.cues if cues is None else cues
        found = 1 - np.asarray(embedded @ regions.embedded.T, dtype=np.float64)
        for at, phrase in enumerate(phrases):
            noun, colour = head_noun(phrase.words), colour_of(phrase.words)
            has_detector = DETECTOR in cues and noun in self.detector_.classes_
            has_colour = COLOUR in cues and PEOPLE not in phrase.types and colour in self.colour_.classes_
            large = not LARGE_TYPES.isdisjoint(phrase.types)
            found[at] = full_distance(
                found[at],
                detector=regions.detector[:, self.detector_.classes_.index(noun)] if has_detector else None,
                detector_share=self.detector_share,
                size=regions.size if SIZE in cues else None,
                size_weight=self.large_size_weight if large else self.size_weight,
                colour=regions.colour[:, self.colour_.classes_.index(colour)] if has_colour else None,
                colour_weight=self.colour_weight,
            )
        return 1 - found

    def save(self, path: Path) -> None:
        """Write the model. Raise InputError if the file cannot be written."""
        arrays = {
            **self.phrases_.arrays(),
            **self.cca_.arrays(),
            **self.detector_.arrays(DETECTOR),
            **self.colour_.arrays(COLOUR),
            "scale": np.stack(self.scale_),
        }
        save_model(path, self, {**arrays, **self.looks_arrays()})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model. Raise InputError if the file is none."""
        model, arrays = load_model(path, cls, cls._kinds)
        place = Place(str(path))
        try:
            model.phrases_ = model._features().set_arrays(arrays)
            model.cca_ = model._cca().set_arrays(arrays)
            model.detector_ = Softmax(penalty=model.penalty).set_arrays(arrays, DETECTOR)
            model.colour_ = Softmax(penalty=model.penalty).set_arrays(arrays, COLOUR)
            mean, deviation = arrays["scale"]
        except (ValueError, TypeError) as error:
            raise place.error("", f"is damaged: {error}") from error
        model.scale_ = (mean, deviation)
        model.codebook_ = arrays.get("codebook")
        return model

    def _features(self) -> PhraseFeatures:
        return PhraseFeatures(
            kind=self.kind, dimensions=self.dimensions, centres=self.centres, seed=self.seed
        )

    def _cca(self) -> CCA:
        return CCA(components=self.components, regularization=self.regularization, power=self.power)

    @staticmethod
    def _kinds(parameters: dict[str, Any]) -> dict[str, str]:
        """Return which arrays a file with these parameters has, and of which kind each is."""
        kinds = PhraseFeatures(kind=parameters.get("kind", "fisher")).array_kinds()
        kinds |= dict.fromkeys(ARRAYS, "f") | {"scale": "f"}
        kinds |= softmax.array_kinds(DETECTOR) | softmax.array_kinds(COLOUR)
        return kinds | looks_kinds(parameters)

    def _scaled(self, rows: Rows) -> Rows:
        return (rows - self.scale_[0]) / self.scale_[1]

    def _check_width(self, rows: Rows) -> None:
        if rows.shape[1] != len(self.scale_[0]):
            raise InputError(
                f"regions have {rows.shape[1]} features, and the model was trained with {len(self.scale_[0])}"
            )

    def _regions(
        self,
        dataset: Dataset,
        chosen: dict[tuple[str, ...], list[_Exemplar]],
        source: RegionSource,
        progress: Callable[[Iterable[Image]], Iterable[Image]],
    ) -> tuple[Rows, list[Phrase]]:
        """Return the features of the regions that were chosen, and the phrase of each."""
        by_image: defaultdict[int, list[_Exemplar]] = defaultdict(list)
        for exemplars in chosen.values():
            for one in exemplars:
                by_image[one.image].append(one)
        rows: list[Rows] = []
        phrases: list[Phrase] = []
        for at, image in enumerate(progress(dataset.images)):
            mine = by_image.get(at, [])
            if not mine:
                continue
            boxes, place = np.unique(np.stack([one.box for one in mine]), axis=0, return_inverse=True)
            found, known = source.features(image, boxes)
            for one, nth in zip(mine, place.ravel().tolist(), strict=True):
                if known[nth]:
                    rows.append(found[nth])
                    phrases.append(one.phrase)
        if len(rows) < 2:
            raise InputError("the file of features has no box that overlaps the true boxes by a half")
        return np.stack(rows), phrases

    def _pairs(self, rows: Rows, phrases: Sequence[Phrase]) -> Iterator[Pairs]:
        of_words: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for at, phrase in enumerate(phrases):
            of_words[phrase.words].append(at)
        distinct = list(of_words)
        for begin in range(0, len(distinct), BLOCK):
            block = distinct[begin : begin + BLOCK]
            places = [of_words[words] for words in block]
            owner = np.repeat(np.arange(len(block)), [len(one) for one in places])
            yield Pairs(self.phrases_.transform(block), rows[np.concatenate(places)], owner)

    def _learn_colours(self, rows: Rows, phrases: Sequence[Phrase]) -> Softmax:
        named = [(at, colour_of(one.words)) for at, one in enumerate(phrases) if PEOPLE not in one.types]
        named = [(at, colour) for at, colour in named if colour]
        places = np.array([at for at, _ in named], dtype=np.int64)
        return Softmax(penalty=self.penalty).fit(rows[places], [colour for _, colour in named])

    def _learn_detector(
        self,
        rows: Rows,
        phrases: Sequence[Phrase],
        dataset: Dataset,
        source: RegionSource,
        rng: np.random.Generator,
    ) -> Softmax:
        nouns = [head_noun(one.words) for one in phrases]
        common = [
            noun
            for noun, count in Counter(nouns).most_common(self.detected)
            if noun and count >= self.least_detected
        ]
        places = [at for at, noun in enumerate(nouns) if noun in common]
        background = self._background(dataset, source, rng) if common else np.empty((0, rows.shape[1]))
        if not len(background):
            return Softmax(penalty=self.penalty)
        classes = [nouns[at] for at in places] + [BACKGROUND] * len(background)
        every = np.concatenate([rows[places], self._scaled(background.astype(np.float32))])
        return Softmax(penalty=self.penalty).fit(every, classes)

    def _background(self, dataset: Dataset, source: RegionSource, rng: np.random.Generator) -> Rows:
        """Return features of proposals that hardly overlap anything that captions mention."""
        number = min(self.negative_images, len(dataset.images))
        found = []
        for at in np.sort(rng.choice(len(dataset.images), number, replace=False)).tolist():
            image = dataset.images[at]
            true = [chain.boxes for chain in image.chains.values() if len(chain.boxes)]
            boxes = source.proposals(image)
            if true:
                boxes = boxes[
                    iou_matrix(boxes, np.concatenate(true)).max(axis=1, initial=0.0) < BACKGROUND_IOU
                ]
            drawn = rng.choice(len(boxes), min(self.negatives, len(boxes)), replace=False)
            rows, known = source.features(image, boxes[drawn])
            found.append(rows[known])
        return np.concatenate(found)


@dataclass(frozen=True, slots=True)
class _Exemplar:
    phrase: Phrase
    image: int
    box: Boxes


def phrase_basis(features: PhraseFeatures, phrases: Sequence[Sequence[str]]) -> Floats | None:
    """Return a basis of the features of phrases for `CCA.fit_blocks`.

    None if there are so many phrases that it would save nothing.
    """
    if len(phrases) > features.width / 2:
        return None
    return row_basis(features.transform(phrases))


def _exemplars(
    dataset: Dataset, most: int, rng: np.random.Generator
) -> dict[tuple[str, ...], list[_Exemplar]]:
    """Return at most so many regions of each phrase. One thing counts once for each phrase that names it."""
    found: defaultdict[tuple[str, ...], dict[tuple[int, str], _Exemplar]] = defaultdict(dict)
    for at, image in enumerate(dataset.images):
        for mention in image.mentions():
            chain = image.chains.get(mention.chain) if mention.chain else None
            phrase = Phrase.of(mention)
            if chain is not None and len(chain.boxes) and phrase.words:
                exemplar = _Exemplar(phrase, at, enclosing(chain.boxes))
                found[phrase.words].setdefault((at, chain.id), exemplar)
    chosen = {}
    for words, regions in found.items():
        every = list(regions.values())
        if len(every) > most:
            every = [every[nth] for nth in np.sort(rng.choice(len(every), most, replace=False)).tolist()]
        chosen[words] = every
    return chosen
