"""`python -m baselines ranking describe|train|predict|words`: rankings of captions and of images."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import orjson

from baselines.measured.ranking import documents_of, measure
from baselines.output import check_file, write_lines
from baselines.photographs import read_photograph
from baselines.ranking.alignment import alignment
from baselines.ranking.nearest import NearestNeighbour, Ranking
from baselines.ranking.pyramids import Histograms, Pixels, Pyramids
from baselines.ranking.recipes import HELP, Corpora, lacking, recipe_of
from baselines.ranking.similarities import WordVectors, distributional
from baselines.ranking.systems import KernelCca, ranks_of, train
from baselines.ranking.taxonomy import lin, read_taxonomy
from baselines.ranking.words import Document, Preparation, lemmas
from baselines.work import (
    TEST,
    TRAIN,
    VALIDATION,
    add_dataset,
    add_number,
    add_seed,
    count,
    dataset_of,
    measuring,
    number,
    show,
)
from evaluation.arrays import Floats
from evaluation.errors import InputError, Place
from evaluation.predictions.candidates import HELP as CANDIDATES_HELP
from evaluation.predictions.candidates import candidates_of, parse_candidates
from evaluation.predictions.pairs import images_and_captions
from evaluation.readers.captions import token_line
from evaluation.readers.files import read_lines, text_of
from evaluation.readers.jsonl import MAX_RECORD
from evaluation.readers.recognition import read_dataset

__all__ = ["measure", "register"]

_NEEDED = {
    "taxonomy": "a folder with WordNet's nouns",
    "corpus": "a file of sentences, as of the British National Corpus",
}
TWENTY = (
    *("rider", "man", "woman", "child", "dog", "ball", "bicycle", "car", "street", "water", "beach", "shirt"),
    *("hat", "swim", "run", "jump", "sit", "play", "ride", "climb"),
)
"""The words whose neighbours `words` prints. The paper's figure 3 has "rider" and "swim"."""
MAX_LINES = 20_000_000
"""Of a file of captions or sentences."""


def register(systems: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    system = systems.add_parser("ranking", help="captions for images, and images for captions")
    steps = system.add_subparsers(required=True, metavar="STEP")

    step = steps.add_parser("describe", help="describe photographs by visual words")
    add_dataset(step, "all")
    add_seed(step)
    step.add_argument("--images", type=Path, required=True, metavar="DIR", help="the photographs")
    step.add_argument("--out", type=Path, required=True, metavar="FILE", help="for the pyramids (.npz)")
    step.add_argument(
        "--levels",
        type=int,
        choices=(1, 2, 3),
        help="of the pyramid; 1: the paper's histogram kernel "
        f"(default: those of --like, or without it {Pyramids.levels})",
    )
    step.add_argument(
        "--like", type=Path, metavar="FILE", help="earlier pyramids, whose visual words are taken"
    )
    step.set_defaults(run=_describe)

    model = KernelCca()
    step = steps.add_parser("train", help="learn a system from images with captions")
    add_dataset(step, TRAIN)
    add_seed(step)
    _add_pyramids(step)
    step.add_argument("--system", default=model.system, help=f"{HELP} (default: %(default)s)")
    step.add_argument("--model", type=Path, required=True, metavar="FILE", help="write the model here (.npz)")
    add_number(step, "--power", count, model.power, "of the image kernel")
    add_number(step, "--diagonal", number, model.diagonal, "what multiplies the text kernel's diagonal")
    add_number(step, "--rank", count, model.rank, "columns of incomplete Cholesky factors; 0: whole kernels")
    add_number(step, "--best", count, model.best, "settings that are chosen for each of R@1, R@5 and R@10")
    step.add_argument(
        "--kappas", type=number, nargs="+", default=list(model.kappas), help="to try (default: %(default)s)"
    )
    _add_corpora(step)
    step.set_defaults(run=_train)

    step = steps.add_parser("predict", help="rank images and captions, for `python -m evaluation retrieval`")
    add_dataset(step, TEST)
    _add_pyramids(step)
    add_seed(step)
    step.add_argument("--model", type=Path, required=True, metavar="FILE", help="what `train` wrote")
    step.add_argument("--out", type=Path, required=True, metavar="FILE", help="for the ranked lists (.jsonl)")
    step.add_argument(
        "--candidates",
        type=parse_candidates,
        default="all",
        metavar="WHICH",
        help=f"captions of an image that are ranked: {CANDIDATES_HELP} (default: %(default)s)",
    )
    step.set_defaults(run=_predict)

    step = steps.add_parser("words", help="print the words that are most like some words")
    found = step.add_mutually_exclusive_group(required=True)
    found.add_argument("--dataset", type=Path, metavar="DIR", help="an export, or its ZIP")
    found.add_argument(
        "--captions", type=Path, metavar="FILE", help="captions as Flickr30k has them (.token, or .gz of it)"
    )
    step.add_argument("--words", nargs="+", default=TWENTY, metavar="WORD", help="(default: twenty of ours)")
    add_number(step, "--nearest", count, 5, "words to print for each")
    _add_corpora(step)
    step.set_defaults(run=_words)


def _add_pyramids(step: argparse.ArgumentParser) -> None:
    step.add_argument("--pyramids", type=Path, required=True, metavar="FILE", help="what `describe` wrote")


def _add_corpora(step: argparse.ArgumentParser) -> None:
    step.add_argument(
        "--taxonomy",
        type=Path,
        metavar="DIR",
        help="WordNet's index.noun and data.noun, for Lin's similarity",
    )
    step.add_argument(
        "--corpus",
        type=Path,
        metavar="FILE",
        help="sentences, one a line, for a second distributional similarity",
    )


# Photographs and captions -----------------------------------------------------------------------------------


def reader(folder: Path) -> Callable[[str], Pixels]:
    """Return what reads the photographs of a folder by their names."""
    return lambda name: read_photograph(folder, name)


class Described:
    """Pyramids of photographs by name."""

    def __init__(self, names: Sequence[str], pyramids: Histograms, origin: str) -> None:
        self._rows = {name: row for row, name in enumerate(names)}
        self._pyramids, self._origin = pyramids, origin

    def of(self, names: Sequence[str]) -> Histograms:
        """Return the pyramids of these photographs. Raise InputError if one is missing."""
        missing = [name for name in names if name not in self._rows]
        if missing:
            raise InputError(
                f"{self._origin}: has no pyramid of {missing[0]}; run `describe` on this data set"
            )
        return self._pyramids[[self._rows[name] for name in names]]


def _describe(options: argparse.Namespace) -> None:
    check_file(options.out, ".npz")
    dataset = dataset_of(options)
    names = [image.name for image in dataset.images]
    if not names:
        raise InputError(f"{dataset.title} has no image")
    read = reader(options.images)
    if options.like:
        pyramids, _, _ = Pyramids.load(options.like)
        pyramids.levels = options.levels or pyramids.levels
    else:
        learnt = [image.name for image in dataset.images if image.split == TRAIN] or names
        pyramids = Pyramids(levels=options.levels or Pyramids.levels, seed=options.seed).fit(
            learnt, read, _bar("Learning visual words")
        )
    described = pyramids.transform(names, read, _bar("Describing photographs"))
    pyramids.save(options.out, names, described)
    print(f"{options.out} has the pyramids of {len(names):,} photographs.")


def _bar(words: str) -> Callable[[Iterable[str]], Iterable[str]]:
    return lambda names: show(names, words, len(list(names)))


# Training and ranking ---------------------------------------------------------------------------------------


def _train(options: argparse.Namespace) -> None:
    check_file(options.model, ".npz")
    try:
        recipe = recipe_of(options.system)
    except ValueError as error:
        raise InputError(f"--{error}") from error
    corpora = _corpora(options)
    if missing := lacking(recipe, corpora):
        raise InputError(f"--system {options.system} needs --{missing}, {_NEEDED[missing]}")
    parameters = {
        name: getattr(options, name) for name in ("power", "diagonal", "kappas", "rank", "best", "seed")
    }
    try:
        KernelCca("tri5" if recipe.nearest else options.system, **parameters)
    except ValueError as error:
        raise InputError(f"--{error}") from error
    pyramids, names, rows = Pyramids.load(options.pyramids)
    parameters["visual_words"] = pyramids.fingerprint
    described = Described(names, rows, str(options.pyramids))
    preparation = Preparation()
    training = documents_of(dataset_of(options), preparation)
    validation = training
    if not recipe.nearest:
        validation = documents_of(read_dataset(options.dataset, split=VALIDATION), preparation)
    pairs = [(described.of(list(one)), list(one.values())) for one in (training, validation)]
    model = train(options.system, pairs[0], pairs[1], corpora=corpora, parameters=parameters)
    model.save(options.model)
    print(f"{options.model} has {options.system}, learnt from {len(training):,} images.")
    if isinstance(model, KernelCca):
        for direction in ("annotation", "search"):
            chosen = dict.fromkeys(f"{one.kappa:g}/{one.dimensions}" for one in getattr(model, direction))
            print(f"Settings (κ/dimensions) for {direction}: {', '.join(chosen)}")


def load_system(path: Path) -> NearestNeighbour | KernelCca:
    """Return a trained system of either kind. Raise InputError if the file is none."""
    try:
        return KernelCca.load(path)
    except InputError as error:
        if f"kind {NearestNeighbour.__name__}" not in str(error):
            raise
        return NearestNeighbour.load(path)


def _predict(options: argparse.Namespace) -> None:
    check_file(options.out, ".jsonl")
    model = load_system(options.model)
    pyramids, names, rows = Pyramids.load(options.pyramids)
    if pyramids.fingerprint != model.visual_words:
        raise InputError(
            f"{options.pyramids}: has other visual words than {options.model}; "
            "run `describe` with --like and the pyramids that the model was trained with"
        )
    if pyramids.length != model.histograms.shape[1]:
        raise InputError(
            f"{options.pyramids}: has pyramids of {pyramids.levels} levels, and {options.model} was trained "
            "with another number; run `describe` with --like and the pyramids that it was trained with, "
            "and without --levels"
        )
    dataset = dataset_of(options)
    documents = documents_of(dataset, Preparation())
    images = list(documents)
    captions = candidates_of(dataset, options.candidates, options.seed).captions
    places = {key: place for place, key in enumerate(images_and_captions(dataset).captions)}
    every = [caption for document in documents.values() for caption in document]
    found = model.score(
        Described(names, rows, str(options.pyramids)).of(images),
        [(every[places[key]],) for key in captions],
    )
    write_lines(options.out, ranked_lists(found, images, captions, np.random.default_rng(options.seed)))
    print(f"{options.out} ranks {len(captions):,} captions and {len(images):,} images.")
    drawn = "" if options.candidates == "all" else f" --candidates {options.candidates} --seed {options.seed}"
    print(measuring("retrieval", options) + drawn)


def ranked_lists(
    ranking: Ranking, images: Sequence[str], captions: Sequence[tuple[str, int]], rng: np.random.Generator
) -> Iterator[bytes]:
    """Yield the lines of both directions. Items with equal scores are in random order."""
    for image, order in zip(images, _orders(ranking.annotation, rng), strict=True):
        yield orjson.dumps({"image": image, "captions": [captions[at] for at in order]})
    for caption, order in zip(captions, _orders(ranking.search, rng), strict=True):
        yield orjson.dumps({"caption": caption, "images": [images[at] for at in order]})


def _orders(scores: Floats, rng: np.random.Generator) -> Iterator[list[int]]:
    shuffled = rng.permutation(scores.shape[1])
    for ranks in ranks_of(scores[:, shuffled]):
        yield shuffled[np.argsort(ranks)].tolist()


# Words ------------------------------------------------------------------------------------------------------


def _words(options: argparse.Namespace) -> None:
    corpora = _corpora(options)
    preparation = Preparation()
    if options.dataset:
        documents = list(documents_of(read_dataset(options.dataset), preparation).values())
    else:
        captions = read_captions(options.captions)
        documents = [
            tuple(preparation.caption(text.split()) for text in texts)
            for texts in show(captions.values(), "Preparing captions", len(captions))
        ]
    print(f"Words like others in {sum(map(len, documents)):,} captions of {len(documents):,} images.")
    for title, vectors in _kinds(documents, corpora):
        print(f"\n{title}")
        width = max(map(len, options.words))
        for word in options.words:
            near = vectors.nearest(word, options.nearest)
            print(f"  {word:{width}}  {', '.join(f'{one} {like:.2f}' for one, like in near) or '-'}")


def _kinds(documents: list[Document], corpora: Corpora) -> Iterator[tuple[str, WordVectors]]:
    captions = [lemmas(caption) for document in documents for caption in document]
    yield "Alignment: words for the same thing", alignment(documents)
    own = distributional(captions)
    yield "Distributional: words of the same captions", own
    if corpora.sentences:
        yield "Distributional in the other corpus", distributional(corpora.sentences, only=own.words)
    if corpora.taxonomy:
        words = (word for caption in captions for word in caption)
        yield "Lin: words of the same kind in the taxonomy", lin(words, corpora.taxonomy)


def read_captions(path: Path) -> dict[str, list[str]]:
    """Return the captions of each image from lines `image.jpg#0<TAB>caption`. Raise InputError."""
    found: dict[str, list[str]] = {}
    for line, place in _lines(path):
        image, _, caption = token_line(line, place)
        found.setdefault(image, []).append(caption)
    if not found:
        raise InputError(f"{path}: has no caption")
    return found


def _corpora(options: argparse.Namespace) -> Corpora:
    sentences: tuple[tuple[str, ...], ...] = ()
    if options.corpus:
        preparation = Preparation()
        lines = show(_lines(options.corpus), "Reading the corpus")
        sentences = tuple(tuple(lemmas(preparation.caption(line.split()))) for line, _ in lines)
    return Corpora(read_taxonomy(options.taxonomy) if options.taxonomy else None, sentences)


def _lines(path: Path) -> Iterator[tuple[str, Place]]:
    for count_, (line, content) in enumerate(read_lines(path, MAX_RECORD), 1):
        if count_ > MAX_LINES:
            raise InputError(f"{path}: has more than {MAX_LINES:,} lines")
        place = Place(str(path), line)
        yield text_of(content, place), place
