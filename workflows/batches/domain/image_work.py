"""What an image takes in every stage, as a function of what is not known before, such as how often workers
err.

Whatever takes long is worked out once, at a few levels. Draws in between, a few hundred of them, are
interpolated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from annotation.domain.answers import Stage
from annotation.domain.mentions import Mention
from workflows.batch_settings.domain.paper import BOXES, PLUS, WITHOUT_BOX
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.domain.chain_course import Crowd, Taken, chain_course
from workflows.batches.domain.judge_course import Judging
from workflows.batches.domain.link_work import Expected, ImageShape, count_shape, expected_work
from workflows.pipeline.domain.moves import PROTOCOLS

NEWS = (0.4, 1.0, 2.2)
ERRORS = (0.35, 1.0, 2.5)
"""The levels of `Drawn.news` and `Drawn.errors` at which things are worked out."""

SEVERAL_OF_MORE = 0.415
"""Chains with several boxes for each box beyond a chain's first: 20.0% of the chains have several (section
3.4), and table 4 has 0.48 boxes a chain beyond the first."""
MAX_SHARE_WITHOUT_BOX = 0.95
"""The largest share of the chains of a type that can be without a box."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is not known. Each is a factor on the best guess, but `broken` is a share."""

    news: float = 1.0  # chances that a mention begins a chain of its own
    errors: float = 1.0  # chances that a worker of the box stages is wrong
    without: float = 1.0  # shares of chains that need no box
    more: float = 1.0  # boxes beyond a chain's first
    joined: float = 1.0  # chains of more than one mention
    settled: float = 1.0  # links that are settled
    broken: float = 0.0  # share of the chains that fail verification


class Model:
    """What images like `sample` take under these settings.

    `bad` is the project's own share of drawn boxes that are rejected; `without` and `several` are its shares
    of chains that end without a box or with several. If one is None, the paper's is taken. `judging` is what
    a model says to joint checks before workers do, if its answers count.
    """

    def __init__(
        self,
        sample: Sequence[ImageShape],
        settings: BatchSettings,
        *,
        bad: float | None = None,
        without: float | None = None,
        several: float | None = None,
        judging: Judging | None = None,
    ) -> None:
        self.sample = len(sample)
        self._verifies = PROTOCOLS[settings.protocol].verifies(settings)
        self._box_stages = box_stages(settings)
        counts = [count_shape(image) for image in sample]
        levels = [expected_work(counts, settings.strategy, news) for news in NEWS]
        self.middle = middle = levels[1]
        self.links_vary, self.chains_vary = middle.links_vary, middle.chains_vary
        self._plus = PLUS[settings.strategy]
        self._links = [[one.links / self._plus] for one in levels]
        self._several = [[sum(one.several.values())] for one in levels]
        crowd = Crowd() if bad is None else Crowd(bad=bad)
        erring = [crowd.erring(errors) for errors in ERRORS]
        # A model makes each of them longer to work out, so that is done where it is needed.
        self._row_at = lru_cache(
            lambda news, errors: _coefficients(levels[news], erring[errors], settings, judging)
        )
        chains = {kind: middle.alone[kind] + middle.several[kind] for kind in middle.alone}
        self._without = self._more = 1.0
        usual = sum(chains[kind] * WITHOUT_BOX[kind] for kind in chains)
        if without is not None and usual:
            self._without = without * sum(chains.values()) / usual
        beyond = sum(chains[kind] * _more(kind) for kind in chains)
        if several is not None and beyond:
            self._more = several / SEVERAL_OF_MORE * sum(chains.values()) / beyond

    def taken(self, drawn: Drawn) -> dict[str, Taken]:
        """Return the work of an image on average, by stage."""
        news, errors = _weights(NEWS, drawn.news), _weights(ERRORS, drawn.errors)
        links = _mixed(self._links, news)[0]
        verified = _mixed(self._several, news)[0] * drawn.joined if self._verifies else 0.0
        broken = drawn.broken if self._verifies else 0.0
        judged = links * (1 + (self._plus - 1) * drawn.settled)
        found = {str(Stage.LINK): Taken(links, judged), str(Stage.VERIFICATION): Taken(verified, verified)}
        without = min(drawn.without * self._without, MAX_SHARE_WITHOUT_BOX / max(WITHOUT_BOX.values()))
        more = drawn.more * self._more
        rows = [
            _mixed([self._row_at(n, m) if errors[m] else () for m in range(len(ERRORS))], errors)
            if news[n]
            else ()
            for n in range(len(NEWS))
        ]
        row = _mixed(rows, news)
        for n, stage in enumerate(self._box_stages):
            sums = []
            for place in (12 * n, 12 * n + 6):
                one, none, two, one_, none_, two_ = row[place : place + 6]
                alone = one + without * none + more * two
                # A chain that is broken becomes two [ours].
                sums.append(alone + (1 + broken) * (one_ + without * none_ + more * two_))
            found[str(stage)] = Taken(*sums)
        return found


def box_stages(settings: BatchSettings) -> list[str]:
    """Return the stages that ask about boxes, in the order of the pipeline."""
    return [stage for stage in settings.stages if stage not in (Stage.LINK, Stage.VERIFICATION)]


def _coefficients(
    image: Expected, crowd: Crowd, settings: BatchSettings, judging: Judging | None
) -> list[float]:
    """Return three numbers for each box stage, for items and judgments, and for chains of one mention and
    several.

    They are what these chains take with one box each, what the share without a box adds to that, and what
    boxes beyond the first add, each as much as the second does.
    """
    rules = PROTOCOLS[settings.protocol]
    courses = {}
    for kind in image.alone:
        mentions = [Mention(0, 0, 0, 1, kind, (kind,))]
        opening = rules.opening(mentions, settings, verified=True)
        prior = rules.prior(Stage.REQUIREMENT, mentions, settings)
        courses[kind] = [
            chain_course(settings.protocol, settings.limits, crowd, boxes, opening, prior, judging)
            for boxes in (0, 1, 2)
        ]
    row = []
    for stage in box_stages(settings):
        takes = {kind: [one.get(stage, Taken()) for one in courses[kind]] for kind in courses}
        for judged in (False, True):
            for chains in (image.alone, image.several):
                sums = [0.0, 0.0, 0.0]
                for kind, number in chains.items():
                    none, one, two = (each.judgments if judged else each.items for each in takes[kind])
                    sums[0] += number * one
                    sums[1] += number * WITHOUT_BOX[kind] * (none - one)
                    sums[2] += number * _more(kind) * (two - one)
                row += sums
    return row


def _more(kind: str) -> float:
    """Return how many boxes beyond its first a chain has, so that boxes a chain are those of table 4."""
    return max(0.0, BOXES[kind] - (1 - WITHOUT_BOX[kind]))


def _weights(levels: Sequence[float], at: float) -> list[float]:
    """Return the weight of each level for interpolating `at`, which is clamped to the outermost levels."""
    weights = [0.0] * len(levels)
    at = min(max(at, levels[0]), levels[-1])
    n = next(n for n in range(1, len(levels)) if at <= levels[n])
    weights[n] = (at - levels[n - 1]) / (levels[n] - levels[n - 1])
    weights[n - 1] = 1 - weights[n]
    return weights


def _mixed(rows: Sequence[Sequence[float]], weights: Sequence[float]) -> Sequence[float]:
    """Return the weighted sum of the rows. At most two of the weights are not 0."""
    used = [(row, weight) for row, weight in zip(rows, weights, strict=True) if weight]
    if len(used) == 1:
        return used[0][0]
    (ones, a), (others, b) = used
    return [a * one + b * other for one, other in zip(ones, others, strict=True)]
