"""The experiment of the paper's table 2 on a project's own answers.

Images of a batch with the link strategy `every_pair` have several answers to every pair. Together they give
the gold chains, and each link strategy is then played on the same answers. Play needs no worker, so the
strategies are compared on the same images and the same errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from annotation.domain.mentions import Mention, admissible, reading_order
from annotation.models import Batch, Image, ImageWork
from evaluation.arrays import Ints
from evaluation.audit import LinkCounts, StrategyRow, count_links
from workflows.batch_settings.domain.settings import ASKING_AGAIN
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.domain.link_strategies import (
    ANSWERS,
    STRATEGIES,
    ImageLinks,
    Pair,
    Strategy,
    every_pair,
    posterior,
)
from workflows.pipeline.domain.recorded_answers import play_recorded
from workflows.pipeline.selectors import LINKS_SETTLED, settled_links
from workflows.priors.domain.prior import from_json
from workflows.priors.selectors import newest, with_scores

IMAGES_AT_ONCE = 100
GOLD = "every_pair"


@dataclass(frozen=True, slots=True)
class Compared:
    """The result: images that count, settled images that lack answers, and the row of each strategy."""

    images: int
    left_out: int
    rows: Mapping[str, StrategyRow]


def compare_strategies(*, batch: Batch, progress: Callable[[int], object] = lambda images: None) -> Compared:
    """Return the result of each link strategy on the batch's answers. `progress` counts images as they go.

    Images count if each of their admissible pairs has ANSWERS answers that count.
    """
    strategies = _strategies(batch)
    sums = dict.fromkeys(strategies, LinkCounts())
    counted = left_out = 0
    for image in _images(batch):
        votes = _votes(image)
        progress(1)
        if votes is None:
            left_out += 1
            continue
        counted += 1
        for name, strategy in strategies.items():
            again = name in ASKING_AGAIN
            sums[name] += count_image(strategy, image.mentions, votes, seed=image.seed, asks_again=again)
    return Compared(counted, left_out, {name: found.row() for name, found in sums.items()})


def count_image(
    strategy: Strategy,
    mentions: Sequence[Mention],
    votes: Mapping[Pair, Sequence[bool]],
    *,
    seed: str,
    asks_again: bool,
) -> LinkCounts:
    """Return the counts of one image, whose admissible pairs all have ANSWERS votes.

    `asks_again` says that the strategy makes its chains of several answers to a link. Then the chains say
    what it made of a pair that it asked about.
    """
    ordered = reading_order(mentions)
    pairs = [(a, b) for a, b in combinations(range(len(ordered)), 2) if admissible(ordered[a], ordered[b])]
    gold = _chain_numbers(ordered, play_recorded(every_pair, mentions, votes).chains)
    played = play_recorded(strategy, mentions, votes, seed=seed)
    chains = _chain_numbers(ordered, played.chains)
    places = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    links = [played.answers.get((ordered[a].id, ordered[b].id)) for a, b in pairs]
    said = np.array([link.same if link else -1 for link in links], dtype=np.int64)
    if asks_again:
        said = np.where(said >= 0, chains[places[:, 0]] == chains[places[:, 1]], -1)
    return count_links(gold, chains, places, said, questions=played.questions)


def _chain_numbers(ordered: Sequence[Mention], chains: Sequence[Sequence[Mention]]) -> Ints:
    number = {mention.id: at for at, chain in enumerate(chains) for mention in chain}
    return np.array([number[mention.id] for mention in ordered], dtype=np.int64)


def _strategies(batch: Batch) -> dict[str, Strategy]:
    """Return the strategies by name, with the batch's settings; `posterior` if there is a prior."""
    settings = settings_of(batch)
    found = {name: rules[settings.settle] for name, rules in STRATEGIES.items() if name != GOLD}
    if (version := newest(batch.project_id)) is not None:
        images = Image.objects.filter(works__batch=batch)
        prior = with_scores(from_json(version.content), batch.project_id, images)
        human_yes = settings.human_yes or prior.scores is not None
        found["posterior"] = posterior(prior, settings.certainty, human_yes=human_yes)
    return found


def _images(batch: Batch) -> Iterator[ImageLinks]:
    works = (
        ImageWork.objects.grounding().filter(batch=batch, active=True, state__in=LINKS_SETTLED).order_by("pk")
    )
    ids = works.values_list("pk", flat=True).iterator(IMAGES_AT_ONCE)
    seed = str(settings_of(batch).seed)
    while some := list(islice(ids, IMAGES_AT_ONCE)):
        for _, image in settled_links(works=some):
            yield ImageLinks(image.mentions, image.answers, seed)


def _votes(image: ImageLinks) -> dict[Pair, tuple[bool, ...]] | None:
    """Return the answers to every admissible pair, or None if one has too few."""
    pairs = combinations(reading_order(image.mentions), 2)
    votes = {}
    for a, b in pairs:
        if admissible(a, b):
            link = image.answers.get((a.id, b.id))
            if link is None or len(link.votes) < ANSWERS:
                return None
            votes[a.id, b.id] = link.votes
    return votes
