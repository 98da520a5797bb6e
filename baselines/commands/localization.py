"""`python -m baselines localization train|predict`: boxes for phrases by CCA of phrases and regions."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from baselines.cca import EIGENVALUE, EIGENVALUES, POWER, Scaling, candidates
from baselines.cue_weights import tune
from baselines.cues import COLOUR, CUES, DETECTOR, SIZE, SIZE_WEIGHT, SIZE_WEIGHTS
from baselines.exemplars import BACKGROUND
from baselines.localization import PhraseLocalizer
from baselines.localize import predict, regions_of, write_boxes
from baselines.measured.localization import measure
from baselines.output import check_file
from baselines.photographs import read_photograph
from baselines.phrases import KINDS
from baselines.proposals import SelectiveSearch
from baselines.region_features import PARTS, RegionFeatures
from baselines.regions import CROPS, FeatureFile, Photographs, RegionSource, given_proposals, known_images
from baselines.score_files import ScoreFile, read_categories
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
    add_scaling(step)
    add_number(step, "--detected", count, model.detected, "the most categories with a detector")
    add_number(step, "--least-detected", count, model.least_detected, "the least regions of such a category")
    add_number(step, "--detector-share", share, model.detector_share, "of the detector's score, in (1)")
    step.add_argument(
        "--size-weight",
        type=size_weight,
        nargs="+",
        metavar="[TYPE=]W",
        help="w_size in (2): of these types, and of all others; without it, validation images decide",
    )
    step.add_argument(
        "--colour-weight",
        type=share,
        metavar="W",
        help="w_color in (3); without it, validation images decide",
    )
    step.add_argument(
        "--least-colour-phrases",
        type=count,
        metavar="N",
        help="a colour has to occur in so many phrases (default: 1,000, fewer in small data sets)",
    )
    step.add_argument(
        "--categories", type=Path, metavar="FILE", help="the category of phrases, with tabs; else head nouns"
    )
    add_scores(step)
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
    add_scores(step)
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


def add_scaling(step: argparse.ArgumentParser) -> None:
    """Add the options of the scaling of the CCA. What is not given is chosen on validation images."""
    step.add_argument(
        "--eigenvalue",
        choices=EIGENVALUES,
        help="columns are scaled by a power of the correlation (rho) or of 1+rho, which is that of the "
        f"paper's source (without validation images: {EIGENVALUE})",
    )
    step.add_argument(
        "--power",
        type=number,
        metavar="N",
        help="that power; the program of the paper's source says 2, 3 or 4 "
        f"(without validation images: {POWER:g})",
    )


def scaling_of(options: argparse.Namespace) -> dict[str, object]:
    """Return the parameters of the scaling: what the options say, or else the defaults."""
    return {
        "eigenvalue": options.eigenvalue or EIGENVALUE,
        "power": POWER if options.power is None else options.power,
    }


def add_scores(step: argparse.ArgumentParser) -> None:
    """Add the options of scores of the user's."""
    for cue, equation in ((DETECTOR, 1), (COLOUR, 3)):
        step.add_argument(
            f"--{cue}-scores",
            type=Path,
            metavar="FILE",
            help=f"scores of boxes for ({equation}), as JSON lines; else they are learnt",
        )


def scores_of(options: argparse.Namespace, dataset: Dataset) -> dict[str, ScoreFile]:
    """Return the scores that the options of `add_scores` name, by cue. Raise InputError."""
    paths = {cue: getattr(options, f"{cue}_scores") for cue in (DETECTOR, COLOUR)}
    return {cue: ScoreFile(path, dataset) for cue, path in paths.items() if path is not None}


def use_scores(model: PhraseLocalizer, options: argparse.Namespace, dataset: Dataset) -> None:
    """Let a model use the scores that the options name.

    Raise InputError if a file cannot be used, or if one is missing with which the model was trained.
    """
    scores = scores_of(options, dataset)
    for cue in model.own_scores:
        if cue not in scores and cue in model.cues:
            raise InputError(f"the model was trained with --{cue}-scores: give such a file here, too")
    for cue, one in scores.items():
        model.use_scores(cue, one)


def size_weight(text: str) -> tuple[str, float]:
    """Return a type and its weight, or raise argparse's error. Without a type, it is "".

    >>> size_weight("scene=.2"), size_weight("0.1")
    (('scene', 0.2), ('', 0.1))
    """
    name, _, weight = text.rpartition("=")
    return name, share(weight)


def check_types(options: argparse.Namespace, dataset: Dataset) -> None:
    """Raise InputError if `--size-weight` names a type that no mention of the data set has."""
    known = {name for image in dataset.images for one in image.mentions() for name in one.types}
    for name, _ in options.size_weight or ():
        if name and name not in known:
            types = ", ".join(sorted(known)) or "none"
            raise InputError(f"--size-weight: no mention has the type {name[:40]!r}; the types are {types}")


def source_of(
    options: argparse.Namespace, dataset: Dataset, looks: RegionFeatures | None, crops: int = CROPS
) -> RegionSource:
    """Return where regions come from. `looks` computes features of photographs. Raise InputError.

    `crops` is over how many crops those of whole photographs are averaged.
    """
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
    return Photographs(options.images, looks, SelectiveSearch(seed=getattr(options, "seed", 1)), given, crops)


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


def validation_of(options: argparse.Namespace, source: RegionSource) -> Dataset | None:
    """Return the validation images of which the source has something, or None if there are none."""
    try:
        found = read_dataset(options.dataset, split=VALIDATION)
    except InputError:
        return None
    known = known_images(found, source)
    if missing := len(found.images) - len(known.images):
        print(f"Of {missing:,} validation images there is no photograph or feature: they are left out.")
    return known if known.images else None


def said_weights(model: PhraseLocalizer) -> str:
    """Return what a model counts by, for people."""
    words = [f"scaling {Scaling(model.eigenvalue, model.power)}"]
    if SIZE in model.cues:
        by_type = ", ".join(f"{name} {one:g}" for name, one in sorted(model.size_weights.items()))
        words.append(f"w_size {model.size_weight:g}" + (f" ({by_type})" if by_type else ""))
    if COLOUR in model.cues:
        words.append(f"w_color {model.colour_weight:g}")
    return "; ".join(words)


def _train(options: argparse.Namespace) -> None:
    check_file(options.model, ".npz")
    dataset = dataset_of(options)
    looks = learnt_looks(options, dataset, options.parts)
    source = source_of(options, dataset, looks)
    validation = validation_of(options, source)
    scores = scores_of(options, validation or dataset)
    categories = read_categories(options.categories, scores.get(DETECTOR)) if options.categories else {}
    check_types(options, dataset)
    weights = dict(options.size_weight or {"": SIZE_WEIGHT, **SIZE_WEIGHTS})
    model = model_of(
        PhraseLocalizer,
        options,
        kind=options.phrases,
        size_weight=weights.pop("", SIZE_WEIGHT),
        size_weights=weights,
        colour_weight=PhraseLocalizer.colour_weight
        if options.colour_weight is None
        else options.colour_weight,
        categories=categories,
        **scaling_of(options),
    )
    vectors = WordVectors.of_file(options.vectors) if options.vectors else None
    for cue, one in scores.items():
        model.use_scores(cue, one)
    model.fit(
        dataset, source, vectors=vectors, progress=lambda images: show(images, "Regions", len(dataset.images))
    )
    if looks is not None:
        model.keep_looks(looks)
    if validation is None:
        print(f"There are no validation images to choose weights with: {said_weights(model)}.")
    else:
        own = source_of(options, validation, looks)
        tuned = tune(
            model,
            validation,
            own,
            scalings=candidates(options.eigenvalue, options.power),
            size=options.size_weight is None,
            colour=options.colour_weight is None,
            progress=lambda images: show(images, "Choosing weights", len(validation.images)),
        )
        print(f"By {tuned.mentions:,} mentions of validation images: {said_weights(model)}.")
    model.save(options.model)
    correlations = ", ".join(f"{one:.2f}" for one in model.cca_.correlations_[:5])
    print(
        f"{options.model}: {len(model.cca_.correlations_):,} dimensions, with correlations {correlations} …"
    )
    detected = [name for name in model.classes(DETECTOR) if name != BACKGROUND]
    print(
        f"Detector: {', '.join(detected) or 'none'}. Colours: {', '.join(model.classes(COLOUR)) or 'none'}."
    )


def _predict(options: argparse.Namespace) -> None:
    check_file(options.out, ".npz")
    model = PhraseLocalizer.load(options.model)
    if options.cues is not None:
        model.cues = tuple(options.cues)
    dataset = dataset_of(options)
    use_scores(model, options, dataset)
    looks = model.kept_looks() if options.images is not None else None
    source = source_of(options, dataset, looks)
    images = dataset.images
    written = write_boxes(options.out, images, predict(model, images, regions_of(model, images, source)))
    print(f"{options.out} has boxes for {written:,} mentions of {len(images):,} images.")
    print(measuring("localization", options))
