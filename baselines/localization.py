"""Phrase localization by canonical correlation analysis of phrases and regions, with cues.

The source is Flickr30k Entities (Plummer et al. 2017, IJCV), sections 4.1.1 and 4.1.3. Its features of
regions are those of a network, and its detector and colour classifier are networks, too. Here they are what
runs without a download [ours], or features come from a file of the user's.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from baselines import softmax
from baselines.cca import ARRAYS, CCA, EIGENVALUE, POWER, Eigenvalue, Pairs, Scaling, of_older
from baselines.cues import (
    COLOUR,
    COLOUR_WEIGHT,
    CUES,
    DETECTOR,
    PEOPLE,
    SIZE_WEIGHT,
    SIZE_WEIGHTS,
    Evidence,
    Phrase,
    Scored,
    Scores,
    Weights,
    distances,
)
from baselines.exemplars import BACKGROUND, Exemplar, background_rows, exemplars_of, phrase_basis
from baselines.model_file import load_model, save_model
from baselines.phrases import Kind, PhraseFeatures, category_of, colour_of, common_colours
from baselines.region_features import WithLooks, looks_kinds
from baselines.regions import RegionSource, Rows
from baselines.softmax import Softmax
from baselines.words import WordVectors, sentences_of
from evaluation.arrays import Floats
from evaluation.boxes import areas
from evaluation.dataset import Boxes, Dataset, Image
from evaluation.errors import InputError, Place

BLOCK = 1_000
"""Phrases whose features are in memory at a time."""


@dataclass(kw_only=True)
class PhraseLocalizer(WithLooks):
    """Scores each region of an image for each phrase, without regard to other phrases.

    | parameter | meaning | the paper's |
    | --- | --- | --- |
    | exemplars | the most regions of a phrase in training, drawn at random | 10 |
    | kind, dimensions, centres | features of phrases (`phrases.PhraseFeatures`) | Fisher vectors, 300, 30 |
    | components, regularization | of the CCA (`cca.CCA`) | 4,096; not said |
    | eigenvalue, power | of the CCA's `Scaling`; see there | not said; its source: 1+rho; 2, 3 or 4 |
    | cues | which of CUES count | all |
    | detector_share, size_weight, size_weights, colour_weight | see `cues.Weights` | .5; .1, .2; not said |
    | categories | the category of a phrase's words (`phrases.category_of`) | 20 of PASCAL, by hand |
    | detected, least_detected | the most categories with a detector, and the least regions of each | 20 |
    | least_colour_phrases | how often a colour has to occur (`phrases.common_colours`) | 1,000 |
    | negative_images, negatives | images, and regions of each, that are background to the detector | |
    | penalty | of the detector and the colour classifier (`softmax.Softmax`) | |
    | own_scores | the cues whose scores are the user's (`use_scores`), and are not learnt | detector |

    The paper's weights are of its own validation images. `cue_weights.tune` finds them for a data set.
    """

    exemplars: int = 10
    kind: Kind = "fisher"
    dimensions: int = 300
    centres: int = 30
    components: int = 4096
    regularization: float = 0.01
    eigenvalue: Eigenvalue = EIGENVALUE
    power: float = POWER
    cues: tuple[str, ...] = CUES
    detector_share: float = 0.5
    size_weight: float = SIZE_WEIGHT
    size_weights: Mapping[str, float] = field(default_factory=lambda: dict(SIZE_WEIGHTS))
    colour_weight: float = COLOUR_WEIGHT
    categories: Mapping[str, str] = field(default_factory=dict)
    detected: int = 20
    least_detected: int = 20
    least_colour_phrases: int | None = None
    negative_images: int = 200
    negatives: int = 20
    penalty: float = 10.0
    own_scores: tuple[str, ...] = ()
    seed: int = 1
    phrases_: PhraseFeatures = field(init=False, repr=False)
    cca_: CCA = field(init=False, repr=False)
    detector_: Softmax = field(init=False, repr=False)
    colour_: Softmax = field(init=False, repr=False)
    scale_: tuple[Rows, Rows] = field(init=False, repr=False)
    """Mean and standard deviation of the features of regions in training."""
    _given: dict[str, Scores] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Raise ValueError if a parameter cannot be meant."""
        self.cues, self.own_scores = tuple(self.cues), tuple(self.own_scores)
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
        chosen = exemplars_of(dataset, self.exemplars, rng)
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
        self.colour_ = self._learn_colours(rows, phrases, dataset)
        self.detector_ = self._learn_detector(rows, phrases, dataset, source, rng)
        return self

    def use_scores(self, cue: str, scores: Scores) -> None:
        """Take the scores of the detector, or those of colours, from the user. Then they are not learnt."""
        self._given[cue] = scores
        self.own_scores = tuple(sorted({*self.own_scores, cue}))

    def rescale(self, scaling: Scaling) -> None:
        """Scale the projections of the CCA anew."""
        self.eigenvalue, self.power = scaling.eigenvalue, scaling.power
        self.cca_.rescale(scaling)

    @property
    def weights(self) -> Weights:
        """Return how much each cue counts."""
        return Weights(
            detector_share=self.detector_share,
            size_weight=self.size_weight,
            size_weights=self.size_weights,
            colour_weight=self.colour_weight,
        )

    def embed(self, phrases: Sequence[Phrase], *, scaled: bool = True) -> NDArray[np.float32]:
        """Return phrases in the common space, of shape (phrases, components), with unit length.

        If not `scaled`, they are `CCA.coordinates`.
        """
        project = self.cca_.project if scaled else self.cca_.coordinates
        blocks = [phrases[begin : begin + BLOCK] for begin in range(0, len(phrases), BLOCK)]
        found = [project(self.phrases_.transform([one.words for one in block]), 0) for block in blocks]
        return np.concatenate(found) if found else np.zeros((0, len(self.cca_.correlations_)), np.float32)

    def regions(self, image: Image, source: RegionSource, *, scaled: bool = True) -> Scored:
        """Return the proposals of an image, ready to be compared with phrases. `scaled` is as in `embed`."""
        boxes = source.proposals(image)
        rows, known = source.features(image, boxes)
        boxes, rows = boxes[known], rows[known]
        self._check_width(rows)
        rows = self._scaled(rows)
        whole = float(image.width * image.height) or float(areas(boxes).max(initial=1.0))
        return Scored(
            boxes=boxes,
            embedded=self.cca_.project(rows, 1) if scaled else self.cca_.coordinates(rows, 1),
            detector=self._scores(DETECTOR, self.detector_, image, boxes, rows),
            colour=self._scores(COLOUR, self.colour_, image, boxes, rows),
            size=np.clip(areas(boxes) / whole, 0.0, 1.0),
        )

    def score(
        self,
        phrases: Sequence[Phrase],
        embedded: NDArray[np.float32],
        regions: Scored,
        *,
        cues: Sequence[str] | None = None,
        detector_share: float | None = None,
    ) -> Floats:
        """Return one minus the distance of each phrase to each region, of shape (phrases, regions).

        `embedded` is what `embed` gives for the phrases. Cues and share are the model's unless given.
        """
        weights = self.weights
        if detector_share is not None:
            weights = replace(weights, detector_share=detector_share)
        cca = 1 - np.asarray(embedded @ regions.embedded.T, dtype=np.float64)
        evidence = self.evidence(phrases, regions)
        return 1 - distances(cca, phrases, evidence, weights, self.cues if cues is None else cues)

    def evidence(self, phrases: Sequence[Phrase], regions: Scored) -> Evidence:
        """Return what the cues say of each phrase. People have no colour, since theirs are races (4.1.3)."""
        detected, coloured = self.classes(DETECTOR), self.classes(COLOUR)
        detector: list[Floats | None] = []
        colour: list[Floats | None] = []
        for phrase in phrases:
            category, named = self.category(phrase), colour_of(phrase.words)
            detector.append(regions.detector[:, detected.index(category)] if category else None)
            known = named in coloured and PEOPLE not in phrase.types
            colour.append(regions.colour[:, coloured.index(named)] if known else None)
        return Evidence(tuple(detector), tuple(colour), regions.size)

    def category(self, phrase: Phrase) -> str:
        """Return the category whose detector a phrase has; "" if it has none."""
        found = category_of(phrase.words, self.categories)
        return found if found != BACKGROUND and found in self.classes(DETECTOR) else ""

    def classes(self, cue: str) -> tuple[str, ...]:
        """Return the classes of the detector or of the colour classifier."""
        if cue in self._given:
            return self._given[cue].classes
        return self.detector_.classes_ if cue == DETECTOR else self.colour_.classes_

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
        model, arrays = load_model(path, cls, cls._kinds, _of_older)
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
        return CCA(
            components=self.components,
            regularization=self.regularization,
            eigenvalue=self.eigenvalue,
            power=self.power,
        )

    @staticmethod
    def _kinds(parameters: dict[str, Any]) -> dict[str, str]:
        """Return which arrays a file with these parameters has, and of which kind each is."""
        kinds = PhraseFeatures(kind=parameters.get("kind", "fisher")).array_kinds()
        kinds |= dict.fromkeys(ARRAYS, "f") | {"scale": "f"}
        kinds |= softmax.array_kinds(DETECTOR) | softmax.array_kinds(COLOUR)
        return kinds | looks_kinds(parameters)

    def _scaled(self, rows: Rows) -> Rows:
        return (rows - self.scale_[0]) / self.scale_[1]

    def _scores(self, cue: str, learnt: Softmax, image: Image, boxes: Boxes, rows: Rows) -> Floats:
        given = self._given.get(cue)
        return learnt.score(rows) if given is None else given.of_boxes(image, boxes)

    def _check_width(self, rows: Rows) -> None:
        if rows.shape[1] != len(self.scale_[0]):
            raise InputError(
                f"regions have {rows.shape[1]} features, and the model was trained with {len(self.scale_[0])}"
            )

    def _regions(
        self,
        dataset: Dataset,
        chosen: dict[tuple[str, ...], list[Exemplar]],
        source: RegionSource,
        progress: Callable[[Iterable[Image]], Iterable[Image]],
    ) -> tuple[Rows, list[Phrase]]:
        """Return the features of the regions that were chosen, and the phrase of each."""
        by_image: defaultdict[int, list[Exemplar]] = defaultdict(list)
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

    def _learn_colours(self, rows: Rows, phrases: Sequence[Phrase], dataset: Dataset) -> Softmax:
        if COLOUR in self.own_scores:
            return Softmax(penalty=self.penalty)
        mentions = [Phrase.of(one) for image in dataset.images for one in image.mentions()]
        common = common_colours(
            (one.words for one in mentions if PEOPLE not in one.types),
            len(mentions),
            self.least_colour_phrases,
        )
        named = [(at, colour_of(one.words)) for at, one in enumerate(phrases) if PEOPLE not in one.types]
        named = [(at, colour) for at, colour in named if colour in common]
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
        if DETECTOR in self.own_scores:
            return Softmax(penalty=self.penalty)
        nouns = [category_of(one.words, self.categories) for one in phrases]
        common = [
            noun
            for noun, count in Counter(filter(None, nouns)).most_common(self.detected)
            if count >= self.least_detected
        ]
        places = [at for at, noun in enumerate(nouns) if noun in common]
        background: Rows = np.empty((0, rows.shape[1]), dtype=np.float32)
        if common:
            background = background_rows(dataset, source, rng, self.negative_images, self.negatives)
        if not len(background):
            return Softmax(penalty=self.penalty)
        classes = [nouns[at] for at in places] + [BACKGROUND] * len(background)
        every = np.concatenate([rows[places], self._scaled(background)])
        return Softmax(penalty=self.penalty).fit(every, classes)


def _of_older(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of a model file as of today. Older ones have one weight for three types."""
    found = of_older(parameters)
    if "large_size_weight" in found:
        found["size_weights"] = dict.fromkeys(SIZE_WEIGHTS, found.pop("large_size_weight"))
    return found
