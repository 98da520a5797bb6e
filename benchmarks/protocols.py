"""Simulates what the protocols cost and how good their data are: `make bench-protocols`.

The images are those of `benchmarks.strategies`, with as many boxes a chain as in the paper's table 4. Workers
err as those of table 3, and take its times. What the paper does not say is a field of `World`, `Errors` or
`Times` in `benchmarks.protocols_model`, and the last table shows what changes with it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from annotation.domain.answers import JointStage, Stage
from benchmarks.protocols_model import (
    FLICKR30K,
    Assumed,
    Course,
    Errors,
    Linked,
    LinkRow,
    Times,
    World,
    box_courses,
    box_seconds,
    link_image,
    link_seconds,
)
from benchmarks.report import options, print_table, write_json
from benchmarks.strategies import FITTED_TO, SPREAD, Sketch, draw_image, fit_prior
from workflows.batch_settings.domain.paper import SECONDS
from workflows.pipeline.domain.link_strategies import STRATEGIES, likely_first, posterior
from workflows.pipeline.domain.moves import ENTITIES_FAST, Protocol
from workflows.priors.domain.prior import Prior

IMAGES = {"full": 1000, "quick": 200, "tiny": 5}
RESAMPLES = 1000


@dataclass(frozen=True)
class BoxRow:
    """How the boxes of one row are made."""

    protocol: Protocol
    extreme: bool = False
    visits: bool = False


BOX_ROWS: Mapping[str, BoxRow] = {
    "paper": BoxRow(FLICKR30K),
    "P3": BoxRow(ENTITIES_FAST),
    "P4": BoxRow(ENTITIES_FAST, extreme=True),
    "P4 + visits": BoxRow(ENTITIES_FAST, extreme=True, visits=True),
}


def link_rows(prior: Prior) -> dict[str, LinkRow]:
    """Return the rows by name. A further strategy is a further row here."""
    return {
        "paper": LinkRow(STRATEGIES["greedy_plus"]["triangles"], verified=True),
        "unverified": LinkRow(STRATEGIES["greedy_plus"]["triangles"], verified=False),
        "H": LinkRow(likely_first, verified=False),
        "B": LinkRow(posterior(prior, "careful", human_yes=False), verified=False),
    }


TOGETHER = (
    *(("paper", "paper"), ("paper", "P3"), ("paper", "P4"), ("paper", "P4 + visits")),
    *(("H", "P3"), ("H", "P4"), ("H", "P4 + visits"), ("B", "P4 + visits")),
)
"""Which rows of links and of boxes are added up."""
Parts = np.ndarray[Any, np.dtype[np.float64]]
"""One row an image, one column a figure."""


def ratio(above: Sequence[float], below: Sequence[float], percent: bool = False) -> list[float]:
    """Return a ratio of sums over images, with its 95% interval by resampling images."""
    pairs: Parts = np.array([above, below], dtype=np.float64).T
    rng = np.random.default_rng(7)
    drawn = rng.integers(0, len(pairs), (RESAMPLES, len(pairs)))
    sums = pairs[drawn].sum(axis=1)
    ratios = sums[:, 0] / np.maximum(sums[:, 1], 1e-9)
    value = pairs[:, 0].sum() / max(pairs[:, 1].sum(), 1e-9)
    low, high = np.percentile(ratios, [2.5, 97.5])
    scale = 100 if percent else 1
    return [round(float(scale * one), 2) for one in (value, low, high)]


def mean(values: Sequence[float]) -> list[float]:
    """Return the mean over images, with its 95% interval."""
    return ratio(values, [1] * len(values))


def measure_links(
    images: Sequence[Sketch], rows: Mapping[str, LinkRow], errors: Errors
) -> dict[str, dict[str, Any]]:
    """Return the figures of each row."""
    figures = {}
    for name, row in rows.items():
        found = [link_image(image, row, errors, str(place)) for place, image in enumerate(images)]
        column = {one.name: [getattr(image, one.name) for image in found] for one in fields(Linked)}
        seconds = list(map(link_seconds, found))
        figures[name] = {
            "questions": mean(column["questions"]),
            "verifications": mean(column["verifications"]),
            "seconds": mean(seconds),
            "chains_right": ratio(column["matched"], column["chains"], percent=True),
            "pairs_joined": ratio(column["joined"], column["different"], percent=True),
            "pairs_apart": ratio(column["apart"], column["same"], percent=True),
            "of_images": seconds,
        }
    return figures


Played = Mapping[str, Sequence[Sequence[Course]]]
"""By protocol, the courses of the chains of each image."""


def play_all(images: Sequence[Sketch], errors: Errors, world: World) -> Played:
    """Play the images through every protocol of BOX_ROWS."""
    protocols = {row.protocol.name: row.protocol for row in BOX_ROWS.values()}
    return {name: box_courses(one, images, errors, world) for name, one in protocols.items()}


def measure_boxes(played: Played, times: Times) -> dict[str, dict[str, Any]]:
    """Return the figures of each row of BOX_ROWS."""
    return {name: _figures_of(row, played[row.protocol.name], times) for name, row in BOX_ROWS.items()}


def _figures_of(row: BoxRow, images: Sequence[Sequence[Course]], times: Times) -> dict[str, Any]:
    seconds = [box_seconds(chains, times, extreme=row.extreme, visits=row.visits) for chains in images]
    stages = sorted({stage for one in seconds for stage in one}, key=list(row.protocol.decide).index)

    def count(what: Callable[[Course], float]) -> list[float]:
        return [sum(map(what, chains)) for chains in images]

    def share_of_settled(part: str, whole: str) -> list[float]:
        """A chain in review is a researcher's, so what is wrong with its boxes is not counted."""
        above, below = (
            count(lambda one, name=name: 0 if one.review else getattr(one, name))  # type: ignore[misc]
            for name in (part, whole)
        )
        return ratio(above, below, percent=True)

    in_all = [sum(one.values()) for one in seconds]
    chains = count(lambda _: 1)
    return {
        "seconds": mean(in_all),
        "by_stage": {stage: mean([one.get(stage, 0.0) for one in seconds]) for stage in stages},
        "judgments": {
            stage: mean([sum(one.stages.count(stage) for one in of_image) for of_image in images])
            for stage in stages
        },
        "imperfect": ratio(count(lambda one: one.imperfect), chains, percent=True),
        "missing": share_of_settled("missing", "entities"),
        "wrong": share_of_settled("wrong", "boxes"),
        "review": ratio(count(lambda one: one.review), chains, percent=True),
        "of_images": in_all,
    }


ASSUMPTIONS: Mapping[str, Assumed] = {
    "as assumed": Assumed(),
    "the joint screen takes 5 s more": Assumed(times=Times(joint_seconds=5)),
    "the joint screen takes 5 s less": Assumed(times=Times(joint_seconds=-5)),
    "a box by extreme points takes 10 s": Assumed(times=Times(extreme=10)),
    "a box by extreme points takes 5 s": Assumed(times=Times(extreme=5)),
    "reading takes 5 s": Assumed(times=Times(reading=5)),
    "reading takes 9 s": Assumed(times=Times(reading=9)),
    "looking at a photograph takes 2 s": Assumed(times=Times(photograph=2)),
    "looking at a photograph takes 6 s": Assumed(times=Times(photograph=6)),
    "a joint check errs 3 points more": Assumed(errors=Errors(joint=0.03)),
    "twice as many boxes are overlooked": Assumed(errors=Errors(overlooked=0.10)),
    "no boxes are overlooked": Assumed(errors=Errors(overlooked=0.0)),
    "twice as many boxes are added": Assumed(errors=Errors(added=0.20)),
    "bad boxes are all loose or cut": Assumed(errors=Errors(wrong=0.0, double=0.0)),
    "nouns tell a little about boxes": Assumed(World(told=3)),
    "nouns tell much about boxes": Assumed(World(told=0.5)),
}
"""Each changes one assumption."""


def measure_assumptions(images: Sequence[Sketch]) -> dict[str, dict[str, dict[str, list[float]]]]:
    """Return seconds and imperfect chains of each row of BOX_ROWS under each changed assumption."""
    found = {}
    played: dict[tuple[Errors, World], Played] = {}
    for name, assumed in ASSUMPTIONS.items():
        key = assumed.errors, assumed.world
        if key not in played:
            played[key] = play_all(images, *key)
        figures = measure_boxes(played[key], assumed.times)
        found[name] = {row: {one: figures[row][one] for one in ("seconds", "imperfect")} for row in BOX_ROWS}
    return found


def shown(figure: Sequence[float], digits: int = 1) -> str:
    """Write a figure with its interval."""
    value, low, high = figure
    return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def print_links(figures: Mapping[str, Mapping[str, Any]]) -> None:
    """Print the table about chains."""
    rows = (
        ("questions", "link questions an image"),
        ("verifications", "verifications an image"),
        ("seconds", "seconds an image"),
        ("chains_right", "chains exactly right, %"),
        ("pairs_joined", "pairs wrongly joined, %"),
        ("pairs_apart", "pairs wrongly apart, %"),
    )
    table = [[what, *(shown(one[key]) for one in figures.values())] for key, what in rows]
    print_table("Chains, with 95% intervals", ["", *figures], table)


def print_boxes(figures: Mapping[str, Mapping[str, Any]]) -> None:
    """Print the tables about boxes."""
    rows = (
        ("seconds", "seconds an image"),
        ("imperfect", "imperfect chains, %"),
        ("missing", "missing boxes, %"),
        ("wrong", "wrong boxes, %"),
        ("review", "chains in review, %"),
    )
    table = [[what, *(shown(one[key]) for one in figures.values())] for key, what in rows]
    print_table("Boxes, with 95% intervals", ["", *figures], table)
    stages = [*map(str, Stage), *map(str, JointStage)]
    for key, title in (("judgments", "Judgments an image"), ("by_stage", "Seconds an image")):
        table = [
            [stage, *(shown(one[key][stage]) if stage in one[key] else "" for one in figures.values())]
            for stage in stages
            if any(stage in one[key] for one in figures.values())
        ]
        print_table(f"{title} in the box stages", ["", *figures], table)


def main() -> None:
    chosen = options(__doc__).parse_args()
    rng = random.Random(7)
    images = [draw_image(rng, SPREAD) for _ in range(IMAGES[chosen.size])]
    usual = Assumed()
    rows = link_rows(Prior(fit_prior(SPREAD, FITTED_TO[chosen.size])))
    links = measure_links(images, rows, usual.errors)
    boxes = measure_boxes(play_all(images, usual.errors, usual.world), usual.times)
    print_links(links)
    print_boxes(boxes)
    together = {
        f"links {one}, boxes {other}": mean(
            [a + b for a, b in zip(links[one]["of_images"], boxes[other]["of_images"], strict=True)]
        )
        for one, other in TOGETHER
    }
    print_table(
        "Seconds an image in all", ["", "seconds"], [[name, shown(row)] for name, row in together.items()]
    )
    changed = measure_assumptions(images[: IMAGES["quick"]])
    print_table(
        f"Box stages if an assumption changes ({min(len(images), IMAGES['quick'])} images): "
        "seconds an image, and imperfect chains in %",
        ["", *BOX_ROWS],
        [
            [name, *(f"{one['seconds'][0]:.0f} / {one['imperfect'][0]:.1f}%" for one in rows.values())]
            for name, rows in changed.items()
        ],
    )
    for row in (*links.values(), *boxes.values()):
        del row["of_images"]
    write_json(
        "protocols",
        {
            "images": len(images),
            "assumed": asdict(usual),
            "links": links,
            "boxes": boxes,
            "together": together,
            "assumptions": changed,
        },
        references={f"of the paper's {stage}, seconds": SECONDS[stage] for stage in SECONDS},
        folder=chosen.out,
    )


if __name__ == "__main__":
    main()
