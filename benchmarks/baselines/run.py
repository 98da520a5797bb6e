"""One side of `benchmarks.baselines`: `python -m benchmarks.baselines.run TASK PHRASES D CENTRES F OUT.json`.

Seconds are those of the processor, so that other work on the machine changes little.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from baselines.cca import CCA
from baselines.fisher import FisherVectors
from baselines.localization import PhraseLocalizer
from baselines.localize import predict, write_boxes
from baselines.phrases import COLOURS as EVERY_COLOUR
from baselines.phrases import PhraseFeatures
from baselines.softmax import Softmax
from baselines.words import WordVectors
from evaluation.arrays import Floats
from evaluation.dataset import Boxes, Caption, Chain, Image, Mention, MentionKey

COLOURS = EVERY_COLOUR[:11]
"""As many as the paper has."""
REGIONS = 200
PHRASES_PER_IMAGE = 14
VOCABULARY = 8_000
WIDTH, HEIGHT = 500, 375


class MadeUp:
    """Regions that are made up for each image, and how long that took."""

    def __init__(self, features: int) -> None:
        self._features = features
        self.seconds = 0.0

    def proposals(self, image: Image) -> Boxes:
        begin = time.process_time()
        rng = np.random.default_rng(int(image.name))
        low = rng.random((REGIONS, 2)) * [WIDTH * 0.8, HEIGHT * 0.8]
        boxes = np.concatenate([low, low + 10 + rng.random((REGIONS, 2)) * 60], axis=1)
        self.seconds += time.process_time() - begin
        return boxes

    def features(self, image: Image, boxes: Boxes) -> tuple[Any, Any]:
        begin = time.process_time()
        rng = np.random.default_rng(int(image.name))
        rows = rng.standard_normal((len(boxes), self._features), dtype=np.float32)
        self.seconds += time.process_time() - begin
        return rows, np.ones(len(boxes), dtype=bool)

    def whole(self, image: Image) -> Any:
        return self.features(image, np.zeros((1, 4)))[0][0]

    def knows(self, image: Image) -> bool:
        return True


def made_up_model(dimensions: int, centres: int, features: int) -> PhraseLocalizer:
    """Return a model with numbers at random, as large as one that was trained."""
    rng = np.random.default_rng(1)
    model = PhraseLocalizer(dimensions=dimensions, centres=centres)
    words = WordVectors(dimensions=dimensions)
    words.words_ = (*COLOURS, *(f"word{at}" for at in range(VOCABULARY)))
    words.vectors_ = rng.standard_normal((len(words.words_), dimensions))
    model.phrases_ = PhraseFeatures(dimensions=dimensions, centres=centres)
    model.phrases_.fisher_ = _fisher(rng, dimensions, centres)
    model.phrases_.set_arrays({**words.arrays(), **model.phrases_.fisher_.arrays()})
    wide = 2 * dimensions * centres
    components = min(wide, features)
    model.cca_ = CCA().set_arrays(
        {
            "correlations": np.linspace(1, 0.1, components),
            "mean_x": np.zeros(wide),
            "mean_y": np.zeros(features),
            "projection_x": rng.standard_normal((wide, components), dtype=np.float32),
            "projection_y": rng.standard_normal((features, components), dtype=np.float32),
        }
    )
    model.detector_ = _softmax(rng, features, [f"word{at}" for at in range(20)])
    model.colour_ = _softmax(rng, features, [*COLOURS])
    model.scale_ = (np.zeros(features, np.float32), np.ones(features, np.float32))
    return model


def made_up_images(phrases: int) -> Iterator[Image]:
    """Yield images with about PHRASES_PER_IMAGE phrases of two words each, half of them with a colour."""
    rng = np.random.default_rng(2)
    chain = Chain("1", ("other",), np.array([[0.0, 0.0, 50.0, 50.0]]))
    for number, begin in enumerate(range(0, phrases, PHRASES_PER_IMAGE)):
        mentions = []
        for at in range(min(PHRASES_PER_IMAGE, phrases - begin)):
            noun = f"word{min(rng.geometric(0.002), VOCABULARY) - 1}"
            other = COLOURS[rng.integers(len(COLOURS))] if rng.random() < 0.5 else f"word{rng.integers(100)}"
            key = MentionKey(str(number), 0, 2 * at, 2 * at + 2)
            mentions.append(Mention(key, (other, noun), ("other",), "1"))
        caption = Caption(0, tuple(word for one in mentions for word in one.tokens), tuple(mentions))
        yield Image(str(number), WIDTH, HEIGHT, "test", (caption,), {"1": chain})


def main(task: str, phrases: int, dimensions: int, centres: int, features: int, out: Path) -> None:
    model = made_up_model(dimensions, centres, features)
    images = list(made_up_images(phrases))
    source = MadeUp(features)
    begin = time.process_time()
    if task == "predict":
        regions = (model.regions(image, source) for image in images)
        written = write_boxes(out.with_suffix(".npz"), images, predict(model, images, regions))
        assert written == phrases
    else:
        _products(model, images, source)
    seconds = time.process_time() - begin - source.seconds
    figures = {"phrases": phrases, "images": len(images), "seconds": max(seconds, 1e-3)}
    out.write_text(json.dumps(figures), encoding="utf-8")


def _products(model: PhraseLocalizer, images: list[Image], source: MadeUp) -> None:
    """Multiply as many numbers as the projections and the cosines need, and do nothing else."""
    of_x, of_y = (one.astype(np.float32) for one in model.cca_.projections_)
    rng = np.random.default_rng(3)
    distinct = {mention.tokens for image in images for mention in image.mentions()}
    for begin in range(0, len(distinct), 1_000):
        rows = min(1_000, len(distinct) - begin)
        rng.random((rows, len(of_x)), dtype=np.float32) @ of_x
    phrases = rng.random((PHRASES_PER_IMAGE, of_x.shape[1]), dtype=np.float32)
    for image in images:
        rows_of, _ = source.features(image, np.zeros((REGIONS, 4)))
        phrases @ (rows_of @ of_y).T


def _fisher(rng: np.random.Generator, dimensions: int, centres: int) -> FisherVectors:
    found = FisherVectors(centres=centres)
    found.weights_ = np.full(centres, 1 / centres)
    found.places_ = rng.standard_normal((centres, dimensions))
    found.spreads_ = np.full((centres, dimensions), 5.0)
    found.laplacian_ = rng.random((centres, dimensions)) < 0.5
    return found


def _softmax(rng: np.random.Generator, features: int, classes: list[str]) -> Softmax:
    found = Softmax()
    weights: Floats = rng.standard_normal((features, len(classes)))
    found.classes_, found.weights_, found.biases_ = tuple(classes), weights, np.zeros(len(classes))
    return found


if __name__ == "__main__":
    kind, *sizes, path = sys.argv[1:]
    count, d, k, f = (int(one) for one in sizes)
    main(kind, count, d, k, f, Path(path))
