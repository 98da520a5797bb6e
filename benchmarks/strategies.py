"""Compares the link strategies on made-up images with the paper's table 2: `make bench-strategies`.

An image is drawn like the paper's. It has five captions, and 7.7 chains of the types of figure 5, with as
many mentions as there. Half of the chains have only one mention. A judgment errs as often as the paper's do
(its rates for `exhaustive`), but not everywhere alike: most images are easy, and some are hard. The one
number that is chosen here is how unlike the images are. It is chosen so that `exhaustive` matches as many
chains as in the paper. With an even rate, whose table is printed below, the same number of errors spoils more
chains.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from annotation.domain.answers import LinkAnswer
from annotation.domain.mentions import Mention, admissible
from benchmarks.report import options, print_table, write_json
from workflows.pipeline.domain.link_strategies import (
    STRATEGIES,
    ImageLinks,
    Link,
    Pair,
    Strategy,
    contradictions,
)
from workflows.pipeline.domain.verdicts import decide_link

IMAGES = {"full": 1000, "quick": 100, "tiny": 10}
CAPTIONS = 5
CHAINS = 7.7  # an image
MENTIONS = 16.6  # an image
# By type, its share of all chains and its mentions a chain (the paper's figure 5). There, a chain of several
# types counts for each of them, and such chains are longer. So LONGER brings the mentions of an image down to
# what they are.
KINDS = {
    "people": (59_766, 3.17),
    "clothing": (42_380, 1.76),
    "bodyparts": (12_809, 1.50),
    "animals": (5_086, 3.63),
    "vehicles": (5_561, 2.77),
    "instruments": (1_827, 2.85),
    "scene": (46_919, 2.03),
    "other": (82_098, 1.94),
}
LONGER = (MENTIONS / CHAINS - 1) / (
    sum(share * (mentions - 1) for share, mentions in KINDS.values())
    / sum(share for share, _ in KINDS.values())
)
EVEN = 1.5  # how alike the chains of a type are: 49% have one mention then, as in the paper (section 3.1.2)
SPREAD = 1.5  # variance of the hardness of images, whose mean is 1
FALSE_POSITIVES, FALSE_NEGATIVES = 0.0492, 0.0470  # of single judgments: the paper's `exhaustive`


@dataclass
class Figures:
    """Table 2, in per cent."""

    links: float
    chains: float
    false_positives: float
    false_negatives: float
    asked: float


PAPER = {
    "exhaustive": Figures(95.03, 81.84, 4.92, 4.70, 100.00),
    "greedy": Figures(94.46, 81.55, 5.74, 4.99, 57.00),
    "exhaustive_plus": Figures(98.33, 90.67, 1.04, 2.28, 119.74),
    "greedy_plus": Figures(96.40, 86.07, 3.14, 4.05, 66.94),
}


COLUMNS: Mapping[str, tuple[str, Strategy]] = {
    **{name: (name, by_rule["triangles"]) for name, by_rule in STRATEGIES.items()},
    **{
        f"{name}, cycles": (name, by_rule["cycles"])
        for name, by_rule in STRATEGIES.items()
        if name.endswith("_plus")
    },
}
"""The columns of the tables: the strategy's name in the paper's table 2, and the strategy."""

ROWS = {
    "links": "matched links, of those asked",
    "chains": "matched chains",
    "false_positives": "false positives",
    "false_negatives": "false negatives",
    "asked": "judgments, of exhaustive's",
}


@dataclass
class Sketch:
    """A made-up image: its mentions, the entity of each by mention id, and how hard it is (mean 1)."""

    mentions: list[Mention]
    truth: dict[int, int]
    hardness: float


@dataclass
class Tally:
    """Counts over all images. Pairs are those that may be linked."""

    pairs: int = 0
    right: int = 0
    # of the links that were asked, as the paper counts them
    same: int = 0
    different: int = 0
    missed: int = 0
    invented: int = 0
    chains: int = 0
    matched: int = 0
    judgments: int = 0
    contradictions: int = 0  # left at the end

    @property
    def all_links(self) -> float:
        """Return the per cent of all pairs that are as in the truth.

        For pairs that were not asked, the chains say whether they are linked.
        """
        return 100 * self.right / self.pairs

    def figures(self) -> Figures:
        return Figures(
            links=100 - 100 * (self.missed + self.invented) / (self.same + self.different),
            chains=100 * self.matched / self.chains,
            false_positives=100 * self.invented / self.different,
            false_negatives=100 * self.missed / self.same,
            asked=100 * self.judgments / self.pairs,
        )


def draw_image(rng: random.Random, spread: float) -> Sketch:
    """Draw an image. `spread` is the variance of its hardness. If it is 0, all images are alike."""
    kinds = rng.choices(list(KINDS), [share for share, _ in KINDS.values()], k=_poisson(rng, CHAINS) or 1)
    mentions: list[Mention] = []
    truth: dict[int, int] = {}
    for entity, kind in enumerate(kinds):
        share = LONGER * (KINDS[kind][1] - 1) / (CAPTIONS - 1)
        chance = rng.betavariate(share * EVEN, (1 - share) * EVEN)
        others = sum(rng.random() < chance for _ in range(CAPTIONS - 1))
        said = sorted(rng.sample(range(CAPTIONS), 1 + others))
        for caption in said:
            number = len(mentions)
            truth[number] = entity
            mentions.append(Mention(number, caption, number, number + 1, kind, (kind,)))
    hardness = rng.gammavariate(1 / spread, spread) if spread else 1.0
    return Sketch(mentions, truth, hardness)


def _poisson(rng: random.Random, mean: float) -> int:
    """Return how many events happen in one unit of time, with `mean` of them in a unit on average."""
    count, spent = 0, rng.expovariate(mean)
    while spent < 1:
        count, spent = count + 1, spent + rng.expovariate(mean)
    return count


class Crowd:
    """Judgments about the pairs of one image.

    The n-th worker says the same whatever the strategy.
    """

    def __init__(self, image: Sketch, seed: str) -> None:
        self.image = image
        self.seed = seed
        self.judgments = 0

    def judge(self, pair: Pair, settling: bool) -> Link:
        """Return the link as one worker judges it or, when settling, the best of three."""
        votes: list[bool] = []
        while (verdict := decide_link([*map(LinkAnswer, votes)], settling=settling)) is None:
            votes.append(self._vote(pair, len(votes)))
        # When a link is settled, its first vote was given and counted before.
        self.judgments += len(votes) - settling
        return Link(votes[0], verdict.name == "same" if settling else None)

    def _vote(self, pair: Pair, turn: int) -> bool:
        same = self.image.truth[pair[0]] == self.image.truth[pair[1]]
        rate = self.image.hardness * (FALSE_NEGATIVES if same else FALSE_POSITIVES)
        errs = random.Random(f"{self.seed}/{pair}/{turn}").random() < min(rate, 0.5)
        return same != errs


def annotate(image: Sketch, strategy: Strategy, seed: str, tally: Tally) -> None:
    """Let the crowd answer all that the strategy asks about the image, and count the results."""
    crowd = Crowd(image, seed)
    answers: dict[Pair, Link] = {}
    while True:
        step = strategy(ImageLinks(image.mentions, answers, seed))
        if not step.ask and not step.settle:
            break
        answers |= {pair: crowd.judge(pair, settling=False) for pair in step.ask}
        answers |= {pair: crowd.judge(pair, settling=True) for pair in step.settle}
    chain_of = {m.id: n for n, chain in enumerate(step.chains) for m in chain}
    in_order = sorted(image.mentions, key=lambda m: (m.caption, m.start))
    for a, b in combinations(in_order, 2):
        if admissible(a, b):
            link = answers.get((a.id, b.id))
            said = link.same if link else chain_of[a.id] == chain_of[b.id]
            true = image.truth[a.id] == image.truth[b.id]
            tally.pairs += 1
            tally.right += said == true
            if link:
                tally.same += true
                tally.different += not true
                tally.missed += true and not said
                tally.invented += said and not true
    gold = _groups(image.truth)
    tally.chains += len(gold)
    tally.matched += len(gold & _groups(chain_of))
    tally.judgments += crowd.judgments
    tally.contradictions += len(contradictions(ImageLinks(image.mentions, answers)))


def _groups(group_of: Mapping[int, int]) -> set[frozenset[int]]:
    members: dict[int, set[int]] = {}
    for one, group in group_of.items():
        members.setdefault(group, set()).add(one)
    return {frozenset(found) for found in members.values()}


def compare(spread: float, number: int) -> dict[str, Any]:
    """Print a table about so many images, and return its figures as plain values."""
    rng = random.Random(7)
    images = [draw_image(rng, spread) for _ in range(number)]
    tallies = {name: Tally() for name in COLUMNS}
    for place, image in enumerate(images):
        for name, (_, strategy) in COLUMNS.items():
            annotate(image, strategy, str(place), tallies[name])
    found = {name: tally.figures() for name, tally in tallies.items()}
    rows = [
        [
            what,
            *(
                f"{getattr(found[name], key):.1f} ({getattr(PAPER[paper], key):.1f})"
                for name, (paper, _) in COLUMNS.items()
            ),
        ]
        for key, what in ROWS.items()
    ]
    rows.insert(1, ["matched links, of all", *(f"{tallies[name].all_links:.1f}" for name in COLUMNS)])
    left = (f"{tallies[name].contradictions / number:.2f}" for name in COLUMNS)
    rows.append(["contradictions left an image", *left])
    mentions = sum(len(image.mentions) for image in images) / number
    chains = tallies["exhaustive"].chains / number
    print_table(
        f"{number} images of {mentions:.1f} mentions in {chains:.1f} chains, variance of hardness {spread}: "
        "per cent (the paper's)",
        ["", *COLUMNS],
        rows,
    )
    return {
        "images": number,
        "mentions": mentions,
        "chains": chains,
        "strategies": {
            name: {
                **asdict(found[name]),
                "all_links": tallies[name].all_links,
                "contradictions_an_image": tallies[name].contradictions / number,
            }
            for name in COLUMNS
        },
    }


def main() -> None:
    chosen = options(__doc__).parse_args()
    images = IMAGES[chosen.size]
    figures = {"uneven": compare(SPREAD, images), "even": compare(0, images)}
    paper = {name: asdict(row) for name, row in PAPER.items()}
    references = {f"of the paper's {name}": row.links for name, row in PAPER.items()}
    write_json("strategies", {**figures, "paper": paper}, references=references, folder=chosen.out)


if __name__ == "__main__":
    main()
