"""`python -m baselines retrieval train|predict`: captions for images and images for captions, by CCA."""

from __future__ import annotations

import argparse
from pathlib import Path

from baselines.cca import Scaling, candidates
from baselines.commands.localization import (
    add_scaling,
    add_scores,
    add_source,
    add_text,
    learnt_looks,
    scaling_of,
    source_of,
    use_scores,
    validation_of,
)
from baselines.localization import PhraseLocalizer
from baselines.measured.retrieval import measure
from baselines.output import check_file, write_array
from baselines.regions import CROPS, FeatureFile, RegionSource
from baselines.retrieval import PENALTY, WHOLE_SHARE, ImageSentenceRetrieval, phrase_distances
from baselines.retrieval_weights import tune_scaling, tune_shares
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
from evaluation.dataset import Dataset
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
    add_scaling(step)
    step.add_argument(
        "--crops",
        type=int,
        choices=(1, CROPS),
        default=CROPS,
        help="crops of a photograph over which its features are averaged (default: %(default)s)",
    )
    step.set_defaults(run=_train)

    step = steps.add_parser("predict", help="score all pairs, for `python -m evaluation retrieval`")
    add_dataset(step, TEST)
    add_source(step)
    step.add_argument("--model", type=Path, required=True, metavar="FILE", help="what `train` wrote")
    step.add_argument(
        "--localizer", type=Path, metavar="FILE", help="a model of `localization train`, for equation 5"
    )
    step.add_argument(
        "--penalty",
        type=number,
        metavar="N",
        help=f"γ of equation 4; without it, validation images decide (without any: {PENALTY:g})",
    )
    step.add_argument(
        "--whole-share",
        type=share,
        metavar="N",
        help=f"α of equation 5; without it, validation images decide (without any: {WHOLE_SHARE:g})",
    )
    add_scores(step)
    step.add_argument("--out", type=Path, required=True, metavar="FILE", help="for the scores (.npy)")
    step.set_defaults(run=_predict)


def _train(options: argparse.Namespace) -> None:
    check_file(options.model, ".npz")
    dataset = dataset_of(options)
    looks = learnt_looks(options, dataset)
    source = source_of(options, dataset, looks, options.crops)
    model = model_of(ImageSentenceRetrieval, options, kind=options.phrases, **scaling_of(options))
    model.fit(dataset, source, vectors=WordVectors.of_file(options.vectors) if options.vectors else None)
    if looks is not None:
        model.keep_looks(looks)
    validation = validation_of(options, source)
    if validation is not None:
        tune_scaling(model, validation, source, candidates(options.eigenvalue, options.power))
    model.save(options.model)
    chosen = f"by {len(validation.images):,} validation images" if validation else "without validation images"
    scaling = Scaling(model.eigenvalue, model.power)
    print(f"{options.model}: {len(model.cca_.correlations_):,} dimensions; scaling {scaling}, {chosen}.")
    if isinstance(source, FeatureFile):
        print("Features of whole images are those of the file: crops cannot be computed from it.")


def _predict(options: argparse.Namespace) -> None:
    check_file(options.out, ".npy")
    model = ImageSentenceRetrieval.load(options.model)
    dataset = dataset_of(options)
    found = pairs(dataset)  # raises an error if there are too many
    localizer = None if options.localizer is None else PhraseLocalizer.load(options.localizer)
    source = _whole_source(model, options, dataset)
    by_phrases = None
    if localizer is not None:
        _choose_shares(model, localizer, options, source)
        use_scores(localizer, options, dataset)
        own = _region_source(localizer, options, dataset)
        by_phrases = phrase_distances(localizer, dataset, own).of_captions(model.penalty)
    write_array(options.out, model.score(dataset, source, by_phrases))
    print(f"{options.out} has scores of {len(found.images):,} images with {len(found.captions):,} captions.")
    print(measuring("retrieval", options))


def _choose_shares(
    model: ImageSentenceRetrieval,
    localizer: PhraseLocalizer,
    options: argparse.Namespace,
    source: RegionSource,
) -> None:
    """Set γ and α: those that are given, or else those that validation images choose, or else the paper's."""
    given = (options.penalty, options.whole_share)
    validation = validation_of(options, source) if None in given else None
    if validation is None:
        model.penalty = PENALTY if options.penalty is None else options.penalty
        model.whole_share = WHOLE_SHARE if options.whole_share is None else options.whole_share
        why = "as given" if None not in given else "without validation images"
    else:
        use_scores(localizer, options, validation)
        whole = model.whole_distance(validation, _whole_source(model, options, validation))
        near = phrase_distances(localizer, validation, _region_source(localizer, options, validation))
        own = pairs(validation).relevant()
        tune_shares(model, whole, near, own, penalty=options.penalty, whole_share=options.whole_share)
        why = f"by {len(validation.images):,} validation images"
    print(f"γ is {model.penalty:g}, and α {model.whole_share:g}: {why}.")


def _whole_source(
    model: ImageSentenceRetrieval, options: argparse.Namespace, dataset: Dataset
) -> RegionSource:
    looks = model.kept_looks() if options.images is not None else None
    return source_of(options, dataset, looks, model.crops)


def _region_source(localizer: PhraseLocalizer, options: argparse.Namespace, dataset: Dataset) -> RegionSource:
    return source_of(options, dataset, localizer.kept_looks() if options.images is not None else None)
