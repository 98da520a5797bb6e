"""Counts chains with two mentions of one caption: `make bench-one_caption`.

Two mentions of one caption are never coreferent (Flickr30k Entities, section 3.1.1), but a third mention may
join them, and so may merging at export. The images, and the errors of workers, are those of
`research.strategies`; chains are verified as in `research.protocols`, or not (`entities-fast`). Each entity
has boxes, which each of its chains gets a little differently, so that merging joins chains of one entity. A
chain that mixes entities gets the boxes of one of them.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.domain.geometry import Box
from annotation.domain.mentions import Mention, of_one_caption
from annotation.domain.merge import merge, two_of_a_caption
from annotation.domain.records import BoxRecord, ChainRecord, ImageRecord
from benchmarks.report import options, print_table, write_json
from research.protocols_model import Errors
from research.strategies import FITTED_TO, SPREAD, Crowd, Sketch, draw_image, fit_prior
from workflows.pipeline.domain.link_strategies import (
    STRATEGIES,
    ImageLinks,
    Link,
    Pair,
    Step,
    Strategy,
    posterior,
)
from workflows.pipeline.domain.moves import split
from workflows.priors.domain.prior import Prior

IMAGES = {"full": 10_000, "quick": 1_000, "tiny": 20}
SIDE = 400  # pixels; boxes are squares of 60 to 200 pixels
SHIFT = 3  # pixels by which a chain's box may be off

Chain = tuple[Mention, ...]


@dataclass
class Tally:
    """Chains of all images of one strategy and protocol."""

    chains: int = 0
    two: int = 0  # with two mentions of one caption, before merging
    without_case: int = 0  # of these
    merged: int = 0  # chains after merging
    two_merged: int = 0  # with two mentions of one caption, after merging
    by_merging: int = 0  # of these, whose parts had none


def strategies(size: str) -> dict[str, Strategy]:
    """Return every link strategy, with what it settles by default and what else it may settle."""
    prior = Prior(fit_prior(SPREAD, FITTED_TO[size]))
    found = {name: by_rule["captions"] for name, by_rule in STRATEGIES.items()}
    for name in ("exhaustive_plus", "greedy_plus"):
        found |= {f"{name}, {rule}": STRATEGIES[name][rule] for rule in ("triangles", "cycles")}
    return {**found, "posterior": posterior(prior, "careful", human_yes=False)}


def linked(image: Sketch, strategy: Strategy, seed: str) -> Step:
    """Let the crowd answer all that the strategy asks about the image. Return its last step."""
    crowd = Crowd(image, seed)
    answers: dict[Pair, Link] = {}
    while (step := strategy(ImageLinks(image.mentions, answers, seed))).asks:
        answers |= {pair: crowd.judge_again(pair, answers[pair]) for pair in step.again}
        answers |= {pair: crowd.judge(pair, settling=False) for pair in step.ask}
        answers |= {pair: crowd.judge(pair, settling=True) for pair in step.settle}
    return step


def verified(image: Sketch, chains: Sequence[Chain], rng: random.Random) -> list[Chain]:
    """Return the chains after workers verified them, who err as often as the paper's."""
    found: list[Chain] = []
    for chain in chains:
        true = len({image.truth[mention.id] for mention in chain}) == 1
        errs = rng.random() < min(image.hardness * Errors().verification, 0.5)
        found += [chain] if len(chain) == 1 or true != errs else split(chain)
    return found


def boxed(image: Sketch, chains: Sequence[Chain], rng: random.Random) -> ImageRecord:
    """Return the image with boxes for each chain: those of the entity of its first mention."""
    places: dict[int, list[tuple[int, int, int]]] = {}
    boxes: list[BoxRecord] = []
    records = []
    for number, chain in enumerate(chains, start=1):
        entity = image.truth[chain[0].id]
        if entity not in places:
            places[entity] = [_square(rng) for _ in range(rng.choice((1, 1, 1, 2)))]
        drawn = [Box(*_shifted(square, rng)) for square in places[entity]]
        indexes = tuple(range(len(boxes), len(boxes) + len(drawn)))
        boxes += map(BoxRecord, drawn)
        spans = tuple(sorted((mention.caption, mention.start, mention.end) for mention in chain))
        types = tuple(sorted({kind for mention in chain for kind in mention.types}))
        records.append(ChainRecord(number, types, spans, indexes))
    return ImageRecord("a.jpg", (), SIDE, SIDE, chains=tuple(records), boxes=tuple(boxes))


def _square(rng: random.Random) -> tuple[int, int, int]:
    side = rng.randint(60, 200)
    return rng.randint(SHIFT, SIDE - side - SHIFT), rng.randint(SHIFT, SIDE - side - SHIFT), side


def _shifted(square: tuple[int, int, int], rng: random.Random) -> tuple[int, int, int, int]:
    left, top, side = square
    return (
        *(left + rng.randint(-SHIFT, SHIFT), top + rng.randint(-SHIFT, SHIFT)),
        *(left + side + rng.randint(-SHIFT, SHIFT), top + side + rng.randint(-SHIFT, SHIFT)),
    )


def count(image: Sketch, step: Step, tally: Tally, *, verifies: bool, seed: str) -> None:
    """Count the chains of one image. A case is opened as `workflows.pipeline` does it."""
    rng = random.Random(f"one caption/{seed}")
    chains = verified(image, step.chains, rng) if verifies else list(step.chains)
    disputed = set(step.contradictions)
    for chain in chains:
        wrong = of_one_caption(chain)
        tally.two += bool(wrong)
        # If workers verify chains, those that they keep or split are looked at then; else at the links' end.
        tally.without_case += bool(wrong) and not verifies and disputed.isdisjoint(wrong)
    raw = boxed(image, chains, rng)
    merged = merge(raw)
    before = {mention: chain for chain in raw.chains for mention in chain.mentions}
    for one in merged.chains:
        if two_of_a_caption(one):
            tally.two_merged += 1
            tally.by_merging += not any(two_of_a_caption(before[mention]) for mention in one.mentions)
    tally.chains += len(chains)
    tally.merged += len(merged.chains)


def compare(number: int, rows: Mapping[str, Strategy]) -> dict[str, Tally]:
    """Return the tallies of so many images, by strategy and protocol."""
    rng = random.Random(7)
    images = [draw_image(rng, SPREAD) for _ in range(number)]
    found: dict[str, Tally] = {}
    for name, strategy in rows.items():
        paper, fast = Tally(), Tally()
        for place, image in enumerate(images):
            step = linked(image, strategy, str(place))
            count(image, step, paper, verifies=True, seed=str(place))
            count(image, step, fast, verifies=False, seed=str(place))
        found |= {f"{name}: verified": paper, f"{name}: not verified": fast}
    return found


def main() -> int:
    chosen = options(__doc__).parse_args()
    number = IMAGES[chosen.size]
    found = compare(number, strategies(chosen.size))
    print_table(
        f"Chains with two mentions of one caption, {number:,} images",
        ("", "chains", "with two", "of these without a case", "chains merged", "with two", "by merging"),
        [[name, *vars(tally).values()] for name, tally in found.items()],
    )
    figures = {name: vars(tally) for name, tally in found.items()}
    write_json("one_caption", figures, references={}, folder=chosen.out)
    return 1 if any(tally.without_case or tally.by_merging for tally in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
