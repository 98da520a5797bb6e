"""`python -m baselines localization train|predict`: boxes for phrases by CCA of phrases and regions."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from baselines.localization import CUES, PhraseLocalizer
from baselines.localize import choose_colour_weight, predict, regions_of, write_boxes
from baselines.measured.localization import measure
from baselines.output import check_file
from baselines.photographs import read_photograph
from baselines.phrases import KINDS
from baselines.proposals import SelectiveSearch
from baselines.region_features import PARTS, RegionFeatures
from baselines.regions import FeatureFile, Photographs, RegionSource, given_proposals
from baselines.words import WordVectors
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
    model_of,
    number,
    share,
    show,
)
from evaluation.dataset import Dataset
from evaluation.errors import InputError
from evaluation.localization import queries
from evaluation.readers.recognition import read_dataset
from evaluation.report.pictures import check_pictures

__all__ = ["measure", "register"]

CODEBOOK_IMAGES = 500
"""From so many photographs, the words of SIFT are learnt."""


def register(systems: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    system = systems.add_parser("localization", help="boxes for phrases, by CCA of phrases and regions")
    steps = system.add_subparsers(required=True, metavar="STEP")

    step = steps.add_parser("train", help="learn from mentions that have boxes")
    add_dataset(step, TRAIN)
    add_seed(step)
    add_source(step)
    add_text(step)
    model = PhraseLocalizer()
    step.add_argument("--model", type=Path, required=True, metavar="FILE", help="write the model here (.npz)")
    step.add_argument(
        "--parts", nargs="+", choices=PARTS, default=list(PARTS), help="features of photographs"
    )
    add_number(step, "--exemplars", count, model.exemplars, "the most regions of a phrase")
    add_number(step, "--components", count, model.components, "the most output dimensions of the CCA")
    add_number(step, "--regularization", number, model.regularization, "of the CCA")
    add_number(step, "--power", number, model.power, "of the eigenvalues that scale the projections")
    add_number(step, "--detected", count, model.detected, "the most head nouns with a detector")
    add_number(step, "--least-detected", count, model.least_detected, "the least regions of such a noun")
    add_number(step, "--detector-share", share, model.detector_share, "of the detector's score, in (1)")
    add_number(step, "--size-weight", share, model.size_weight, "in (2)")
    add_number(
        step, "--large-size-weight", share, model.large_size_weight, "of scenes, vehicles, instruments"
    )
    step.add_argument(
        "--colour-weight", type=share, metavar="W", help="in (3); without it, validation images decide"
    )
    step.add_argument(
        "--cues", nargs="*", choices=CUES, default=list(CUES), help="what counts beside the CCA"
    )
    step.set_defaults(run=_train)

    step = steps.add_parser("predict", help="rank boxes, for `python -m evaluation localization`")
    add_dataset(step, TEST)
    add_source(step)
    step.add_argument("--model", type=Path, required=True, metavar="FILE", help="what `train` wrote")
    step.add_argument("--out", type=Path, required=True, metavar="FILE", help="for the boxes (.npz)")
    step.add_argument("--cues", nargs="*", choices=CUES, help="instead of those of the model")
    step.set_defaults(run=_predict)


def add_source(step: argparse.ArgumentParser) -> None:
    """Add the options that say where regions come from."""
    source = step.add_mutually_exclusive_group(required=True)
    source.add_argument("--images", type=Path, metavar="DIR", help="photographs, whose features are computed")
    source.add_argument(
        "--features", type=Path, metavar="FILE", help="boxes and features of a network (.npz, .h5 or .hdf5)"
    )
    step.add_argument("--proposals", type=Path, metavar="FILE", help="boxes of images, with --images")


def add_text(step: argparse.ArgumentParser) -> None:
    """Add the options of features of phrases."""
    model = PhraseLocalizer()
    step.add_argument(
        "--vectors", type=Path, metavar="FILE", help="vectors of words; without it, captions give them"
    )
    step.add_argument(
        "--phrases",
        choices=KINDS,
        default=model.kind,
        help="Fisher vectors or the mean (default: %(default)s)",
    )
    add_number(step, "--dimensions", count, model.dimensions, "of vectors that are learnt")
    add_number(step, "--centres", count, model.centres, "of Fisher vectors")


def source_of(options: argparse.Namespace, dataset: Dataset, looks: RegionFeatures | None) -> RegionSource:
    """Return where regions come from. `looks` computes features of photographs. Raise InputError."""
    if options.features is not None:
        if options.proposals is not None:
            raise InputError("--proposals belongs to --images: the file of --features has boxes of its own")
        return FeatureFile(options.features)
    check_pictures(options.images)
    given = None
    if options.proposals is not None:
        given, findings = given_proposals(options.proposals, dataset)
        for kind, number_of, effect, examples in findings.rows():
            print(f"{options.proposals}: {number_of:,} × {kind} ({effect}): {examples}")
    assert looks is not None
    return Photographs(options.images, looks, SelectiveSearch(seed=getattr(options, "seed", 1)), given)


def learnt_looks(
    options: argparse.Namespace, dataset: Dataset, parts: Sequence[str] = PARTS
) -> RegionFeatures | None:
    """Return what computes features of photographs, or None if a file has features."""
    if options.images is None:
        return None
    check_pictures(options.images)
    looks = RegionFeatures(parts=tuple(parts), seed=options.seed)
    step = max(len(dataset.images) // CODEBOOK_IMAGES, 1)
    some = dataset.images[::step]
    return looks.fit(
        read_photograph(options.images, image.name)
        for image in show(some, "Learning words of SIFT", len(some))
    )


def validation_of(options: argparse.Namespace) -> Dataset | None:
    """Return the validation images of the data set, or None if it has none."""
    try:
        return read_dataset(options.dataset, split=VALIDATION)
    except InputError:
        return None


def _train(options: argparse.Namespace) -> None:
    check_file(options.model, ".npz")
    dataset = dataset_of(options)
    looks = learnt_looks(options, dataset, options.parts)
    source = source_of(options, dataset, looks)
    model = model_of(
        PhraseLocalizer, options, kind=options.phrases, colour_weight=PhraseLocalizer.colour_weight
    )
    vectors = WordVectors.of_file(options.vectors) if options.vectors else None
    model.fit(
        dataset, source, vectors=vectors, progress=lambda images: show(images, "Regions", len(dataset.images))
    )
    if looks is not None:
        model.keep_looks(looks)
    if options.colour_weight is not None:
        model.colour_weight = options.colour_weight
    elif "colour" in options.cues:
        validation = validation_of(options)
        if validation is None:
            print(f"There are no validation images: the weight of the colour is {model.colour_weight:g}.")
        else:
            own = source_of(options, validation, looks)
            regions = list(regions_of(model, validation.images, own))
            asked = queries(validation)
            model.colour_weight = choose_colour_weight(model, asked, validation.images, regions)
            print(f"By {len(validation.images):,} validation images, its weight is {model.colour_weight:g}.")
    model.save(options.model)
    correlations = ", ".join(f"{one:.2f}" for one in model.cca_.correlations_[:5])
    print(
        f"{options.model}: {len(model.cca_.correlations_):,} dimensions, with correlations {correlations} …"
    )
    detected = [name for name in model.detector_.classes_ if name.isalpha()]
    print(
        f"Detector: {', '.join(detected) or 'none'}. Colours: {', '.join(model.colour_.classes_) or 'none'}."
    )


def _predict(options: argparse.Namespace) -> None:
    check_file(options.out, ".npz")
    model = PhraseLocalizer.load(options.model)
    if options.cues is not None:
        model.cues = tuple(options.cues)
    dataset = dataset_of(options)
    looks = model.kept_looks() if options.images is not None else None
    source = source_of(options, dataset, looks)
    images = dataset.images
    written = write_boxes(options.out, images, predict(model, images, regions_of(model, images, source)))
    print(f"{options.out} has boxes for {written:,} mentions of {len(images):,} images.")
    print(measuring("localization", options))
