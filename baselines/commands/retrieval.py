"""`python -m baselines retrieval train|predict`: captions for images and images for captions, by CCA."""

from __future__ import annotations

import argparse
from pathlib import Path

from baselines.commands.localization import add_source, add_text, learnt_looks, source_of
from baselines.localization import PhraseLocalizer
from baselines.measured.retrieval import measure
from baselines.output import check_file, write_array
from baselines.retrieval import ImageSentenceRetrieval, phrase_distances
from baselines.words import WordVectors
from baselines.work import (
    TEST,
    TRAIN,
    add_dataset,
    add_number,
    add_seed,
    count,
    dataset_of,
    measuring,
    model_of,
    number,
    share,
)
from evaluation.predictions.retrieval import pairs

__all__ = ["measure", "register"]


def register(systems: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    system = systems.add_parser("retrieval", help="captions for images and images for captions, by CCA")
    steps = system.add_subparsers(required=True, metavar="STEP")
    model = ImageSentenceRetrieval()

    step = steps.add_parser("train", help="learn from images and their captions")
    add_dataset(step, TRAIN)
    add_seed(step)
    add_source(step)
    add_text(step)
    step.add_argument("--model", type=Path, required=True, metavar="FILE", help="write the model here (.npz)")
    add_number(step, "--components", count, model.components, "the most output dimensions of the CCA")
    add_number(step, "--regularization", number, model.regularization, "of the CCA")
    add_number(step, "--power", number, model.power, "of the eigenvalues that scale the projections")
    step.set_defaults(run=_train)

    step = steps.add_parser("predict", help="score all pairs, for `python -m evaluation retrieval`")
    add_dataset(step, TEST)
    add_source(step)
    step.add_argument("--model", type=Path, required=True, metavar="FILE", help="what `train` wrote")
    step.add_argument(
        "--localizer", type=Path, metavar="FILE", help="a model of `localization train`, for equation 5"
    )
    add_number(step, "--penalty", number, model.penalty, "γ of equation 4")
    add_number(step, "--whole-share", share, model.whole_share, "α of equation 5")
    step.add_argument("--out", type=Path, required=True, metavar="FILE", help="for the scores (.npy)")
    step.set_defaults(run=_predict)


def _train(options: argparse.Namespace) -> None:
    check_file(options.model, ".npz")
    dataset = dataset_of(options)
    looks = learnt_looks(options, dataset)
    source = source_of(options, dataset, looks)
    model = model_of(ImageSentenceRetrieval, options, kind=options.phrases)
    model.fit(dataset, source, vectors=WordVectors.of_file(options.vectors) if options.vectors else None)
    if looks is not None:
        model.keep_looks(looks)
    model.save(options.model)
    print(f"{options.model}: {len(model.cca_.correlations_):,} dimensions.")


def _predict(options: argparse.Namespace) -> None:
    check_file(options.out, ".npy")
    model = ImageSentenceRetrieval.load(options.model)
    model.penalty, model.whole_share = options.penalty, options.whole_share
    dataset = dataset_of(options)
    found = pairs(dataset, one_each=False)  # raises an error if there are too many
    photographs = options.images is not None
    by_phrases = None
    if options.localizer is not None:
        localizer = PhraseLocalizer.load(options.localizer)
        own = source_of(options, dataset, localizer.kept_looks() if photographs else None)
        by_phrases = phrase_distances(localizer, dataset, own, penalty=model.penalty)
    source = source_of(options, dataset, model.kept_looks() if photographs else None)
    write_array(options.out, model.score(dataset, source, by_phrases))
    print(f"{options.out} has scores of {len(found.images):,} images with {len(found.captions):,} captions.")
    print(measuring("retrieval", options))
