"""An image that is played through the rules one judgment at a time: without a database or a clock."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from annotation.domain.answers import (
    Answer,
    CoverageAnswer,
    DrawingAnswer,
    LinkAnswer,
    QualityAnswer,
    Requirement,
    RequirementAnswer,
    Stage,
    VerificationAnswer,
)
from annotation.domain.geometry import Box
from annotation.domain.mentions import Mention
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain.link_strategies import Pair, strategy_of
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.pipeline.replay.domain.image_fold import ChainKey, ExpectedImage, fold_image
from workflows.priors.domain.prior import Prior, TextPrior


@dataclass
class Play:
    """The answers that were given about an image so far, and the state that the fold returns for them."""

    mentions: Sequence[Mention]
    settings: BatchSettings = field(default_factory=BatchSettings)
    links: dict[Pair, list[Answer]] = field(default_factory=dict)
    chains: dict[ChainKey, list[list[Answer]]] = field(default_factory=dict)

    def fold(self) -> ExpectedImage:
        return fold_image(
            self.mentions,
            self.links,
            self.chains,
            protocol=PROTOCOLS[self.settings.protocol],
            strategy=strategy_of(self.settings, Prior(TextPrior({}, {}))),
            settings=self.settings,
            seed=str(self.settings.seed),
        )

    def link(self, a: int, b: int, *same: bool) -> ExpectedImage:
        self.links.setdefault((a, b), []).extend(map(LinkAnswer, same))
        return self.fold()

    def chain(self, key: ChainKey, *answers: Answer) -> ExpectedImage:
        """Give one more answer each to whatever item of the chain is open then."""
        for answer in answers:
            visit = len(self.fold().chains[key].items) - 1
            visits = self.chains.setdefault(key, [])
            visits.extend([] for _ in range(visit + 1 - len(visits)))
            visits[visit].append(answer)
        return self.fold()

    def answer_one(self, state: ExpectedImage, rng: random.Random) -> bool:
        """Answer one of the open items. Return False if there is none."""
        links, chains = open_links(state), open_chains(state)
        if links:
            self.links.setdefault(rng.choice(links), []).append(some_answer(Stage.LINK, rng))
        elif chains:
            key = rng.choice(chains)
            self.chain(key, some_answer(state.chains[key].items[-1].stage, rng))
        return bool(links or chains)


def open_links(state: ExpectedImage) -> list[Pair]:
    """Return the links that wait for a judgment."""
    return sorted(pair for pair, item in state.links.items() if not item.done)


def open_chains(state: ExpectedImage) -> list[ChainKey]:
    """Return the chains whose last item waits for a judgment."""
    return sorted(key for key, chain in state.chains.items() if not chain.items[-1].done)


def some_answer(stage: str, rng: random.Random) -> Answer:
    """Draw an answer to a question of this stage, mostly one that brings the chain nearer to its end."""
    match stage:
        case Stage.LINK:
            return LinkAnswer(rng.random() < 0.4)
        case Stage.VERIFICATION:
            return VerificationAnswer(rng.random() < 0.6)
        case Stage.REQUIREMENT:
            return RequirementAnswer(rng.choice(list(Requirement)))
        case Stage.DRAWING:
            left, top = rng.randrange(50), rng.randrange(50)
            return DrawingAnswer(Box(left, top, left + 9, top + 9) if rng.random() < 0.6 else None)
        case Stage.QUALITY:
            return QualityAnswer(rng.random() < 0.6)
    return CoverageAnswer(rng.random() < 0.6)
