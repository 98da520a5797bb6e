"""Simulates what models that help save, and what they do to the data: `make bench-models`.

A detector suggests boxes, and a model judges them in joint checks, as `research.models_world` says. How good
the model is, is estimated in the run itself, by the rules of the product. Each row is compared with people
who work alone on the same images. Seconds are those of `research.protocols`, by both of its sets.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from benchmarks.report import options, print_table, write_json
from research.made_up_answers import Judge as Rater
from research.made_up_answers import draw_rows
from research.models_crowd import Detector
from research.models_world import Help, Judge, Run, run, seconds_of
from research.protocols import SETS, Parts, mean, ratio, shown
from research.protocols_model import Course, Errors, LinkRow, link_image, link_seconds
from research.scored_links import link_with_scores
from research.strategies import FITTED_TO, SPREAD, Sketch, draw_image, fit_prior
from workflows.judges.domain.accuracy import Rated, measure
from workflows.judges.domain.gate import (
    MIN_ACCURACY,
    MIN_SURPRISE,
    NOTHING_KNOWN,
    Record,
    add_evidence,
    renew,
)
from workflows.judges.domain.kinds import PEOPLE
from workflows.pipeline.domain.link_strategies import posterior
from workflows.priors.domain.prior import Prior

IMAGES = {"full": 1500, "quick": 150, "tiny": 12}
RUNS = {"full": 200, "quick": 20, "tiny": 2}
"""How often a gate is tried."""
KNOWN = 60
"""Known images that scores of links are fitted on."""
RESAMPLES = 1000
GOAL = {"plan": 250.0, "careful": 340.0}
STRETCH = {"plan": 230.0, "careful": 310.0}
SEVEN = Detector(0.7)
ECHOES, SHARES = (0.0, 0.3, 0.6, 1.0), (0.0, 0.1, 0.3)


@dataclass(frozen=True)
class Row:
    """What helps in one row, and whether the goals are meant for it."""

    help: Help
    goal: bool = False


def rows() -> dict[str, Row]:
    """Return the rows by name. The first are people who work alone, by how many bad boxes look good."""
    found = {_alone(share): Row(Help(shared=share)) for share in SHARES}
    for recall in (0.42, 0.7, 0.85):
        found[f"suggestions, recall {recall}"] = Row(Help(Detector(recall)))
    found["60% waved through, no judge"] = Row(Help(SEVEN, waved=0.6))
    for accuracy in (0.80, 0.88, 0.90, 0.95):
        goal = accuracy in (0.88, 0.90)
        found[f"judge {accuracy:.2f}"] = Row(Help(SEVEN, Judge(accuracy)), goal)
    for recall in (0.42, 0.85):
        found[f"judge 0.88, recall {recall}"] = Row(Help(Detector(recall), Judge(0.88)))
    for share in SHARES:
        for echo in ECHOES:
            if share or echo:
                found[f"judge 0.88, ρ {echo}, shared {share}"] = Row(
                    Help(SEVEN, Judge(0.88, echo=echo), shared=share)
                )
    found |= {
        "judge 0.88, ρ 1, 60% waved through": Row(Help(SEVEN, Judge(0.88, echo=1.0), waved=0.6)),
        "judge 0.95, ρ 1, 60% waved through": Row(Help(SEVEN, Judge(0.95, echo=1.0), waved=0.6)),
        "judge 0.80, ρ 1, shared 0.3": Row(Help(SEVEN, Judge(0.80, echo=1.0), shared=0.3)),
        "judge 0.95, later 0.70": Row(Help(SEVEN, Judge(0.95, later=0.70))),
        "judge 0.95, later 0.70, nothing set aside": Row(
            Help(SEVEN, Judge(0.95, later=0.70), takes_back=False)
        ),
        "a third accepts everything": Row(Help(SEVEN, careless=1 / 3)),
        "a third accepts everything, no limits": Row(Help(SEVEN, careless=1 / 3, limits=False)),
        "a third accepts everything, judge 0.88": Row(Help(SEVEN, Judge(0.88), careless=1 / 3)),
        "judge 0.88, no known images": Row(Help(SEVEN, Judge(0.88), known=0)),
        "judge 0.88, no known images, shared 0.3": Row(Help(SEVEN, Judge(0.88), known=0, shared=0.3)),
        "judge 0.88, no suggestions": Row(Help(None, Judge(0.88))),
        "judge 0.95, no suggestions": Row(Help(None, Judge(0.95))),
        "judge 0.88, and in requirement": Row(Help(SEVEN, Judge(0.88), need=0.88)),
    }
    return found


def _alone(share: float) -> str:
    return f"people only, shared {share}" if share else "people only"


@dataclass(frozen=True)
class Boxes:
    """The figures of one row about each image, and what became of its judge."""

    seconds: Mapping[str, Sequence[float]]  # by set
    imperfect: Parts  # imperfect chains and chains
    wrong: Parts  # wrong boxes and boxes, without chains in review
    missing: Parts
    alone: Parts  # checks that the model settled, and checks
    course: Mapping[str, int]  # see `Judging` and `Crowd.course`: only what happened


def measure_row(row: Row, images: Sequence[Sketch]) -> Boxes:
    """Annotate the images with what helps in a row."""
    found = run(images, Errors(), row.help)
    judging = found.judging

    def of_settled(name: str) -> Callable[[Course], float]:
        return lambda one: 0.0 if one.review else float(getattr(one, name))

    return Boxes(
        seconds={name: seconds_of(found, row.help, times) for name, times in SETS.items()},
        imperfect=_parts(found, lambda one: one.imperfect, lambda _: 1),
        wrong=_parts(found, of_settled("wrong"), of_settled("boxes")),
        missing=_parts(found, of_settled("missing"), of_settled("entities")),
        alone=np.array([[one.alone, one.checks] for one in found.extra], dtype=np.float64),
        course={
            name: number
            for name in ("opened", "closed", "until_closed", "asked_again", "off")
            if judging and (number := getattr(judging, name)) not in (None, 0)
        }
        | (found.crowd.course() if found.crowd else {}),
    )


def _parts(found: Run, part: Callable[[Course], float], whole: Callable[[Course], float]) -> Parts:
    return np.array([[sum(map(part, one)), sum(map(whole, one))] for one in found.images], dtype=np.float64)


def difference(one: Parts, other: Parts) -> list[float]:
    """Return by how many percentage points a ratio is higher than another of the same images, with its 95%
    interval by resampling images."""
    rng = np.random.default_rng(7)
    drawn = rng.integers(0, len(one), (RESAMPLES, len(one)))

    def points(sums: Parts) -> Parts:
        return 100 * sums[:, 0] / np.maximum(sums[:, 1], 1e-9)

    value = points(one.sum(axis=0, keepdims=True)) - points(other.sum(axis=0, keepdims=True))
    low, high = np.percentile(points(one[drawn].sum(axis=1)) - points(other[drawn].sum(axis=1)), [2.5, 97.5])
    return [round(float(number), 2) for number in (value[0], low, high)]


def judged(against_people: Sequence[float]) -> str:
    """Say in a word whether a figure is worse than that of people only."""
    value, low, _ = against_people
    return "no" if value <= 0 else "yes" if low > 0 else "not surely"


def measure_links(images: Sequence[Sketch], size: str) -> dict[str, dict[str, Any]]:
    """Return seconds and figures of chains: by people and text alone, and with a model's scores."""
    text, errors = fit_prior(SPREAD, FITTED_TO[size]), Errors()
    by_text = LinkRow(posterior(Prior(text), "careful", human_yes=False), verified=False)
    rng = random.Random(9)
    known = [draw_image(rng, SPREAD) for _ in range(KNOWN)]
    found = {
        "text": [link_image(one, by_text, errors, str(place)) for place, one in enumerate(images)],
        "scores": link_with_scores(images, known, text, errors),
    }
    return {
        name: {
            "of_images": [link_seconds(one, SETS["plan"], visits=True) for one in linked],
            "chains_right": ratio(
                [one.matched for one in linked], [one.chains for one in linked], percent=True
            ),
            "pairs_joined": ratio(
                [one.joined for one in linked], [one.different for one in linked], percent=True
            ),
            "pairs_apart": ratio([one.apart for one in linked], [one.same for one in linked], percent=True),
            "questions": mean([one.questions for one in linked]),
        }
        for name, linked in found.items()
    }


def figures(row: Row, boxes: Boxes, people: Boxes, links: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the figures of a row. Seconds are those of links and boxes, both in visits."""
    seconds = {
        by: {
            name: mean([a + b for a, b in zip(links[by]["of_images"], own, strict=True)])
            for name, own in boxes.seconds.items()
        }
        for by in links
    }
    compared = {
        "imperfect": difference(boxes.imperfect, people.imperfect),
        "wrong": difference(boxes.wrong, people.wrong),
    }
    found = {
        "seconds": seconds,
        **{
            name: ratio(getattr(boxes, name)[:, 0], getattr(boxes, name)[:, 1], percent=True)
            for name in ("imperfect", "wrong", "missing", "alone")
        },
        "more_than_people_only": compared,
        "worse": {name: judged(one) for name, one in compared.items()},
        "course": boxes.course,
    }
    if row.goal:
        found["reached"] = {
            by: {
                aim: all(own[name][0] <= limit for name, limit in limits.items())
                for aim, limits in (("goal", GOAL), ("stretch", STRETCH))
            }
            for by, own in seconds.items()
        }
    return found


def try_gates(runs: int) -> dict[str, dict[str, float]]:
    """Return how often a gate opens at 1,000 boxes of 112 images, and what is measured there, by accuracy."""
    found = {}
    for accuracy in (0.80, 0.85, 0.88, 0.90, 0.95):
        rates = [
            measure(
                draw_rows(random.Random(seed), 1000, Rater(accuracy, accuracy)), np.random.default_rng(seed)
            )[PEOPLE]
            for seed in range(runs)
        ]
        found[f"{accuracy:.2f}"] = {
            "opens": 100 * sum(one.accuracy.low > MIN_ACCURACY for one in rates) / runs,
            "sensitivity": float(np.mean([one.sensitivity.value for one in rates])),
            "specificity": float(np.mean([one.specificity.value for one in rates])),
        }
    return found


def try_turns(runs: int) -> dict[str, float]:
    """Return after how many sealed answers a judge of .95 that becomes one of .7 is closed, and how often one
    that stays as it was is closed within 2,000."""
    until, closed = [], 0
    for seed in range(runs):
        rng = random.Random(seed)
        before = draw_rows(rng, 1000, Rater(0.95, 0.95), kind="model")
        record = renew(NOTHING_KNOWN, before, np.random.default_rng(seed))
        until.append(_closed_after(record, draw_rows(rng, 2000, Rater(0.7, 0.7), kind="model")))
        as_good = draw_rows(rng, 2000, Rater(0.95, 0.95), kind="model")
        closed += _closed_after(record, as_good) < len(as_good)
    median, most = np.percentile(until, [50, 90])
    return {"median": float(median), "nine_of_ten": float(most), "closed_though_as_good": 100 * closed / runs}


def _closed_after(record: Record, rows: Sequence[Rated]) -> int:
    for place, row in enumerate(rows):
        record = replace(record, evidence=add_evidence(record, [row]))
        if max(record.evidence.values()) > MIN_SURPRISE:
            return place + 1
    return len(rows)


def print_rows(found: Mapping[str, Mapping[str, Any]]) -> None:
    """Print MODELS.md's table, and what the rows came to."""
    table = []
    for name, one in found.items():
        seconds, course = one["seconds"], one["course"]
        table.append(
            [
                name,
                *(shown(seconds[by][assumed], 0) for by in seconds for assumed in SETS),
                *(shown(one[figure]) for figure in ("imperfect", "wrong", "alone")),
                *one["worse"].values(),
                ", ".join(f"{what} {number}" for what, number in course.items()),
            ]
        )
    heads = [
        *("", *(f"s, {name}, links by {by}" for by in ("text", "scores") for name in SETS)),
        *("imperfect, %", "wrong, %", "settled by the model alone, %", "imperfect: worse?", "wrong: worse?"),
        "images until (until_closed: sealed answers)",
    ]
    print_table(
        "With models, links and boxes in visits, and 95% intervals; worse than people only?", heads, table
    )
    print_table(
        f"Goals {GOAL} and {STRETCH}",
        ["", "links by", "goal", "stretch"],
        [
            [name, by, *("yes" if aim else "no" for aim in aims.values())]
            for name, one in found.items()
            for by, aims in one.get("reached", {}).items()
        ],
    )


def main() -> None:
    chosen = options(__doc__).parse_args()
    rng = random.Random(7)
    images = [draw_image(rng, SPREAD) for _ in range(IMAGES[chosen.size])]
    links = measure_links(images, chosen.size)
    named = rows()
    with ProcessPoolExecutor(min(4, os.cpu_count() or 1)) as processes:
        played = dict(
            zip(named, processes.map(partial(measure_row, images=images), named.values()), strict=True)
        )
    found = {
        name: figures(row, played[name], played[_alone(row.help.shared)], links)
        for name, row in named.items()
    }
    print_rows(found)
    of_links = {name: {k: v for k, v in one.items() if k != "of_images"} for name, one in links.items()}
    print_table(
        "Chains, by text alone and with scores",
        ["", *of_links],
        [[what, *(shown(one[what], 2) for one in of_links.values())] for what in of_links["text"]],
    )
    gates, turns = try_gates(RUNS[chosen.size]), try_turns(RUNS[chosen.size])
    print_table(
        f"Gates at 1,000 boxes of 112 images ({RUNS[chosen.size]} runs)",
        ["accuracy", "opens, %", "sensitivity", "specificity"],
        [[name, *(f"{number:.3f}" for number in one.values())] for name, one in gates.items()],
    )
    print(
        f"\nA judge of .95 that becomes one of .7 is closed after {turns['median']:.0f} sealed answers "
        f"(median; {turns['nine_of_ten']:.0f} in nine of ten runs). "
        f"One that stays as it was is closed within 2,000 in {turns['closed_though_as_good']:.1f}% of runs."
    )
    write_json(
        "models",
        {
            "images": len(images),
            "assumed": {
                "errors": asdict(Errors()),
                "times": {name: asdict(one) for name, one in SETS.items()},
            },
            "links": of_links,
            "rows": {name: {**one, "help": str(named[name].help)} for name, one in found.items()},
            "gates": gates,
            "turns": turns,
        },
        references={},
        folder=chosen.out,
    )


if __name__ == "__main__":
    main()
