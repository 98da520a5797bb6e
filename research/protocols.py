"""Simulates what the protocols cost and how good their data are: `make bench-protocols`.

The images are those of `research.strategies`, with as many boxes a chain as in the paper's table 4. Workers
err as those of table 3, and take its times. What the paper does not say is a field of `World`, `Errors` or
`Times` in `research.protocols_model`. Seconds are shown by two sets of assumptions (SETS), and the last
tables show what changes with each assumption.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

import numpy as np

from annotation.domain.answers import JointStage, Stage
from benchmarks.report import options, print_table, write_json
from research.protocols_model import (
    FLICKR30K,
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
from research.strategies import FITTED_TO, SPREAD, Sketch, draw_image, fit_prior
from workflows.batch_settings.domain.paper import SECONDS
from workflows.pipeline.domain.link_strategies import STRATEGIES, likely_first, posterior
from workflows.pipeline.domain.moves import ENTITIES_FAST, Protocol
from workflows.priors.domain.prior import Prior

IMAGES = {"full": 4000, "quick": 200, "tiny": 5}
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
        "B, balanced": LinkRow(posterior(prior, "balanced", human_yes=False), verified=False),
    }


@dataclass(frozen=True)
class Sum:
    """A row of links and one of boxes that are added up."""

    links: str
    boxes: str
    all_visits: bool = False  # questions about links come in visits, too
    goal: float = 0.0  # the seconds an image that it should take at most, if there is a goal

    @property
    def name(self) -> str:
        return f"links {self.links}{' + visits' * self.all_visits}, boxes {self.boxes}"


TOGETHER = (
    *(Sum("paper", boxes) for boxes in BOX_ROWS),
    *(Sum("H", "P3"), Sum("H", "P4", goal=450), Sum("H", "P4 + visits"), Sum("H", "P4 + visits", True)),
    *(Sum("B", "P4 + visits", goal=345), Sum("B", "P4 + visits", True, goal=345)),
    *(Sum("B, balanced", "P4 + visits", goal=345), Sum("B, balanced", "P4 + visits", True, goal=345)),
)
QUALITY = {
    "links": ("chains_right", "pairs_joined", "pairs_apart"),
    "boxes": ("imperfect", "missing", "wrong"),
}
"""The figures about quality of both kinds of rows."""
MORE_IS_BETTER = "chains_right"
"""Of all other figures, less is better."""
SETS: Mapping[str, Times] = {
    "plan": Times(joint_by_box=False, looking_apart=False),
    "careful": Times(),
}
"""How long the new screens take. By the plan, with which the protocol was designed, a joint screen takes as
long as a question of coverage, however many boxes are new. So does an item of `boxes` if nothing is drawn;
with one box it takes as long as one of drawing. To be careful, each new box adds its time to the joint
screen, and looking for what is missing to each item of `boxes`."""
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
    images: Sequence[Sketch], rows: Mapping[str, LinkRow], errors: Errors, times: Times
) -> dict[str, dict[str, Any]]:
    """Return the figures of each row."""
    figures = {}
    for name, row in rows.items():
        found = [link_image(image, row, errors, str(place)) for place, image in enumerate(images)]
        column = {one.name: [getattr(image, one.name) for image in found] for one in fields(Linked)}
        seconds, in_visits = (
            [link_seconds(one, times, visits=visits) for one in found] for visits in (False, True)
        )
        figures[name] = {
            "questions": mean(column["questions"]),
            "verifications": mean(column["verifications"]),
            "seconds": mean(seconds),
            "seconds_in_visits": mean(in_visits),
            "chains_right": ratio(column["matched"], column["chains"], percent=True),
            "pairs_joined": ratio(column["joined"], column["different"], percent=True),
            "pairs_apart": ratio(column["apart"], column["same"], percent=True),
            "of_images": seconds,
            "of_images_in_visits": in_visits,
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


@dataclass(frozen=True)
class Change:
    """What is assumed otherwise. `times` has fields of `Times`."""

    times: Mapping[str, Any] = field(default_factory=dict)
    errors: Errors = field(default_factory=Errors)
    world: World = field(default_factory=World)


CHANGES: Mapping[str, Change] = {
    "as assumed": Change(),
    "new boxes add nothing to the joint screen": Change({"joint_by_box": False}),
    "new boxes add their time to the joint screen": Change({"joint_by_box": True}),
    "looking for what is missing is part of drawing": Change({"looking_apart": False}),
    "looking for what is missing takes its own time": Change({"looking_apart": True}),
    "the joint screen takes 5 s more": Change({"joint_seconds": 5}),
    "the joint screen takes 5 s less": Change({"joint_seconds": -5}),
    "a box by extreme points takes 10 s": Change({"extreme": 10}),
    "a box by extreme points takes 5 s": Change({"extreme": 5}),
    "reading takes 5 s": Change({"reading": 5}),
    "reading takes 9 s": Change({"reading": 9}),
    "looking at a photograph takes 2 s": Change({"photograph": 2}),
    "looking at a photograph takes 6 s": Change({"photograph": 6}),
    "a joint check errs 3 points more": Change(errors=Errors(joint=0.03)),
    "twice as many boxes are overlooked": Change(errors=Errors(overlooked=0.10)),
    "no boxes are overlooked": Change(errors=Errors(overlooked=0.0)),
    "twice as many boxes are added": Change(errors=Errors(added=0.20)),
    "four times as many boxes are added": Change(errors=Errors(added=0.40)),
    "bad boxes are all loose or cut": Change(errors=Errors(wrong=0.0, double=0.0)),
    "nouns tell a little about boxes": Change(world=World(told=3)),
    "nouns tell much about boxes": Change(world=World(told=0.5)),
}
"""Each changes one assumption."""
Changed = dict[str, dict[str, dict[str, list[float]]]]
"""By change, and by row of BOX_ROWS: seconds and imperfect chains."""


def measure_changes(images: Sequence[Sketch]) -> dict[str, Changed]:
    """Return what each change makes of the rows of BOX_ROWS, for each of SETS."""
    found: dict[str, Changed] = {name: {} for name in SETS}
    played: dict[tuple[Errors, World], Played] = {}
    for name, change in CHANGES.items():
        key = change.errors, change.world
        if key not in played:
            played[key] = play_all(images, *key)
        for assumed, usual in SETS.items():
            figures = measure_boxes(played[key], replace(usual, **change.times))
            found[assumed][name] = {
                row: {one: figures[row][one] for one in ("seconds", "imperfect")} for row in BOX_ROWS
            }
    return found


def add_up(
    links: Mapping[str, Mapping[str, Any]], boxes: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Return the seconds of the rows of TOGETHER, their goals, and what is worse than in the paper's flow."""
    found: dict[str, dict[str, Any]] = {}
    for row in TOGETHER:
        of_links = links[row.links]["of_images_in_visits" if row.all_visits else "of_images"]
        seconds = mean([a + b for a, b in zip(of_links, boxes[row.boxes]["of_images"], strict=True)])
        found[row.name] = {"seconds": seconds}
        if row.goal:
            worse = [*_worse(links, row.links, QUALITY["links"]), *_worse(boxes, row.boxes, QUALITY["boxes"])]
            reached = "yes" if seconds[0] <= row.goal else "no"
            found[row.name] |= {"goal": row.goal, "reached": reached, "worse": ", ".join(worse) or "nothing"}
    return found


def _worse(rows: Mapping[str, Mapping[str, Any]], name: str, figures: Sequence[str]) -> list[str]:
    """Return the figures about quality that are worse than those of the row *paper*."""
    pairs = [(one, rows[name][one][0], rows["paper"][one][0]) for one in figures]
    return [one for one, own, paper in pairs if (own < paper if one == MORE_IS_BETTER else own > paper)]


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
        ("seconds_in_visits", "seconds an image, in visits"),
        ("chains_right", "chains exactly right, %"),
        ("pairs_joined", "pairs wrongly joined, %"),
        ("pairs_apart", "pairs wrongly apart, %"),
    )
    table = [[what, *(shown(one[key]) for one in figures.values())] for key, what in rows]
    print_table("Chains, with 95% intervals", ["", *figures], table)


def print_boxes(by_set: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
    """Print the tables about boxes. Only seconds depend on the set of assumptions."""
    figures = next(iter(by_set.values()))
    rows = (
        ("imperfect", "imperfect chains, %"),
        ("missing", "missing boxes, %"),
        ("wrong", "wrong boxes, %"),
        ("review", "chains in review, %"),
    )
    table = [
        [f"seconds an image ({name})", *(shown(one["seconds"]) for one in rows_of_set.values())]
        for name, rows_of_set in by_set.items()
    ]
    table += [[what, *(shown(one[key]) for one in figures.values())] for key, what in rows]
    print_table("Boxes, with 95% intervals", ["", *figures], table)
    print_table("Judgments an image in the box stages", ["", *figures], _by_stage("judgments", figures))
    for name, rows_of_set in by_set.items():
        title = f"Seconds an image in the box stages, as assumed by the set {name!r}"
        print_table(title, ["", *figures], _by_stage("by_stage", rows_of_set))


def _by_stage(key: str, figures: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    return [
        [stage, *(shown(one[key][stage]) if stage in one[key] else "" for one in figures.values())]
        for stage in (*map(str, Stage), *map(str, JointStage))
        if any(stage in one[key] for one in figures.values())
    ]


def print_together(assumed: str, figures: Mapping[str, Mapping[str, Any]]) -> None:
    """Print the seconds of links and boxes together, and whether they reach their goals."""
    table = []
    for name, row in figures.items():
        aim = [f"{row['goal']:.0f}", row["reached"], row["worse"]] if "goal" in row else ["", "", ""]
        table.append([name, shown(row["seconds"]), *aim])
    heads = ["", "seconds", "goal", "reached", "worse than in the paper's flow"]
    print_table(f"Seconds an image in all, as assumed by the set {assumed!r}", heads, table)


def main() -> None:
    chosen = options(__doc__).parse_args()
    rng = random.Random(7)
    images = [draw_image(rng, SPREAD) for _ in range(IMAGES[chosen.size])]
    rows = link_rows(Prior(fit_prior(SPREAD, FITTED_TO[chosen.size])))
    links = measure_links(images, rows, Errors(), Times())
    played = play_all(images, Errors(), World())
    boxes = {name: measure_boxes(played, times) for name, times in SETS.items()}
    together = {name: add_up(links, figures) for name, figures in boxes.items()}
    changed = measure_changes(images[: IMAGES["quick"]])
    print_links(links)
    print_boxes(boxes)
    for name, sums in together.items():
        print_together(name, sums)
    for name, changes in changed.items():
        print_table(
            f"Box stages by the set {name!r} if an assumption changes ({min(len(images), IMAGES['quick'])} "
            "images): seconds an image, and imperfect chains in %",
            ["", *BOX_ROWS],
            [
                [what, *(f"{one['seconds'][0]:.0f} / {one['imperfect'][0]:.1f}%" for one in of_rows.values())]
                for what, of_rows in changes.items()
            ],
        )
    for row in (*links.values(), *(row for figures in boxes.values() for row in figures.values())):
        row.pop("of_images")
        row.pop("of_images_in_visits", None)
    write_json(
        "protocols",
        {
            "images": len(images),
            "assumed": {
                "world": asdict(World()),
                "errors": asdict(Errors()),
                "times": {name: asdict(times) for name, times in SETS.items()},
            },
            "links": links,
            "boxes": boxes,
            "together": together,
            "changes": changed,
        },
        references={f"of the paper's {stage}, seconds": SECONDS[stage] for stage in SECONDS},
        folder=chosen.out,
    )


if __name__ == "__main__":
    main()
