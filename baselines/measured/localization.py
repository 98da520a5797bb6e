"""The part of the page about phrase localization: systems in the shape of the paper's tables 5 and 6."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from baselines.localization import COLOUR, CUES, DETECTOR, SIZE, PhraseLocalizer, Scored
from baselines.localize import choose_colour_weight, outcomes_of, predict, regions_of
from baselines.photographs import read_photograph
from baselines.region_features import RegionFeatures
from baselines.regions import Photographs, Remembered
from baselines.work import Work, show
from evaluation.dataset import TYPES, Dataset
from evaluation.errors import InputError
from evaluation.localization import Localization, Outcomes, Queries, localize, queries, summarize
from evaluation.predictions.proposals import for_queries
from evaluation.ragged import RaggedBoxes
from evaluation.references import references
from evaluation.report.model import Cell, Column, Section, Table
from evaluation.significance import compare_means
from evaluation.tasks.localization import REACHED, recall_cells

MEAN = "CCA, mean of word vectors"
VARIANTS: Mapping[str, tuple[str, ...]] = {
    "CCA": (),
    "CCA + detector": (DETECTOR,),
    "CCA + colour": (COLOUR,),
    "CCA + size": (SIZE,),
    "CCA + detector + size": (DETECTOR, SIZE),
    "CCA + detector + colour": (DETECTOR, COLOUR),
    "CCA + detector + size + colour": CUES,
}
"""The cues of each system of the table."""
FULL = "CCA + detector + size + colour"


@dataclass(frozen=True, eq=False)
class Trained:
    """A model that was trained on a work's first split, and where regions come from."""

    model: PhraseLocalizer
    source: Remembered


@cache
def trained(work: Work) -> Trained:
    """Return the model of a work. It is trained once."""
    photographs = (
        read_photograph(work.images, image.name)
        for image in show(work.train.images, "Learning words of SIFT", len(work.train.images))
    )
    looks = RegionFeatures(seed=work.seed).fit(photographs)
    source = Remembered(Photographs(work.images, looks))
    model = PhraseLocalizer(seed=work.seed)
    model.fit(work.train, source, progress=lambda images: show(images, "Regions", len(work.train.images)))
    model.keep_looks(looks)
    regions = list(regions_of(model, work.validation.images, source))
    model.colour_weight = choose_colour_weight(
        model, asked_of(work.validation), work.validation.images, regions
    )
    return Trained(model, source)


def asked_of(dataset: Dataset) -> Queries:
    """Return the queries of a data set. Raise InputError if there are none."""
    asked = queries(dataset)
    if not len(asked):
        raise InputError(f"{dataset.title} has no mention with a box in one of its splits")
    return asked


def measure(work: Work) -> tuple[Section, ...]:
    """Return the tables of all variants, beside systems that look at no phrase."""
    found = trained(work)
    model, images = found.model, work.test.images
    asked = asked_of(work.test)
    regions = list(regions_of(model, images, found.source))
    outcomes = _references(work, asked, regions)
    plain = PhraseLocalizer(kind="mean", seed=work.seed).fit(work.train, found.source)
    own = list(regions_of(plain, images, found.source))
    outcomes[MEAN] = outcomes_of(asked, predict(plain, images, own, cues=()))
    for name, cues in VARIANTS.items():
        outcomes[name] = outcomes_of(asked, predict(model, images, regions, cues=cues))
    tables = {
        name: summarize(asked, one, np.random.default_rng(work.seed), resamples=work.resamples)
        for name, one in outcomes.items()
    }
    about = (
        f"Phrases of {len(images):,} test images of {work.test.title}. Trained on {len(work.train.images):,} "
        f"images; w_color is {model.colour_weight:g} by {len(work.validation.images):,} validation images. "
        f"The detector knows {len(model.detector_.classes_) - 1 if model.detector_.classes_ else 0} head "
        f"nouns and the colour classifier {len(model.colour_.classes_)} colours."
    )
    items = (
        _recall(tables, work.test.title),
        _differences(outcomes, asked, work),
        _by_type(tables, work.test.title),
    )
    return (Section("Phrase localization", about, items),)


def _references(work: Work, asked: Queries, regions: list[Scored]) -> dict[str, Outcomes]:
    lists = RaggedBoxes.of(one.boxes for one in regions)
    rows = np.arange(len(asked))
    rng = np.random.default_rng(work.seed)
    ranked = references(asked, rows, for_queries(lists, asked.image), rng)
    return {name: localize(asked, rows, one) for name, one in ranked.items()}


def _recall(tables: Mapping[str, Localization], title: str) -> Table:
    columns = (Column("system"), *REACHED)
    rows = tuple((name, *recall_cells(one.total)) for name, one in tables.items())
    note = (
        "The first systems look at no phrase. Intervals: bootstrap over images. The shape is that of the "
        "paper's table 5; its figures are of other data and other features, so do not set them beside these."
    )
    return Table("localization", f"Recall at K on {title}", columns, rows, note)


def _differences(outcomes: Mapping[str, Outcomes], asked: Queries, work: Work) -> Table:
    blind = [name for name in outcomes if name not in VARIANTS and name != MEAN]
    pairs = [("CCA", name) for name in (*blind, MEAN)]
    pairs += [(name, "CCA") for name in VARIANTS if name != "CCA"]
    pairs += [(FULL, name) for name in ("CCA + detector + size", "CCA + detector + colour")]
    rows: list[tuple[Cell, ...]] = []
    for first, second in pairs:
        hits = [outcomes[name].rank == 1 for name in (first, second)]
        rng = np.random.default_rng(work.seed)
        gain = compare_means(hits[0], hits[1], asked.image, rng, resamples=work.resamples)
        known = gain.low is not None and gain.high is not None
        interval = (gain.low or 0.0, gain.high or 0.0) if known else None
        rows.append((first, second, gain.value, interval))
    columns = (
        Column("system"),
        Column("compared with"),
        Column("difference of R@1", "share"),
        Column("95% interval", "interval"),
    )
    note = "An interval above 0 says that the first system is better. Intervals: bootstrap over images."
    title = f"What each part adds on {work.test.title}"
    return Table("localization_differences", title, columns, tuple(rows), note)


def _by_type(tables: Mapping[str, Localization], title: str) -> Table:
    some = next(iter(tables.values()))
    known = [at for at, recall in enumerate(some.by_type) if recall.queries]
    columns = (Column("system"), *(Column(TYPES[at], "share") for at in known))
    rows: list[tuple[Cell, ...]] = [("queries", *(f"{some.by_type[at].queries:,}" for at in known))]
    rows += [(name, *(one.by_type[at].share(0) for at in known)) for name, one in tables.items()]
    rows.append(("upper bound", *(some.by_type[at].bound for at in known)))
    return Table("localization_by_type", f"R@1 by type on {title}", columns, tuple(rows))
