"""Compares the link strategies on made-up images with the paper's table 2: `make bench-strategies`.

An image is drawn like the paper's. It has five captions, and 7.7 chains of the types of figure 5, with as
many mentions as there. Half of the chains have only one mention. A judgment errs as often as the paper's do
(its rates for `exhaustive`), but not everywhere alike: most images are easy, and some are hard. The one
number that is chosen here is how unlike the images are. It is chosen so that `exhaustive` matches as many
chains as in the paper. With an even rate, whose table is printed below, the same number of errors spoils more
chains.

Our own strategies, `likely_first` and `posterior`, look at the words of mentions. So an entity has a noun,
and sometimes a colour, and its mentions call it by this noun or by another that means the same. The prior is
fitted to other made-up images. If ../shared/data is there, its known chains are annotated too, in real words
and with a prior that is fitted to real captions.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from annotation.domain.answers import LinkAnswer
from annotation.domain.mentions import Mention, admissible
from benchmarks.report import options, print_table, write_json
from evaluation.audit import TABLE_2, LinkCounts, count_links
from research.real_links import SHARED, known_images, unlabelled_images
from workflows.pipeline.domain.link_strategies import (
    STRATEGIES,
    ImageLinks,
    Link,
    Pair,
    Strategy,
    contradictions,
    likely_first,
    posterior,
)
from workflows.pipeline.domain.verdicts import decide_link
from workflows.priors.domain.assessment import assess, known_pairs
from workflows.priors.domain.fit import fit_text_prior
from workflows.priors.domain.prior import Prior, TextPrior

IMAGES = {"full": 1000, "quick": 100, "tiny": 10}
FITTED_TO = {"full": 1000, "quick": 200, "tiny": 40}
"""Images that a prior is fitted to."""
CROWDS = {"full": 100, "quick": 10, "tiny": 1}
"""How many crowds annotate each image of real words."""
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


PAPER = {name: Figures(*(round(100 * share, 2) for share in row)) for name, row in TABLE_2.items()}


COLUMNS: Mapping[str, tuple[str, Strategy]] = {
    **{name: (name, STRATEGIES[name]["triangles"]) for name in PAPER},
    **{f"{name}, cycles": (name, STRATEGIES[name]["cycles"]) for name in PAPER if name.endswith("_plus")},
}
"""The columns of the tables: the strategy's name in the paper's table 2, and the strategy."""


def our_columns(prior: Prior) -> dict[str, tuple[str, Strategy]]:
    """Return the columns of the strategies that the paper does not have."""
    return {
        "likely first (H)": ("", likely_first),
        "posterior (B)": ("", posterior(prior, "careful", human_yes=False)),
        "B, balanced": ("", posterior(prior, "balanced", human_yes=False)),
        "B, human yes": ("", posterior(prior, "careful", human_yes=True)),
    }


ROWS = {
    "links": "matched links, of those asked",
    "chains": "matched chains",
    "false_positives": "false positives",
    "false_negatives": "false negatives",
    "asked": "judgments, of exhaustive's",
}

NOUNS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "people": (
        *(("man", "guy", "male", "person"), ("woman", "lady", "female", "person"), ("boy", "child", "kid")),
        *(("girl", "child", "kid"), ("men", "guys", "people"), ("women", "ladies", "people")),
        *(("crowd", "people", "group"), ("worker", "man", "person"), ("player", "athlete", "person")),
    ),
    "clothing": (
        *(("shirt", "top"), ("hat", "cap"), ("jacket", "coat"), ("jeans", "pants"), ("dress", "gown")),
        *(("shorts", "swimsuit"), ("glasses", "sunglasses"), ("shoes", "boots")),
    ),
    "bodyparts": (("hand", "hands"), ("hair", "head"), ("face", "cheek"), ("arms", "arm"), ("foot", "feet")),
    "animals": (("dog", "puppy", "animal"), ("horse", "animal"), ("cat", "kitten"), ("bird", "animal")),
    "vehicles": (("car", "vehicle"), ("bike", "bicycle"), ("truck", "vehicle"), ("boat", "ship")),
    "instruments": (("guitar", "instrument"), ("drum", "drums"), ("violin", "instrument")),
    "scene": (
        *(("street", "road", "city"), ("beach", "shore", "sand"), ("field", "grass", "park")),
        *(("water", "lake", "ocean"), ("building", "house"), ("room", "kitchen"), ("snow", "mountain")),
    ),
    "other": (
        *(("ball", "football"), ("table", "desk"), ("sign", "banner"), ("food", "meal"), ("bench", "seat")),
        *(
            ("game", "match"),
            ("bag", "backpack"),
            ("rock", "stone"),
            ("camera", "picture"),
            ("tree", "branch"),
        ),
        *(("cup", "drink"), ("rope", "line")),
    ),
}
"""What entities are called, by type. The first noun is the usual one."""
COLOURS = ("red", "blue", "white", "black", "green", "yellow")
USUAL, COLOURED = 0.6, 0.4
"""How often a mention has the usual noun, and how often an entity's colour, if it has one. With these, 61% of
the pairs of mentions of one entity have the same head noun, as in the real captions of the sample."""


@dataclass
class Sketch:
    """A made-up image: its mentions, the entity of each by mention id, and how hard it is (mean 1)."""

    mentions: list[Mention]
    truth: dict[int, int]
    hardness: float


@dataclass
class Tally:
    """Counts over all images."""

    links: LinkCounts = field(default_factory=LinkCounts)
    contradictions: int = 0  # left at the end

    @property
    def all_links(self) -> float:
        """Return the per cent of all pairs that are as in the truth.

        For pairs that were not asked, the chains say whether they are linked.
        """
        return 100 * self.links.right / self.links.pairs

    def figures(self) -> Figures:
        row = self.links.row()
        return Figures(
            links=100 * row.matched_links,
            chains=100 * row.matched_chains,
            false_positives=100 * row.false_positives,
            false_negatives=100 * row.false_negatives,
            asked=100 * row.asked,
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
    # Words are drawn from a source of their own: images stay the same, whatever they are called.
    return Sketch(_worded(mentions, truth, random.Random(f"{hardness}/{kinds}")), truth, hardness)


def _worded(mentions: Sequence[Mention], truth: Mapping[int, int], rng: random.Random) -> list[Mention]:
    called: dict[int, tuple[tuple[str, ...], str]] = {}
    found = []
    for mention in mentions:
        entity = truth[mention.id]
        if entity not in called:
            colour = rng.choice(COLOURS) if rng.random() < 0.5 else ""
            called[entity] = rng.choice(NOUNS[mention.types[0]]), colour
        nouns, colour = called[entity]
        noun = nouns[0] if rng.random() < USUAL else rng.choice(nouns)
        words = ["a", colour if rng.random() < COLOURED else "", noun]
        found.append(replace(mention, text=" ".join(filter(None, words))))
    return found


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

    def judge_again(self, pair: Pair, link: Link) -> Link:
        """Return the link with the judgment of one more worker."""
        self.judgments += 1
        return replace(link, later=(*link.later, self._vote(pair, len(link.votes))))

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


def annotate(
    image: Sketch, strategy: Strategy, seed: str, tally: Tally, *, asks_again: bool = False
) -> Sequence[Sequence[Mention]]:
    """Let the crowd answer all that the strategy asks about the image. Count the results, return the chains.

    `asks_again` says that the strategy asks several workers about a link, and makes chains of all answers.
    """
    crowd = Crowd(image, seed)
    answers: dict[Pair, Link] = {}
    while True:
        step = strategy(ImageLinks(image.mentions, answers, seed))
        if not step.asks:
            break
        answers |= {pair: crowd.judge_again(pair, answers[pair]) for pair in step.again}
        answers |= {pair: crowd.judge(pair, settling=False) for pair in step.ask}
        answers |= {pair: crowd.judge(pair, settling=True) for pair in step.settle}
    in_order = sorted(image.mentions, key=lambda m: (m.caption, m.start))
    chain_of = {m.id: n for n, chain in enumerate(step.chains) for m in chain}
    pairs = [(a, b) for a, b in combinations(range(len(in_order)), 2) if admissible(in_order[a], in_order[b])]
    links = [answers.get((in_order[a].id, in_order[b].id)) for a, b in pairs]
    chains = np.array([chain_of[m.id] for m in in_order], dtype=np.int64)
    places = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    said = np.array([link.same if link else -1 for link in links], dtype=np.int64)
    if asks_again:
        # Where a link may be asked several times, the chains say what was made of the answers.
        said = np.where(said >= 0, chains[places[:, 0]] == chains[places[:, 1]], -1)
    gold = np.array([image.truth[m.id] for m in in_order], dtype=np.int64)
    tally.links += count_links(gold, chains, places, said, questions=crowd.judgments)
    if not asks_again:
        tally.contradictions += len(contradictions(ImageLinks(image.mentions, answers)))
    return step.chains


def _groups(group_of: Mapping[int, int]) -> set[frozenset[int]]:
    members: dict[int, set[int]] = {}
    for one, group in group_of.items():
        members.setdefault(group, set()).add(one)
    return {frozenset(found) for found in members.values()}


def fit_prior(spread: float, number: int) -> TextPrior:
    """Fit a prior to so many other made-up images."""
    rng = random.Random(8)
    return fit_text_prior([draw_image(rng, spread).mentions for _ in range(number)])[0]


def compare(spread: float, number: int, fitted_to: int) -> dict[str, Any]:
    """Print a table about so many images, and return its figures as plain values."""
    rng = random.Random(7)
    images = [draw_image(rng, spread) for _ in range(number)]
    text = fit_prior(spread, fitted_to)
    columns = {**COLUMNS, **our_columns(Prior(text))}
    tallies = {name: Tally() for name in columns}
    for place, image in enumerate(images):
        for name, (paper, strategy) in columns.items():
            annotate(image, strategy, str(place), tallies[name], asks_again=not paper)
    found = {name: tally.figures() for name, tally in tallies.items()}
    rows = [
        [what, *(_beside(getattr(found[name], key), paper, key) for name, (paper, _) in columns.items())]
        for key, what in ROWS.items()
    ]
    rows.insert(1, ["matched links, of all", *(f"{tallies[name].all_links:.1f}" for name in columns)])
    rows += _by_chains(tallies, number)
    left = (
        f"{tallies[name].contradictions / number:.2f}" if paper else "–"
        for name, (paper, _) in columns.items()
    )
    rows.append(["contradictions left an image", *left])
    mentions = sum(len(image.mentions) for image in images) / number
    chains = tallies["exhaustive"].links.chains / number
    prior = assess(text, (pair for image in images for pair in known_pairs(image.mentions, image.truth)))
    print_table(
        f"{number} images of {mentions:.1f} mentions in {chains:.1f} chains, variance of hardness {spread}: "
        f"per cent (the paper's). The prior's AUC is {prior.auc or 0:.3f}",
        ["", *columns],
        rows,
    )
    return {
        "images": number,
        "mentions": mentions,
        "chains": chains,
        "auc": prior.auc,
        "strategies": {
            name: {
                **asdict(found[name]),
                "all_links": tallies[name].all_links,
                "contradictions_an_image": tallies[name].contradictions / number,
                **pairs_by_chains(tallies[name], number),
            }
            for name in columns
        },
    }


def _beside(value: float, paper: str, key: str) -> str:
    return f"{value:.1f} ({getattr(PAPER[paper], key):.1f})" if paper else f"{value:.1f}"


def pairs_by_chains(tally: Tally, images: int) -> dict[str, float]:
    """Return links and judgments an image, and in per cent how the pairs in chains compare with the truth."""
    links = tally.links
    right = links.together - links.apart
    return {
        "precision": 100 * right / max(1, right + links.joined),
        "recall": 100 * right / max(1, links.together),
        "links_an_image": links.asked / images,
        "judgments_an_image": links.questions / images,
        "joined": 100 * links.joined / max(1, links.pairs - links.together),
        "apart": 100 * links.apart / max(1, links.together),
    }


def _by_chains(tallies: Mapping[str, Tally], images: int) -> list[list[str]]:
    found = [pairs_by_chains(tally, images) for tally in tallies.values()]
    return [
        ["links asked, an image", *(f"{one['links_an_image']:.1f}" for one in found)],
        ["judgments an image", *(f"{one['judgments_an_image']:.1f}" for one in found)],
        ["precision of the pairs in chains", *(f"{one['precision']:.1f}" for one in found)],
        ["recall of the pairs in chains", *(f"{one['recall']:.1f}" for one in found)],
        ["pairs wrongly joined, of all", *(f"{one['joined']:.2f}" for one in found)],
        ["pairs wrongly apart, of all", *(f"{one['apart']:.2f}" for one in found)],
    ]


def compare_real(crowds: int, fitted_to: int) -> dict[str, Any]:
    """Print a table about the images of ../shared/data whose chains are known, and return its figures."""
    text, on = fit_text_prior(unlabelled_images(fitted_to))
    images = [(name, Sketch(mentions, truth, 1.0)) for name, mentions, truth in known_images()]
    prior = assess(text, (pair for _, image in images for pair in known_pairs(image.mentions, image.truth)))
    columns = {"greedy_plus": COLUMNS["greedy_plus"], **our_columns(Prior(text))}
    of_strategies: dict[str, Any] = {}
    rows = []
    for name, (paper, strategy) in columns.items():
        truly, wrong = Tally(), []
        for title, image in images:
            easy = Sketch(image.mentions, image.truth, 0.0)
            chains = annotate(easy, strategy, "0", truly, asks_again=not paper)
            wrong += [
                f"{title}: {' / '.join(m.text for m in chain)}"
                for chain in chains
                if frozenset(m.id for m in chain) not in _groups(image.truth)
            ]
        tally = Tally()
        for crowd in range(crowds):
            for title, image in images:
                annotate(image, strategy, f"{title}/{crowd}", tally, asks_again=not paper)
        rows.append(
            [
                name,
                f"{truly.links.questions / len(images):.1f}",
                f"{truly.links.matched} of {truly.links.chains}",
                f"{tally.links.questions / len(images) / crowds:.1f}",
                f"{tally.figures().chains:.1f}",
                *(f"{pairs_by_chains(tally, 1)[key]:.2f}" for key in ("joined", "apart")),
            ]
        )
        of_strategies[name] = {
            "without errors": {
                "judgments": truly.links.questions / len(images),
                "matched": truly.links.matched,
            },
            "chains": truly.links.chains,
            "not as known": "; ".join(wrong) or "nothing",
            "matched chains": tally.figures().chains,
            **pairs_by_chains(tally, len(images) * crowds),
        }
    print_table(
        f"{len(images)} images of real captions, {crowds} crowds. The prior is fitted to {on.images} images, "
        f"and its AUC is {prior.auc or 0:.3f} on {prior.pairs} pairs",
        ["", "judgments, no errors", "chains", "judgments", "chains, %", "joined, %", "apart, %"],
        rows,
    )
    for name, one in of_strategies.items():
        print(f"{name}, without errors, not as known: {one['not as known']}")
    auc = "unknown" if prior.auc is None else prior.auc
    return {"auc": auc, "pairs": prior.pairs, "fitted_to": asdict(on), "strategies": of_strategies}


def main() -> None:
    chosen = options(__doc__).parse_args()
    images, fitted_to = IMAGES[chosen.size], FITTED_TO[chosen.size]
    figures = {
        "uneven": compare(SPREAD, images, fitted_to),
        "even": compare(0, images, fitted_to),
    }
    if (SHARED / "data").is_dir():
        figures["real"] = compare_real(CROWDS[chosen.size], fitted_to)
    else:
        print(f"{SHARED} is missing, so real captions are left out; GROUNDCREW_SHARED can name its folder")
    paper = {name: asdict(row) for name, row in PAPER.items()}
    references = {f"of the paper's {name}": row.links for name, row in PAPER.items()}
    write_json("strategies", {**figures, "paper": paper}, references=references, folder=chosen.out)


if __name__ == "__main__":
    main()
