"""Counts how well trust finds the workers who deserve it, and computes figures from the counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import fmean
from types import MappingProxyType

TABLE_3: Mapping[str, tuple[int, float, float]] = MappingProxyType(
    {
        "link": (587, 90.6, 2.0),
        "verification": (239, 90.6, 2.0),
        "requirement": (684, 88.4, 1.0),
        "drawing": (334, 82.4, 38.3),
        "quality": (347, 88.0, 52.7),
        "coverage": (624, 89.2, 35.4),
    }
)
"""The paper's figures by stage: trusted workers, their quality (%), and rejected jobs of others (%).

1.0 is "<1" in the paper. Links and chain verification are one figure there.
"""


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker in one stage: what is true of them, and what quality control made of them."""

    stage: str
    kind: str
    accuracy: float  # 0 .. 1: share of right answers in the long run, as they answer in the end
    minimum: float
    state: str  # entering, trusted, lost; "" for somebody who never got so far
    asked: int = 0  # verification answers (in drawing also judged boxes) that count
    right: int = 0

    @property
    def deserving(self) -> bool:
        return self.accuracy >= self.minimum


@dataclass(slots=True)
class Confusion:
    """Counts of deserving and trusted workers, of those past the entrance.

    A share is 1.0 if there is nothing to get wrong.
    """

    right: int = 0  # deserving and trusted
    wrong: int = 0  # trusted, not deserving
    missed: int = 0  # deserving, lost
    caught: int = 0  # not deserving, lost
    qualities: list[float] = field(default_factory=list)  # observed scores of the trusted
    accuracies: list[float] = field(default_factory=list)  # their true scores

    @property
    def trusted(self) -> int:
        return self.right + self.wrong

    @property
    def precision(self) -> float:
        """Return the share of the trusted who deserve it."""
        return _share(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """Return the share of those who deserve it who are trusted."""
        return _share(self.right, self.right + self.missed)

    @property
    def quality(self) -> float:
        """Return the mean score of the trusted on verification questions, as in table 3."""
        return fmean(self.qualities) if self.qualities else 0.0

    @property
    def accuracy(self) -> float:
        """Return the mean true accuracy of the trusted."""
        return fmean(self.accuracies) if self.accuracies else 0.0


def confusions(workers: Iterable[Worker]) -> dict[str, Confusion]:
    """Return the counts by stage.

    Workers who are still entering, or never began, are not counted, since nothing is known about them yet.
    """
    found = {stage: Confusion() for stage in TABLE_3}
    for worker in workers:
        counts = found[worker.stage]
        if worker.state == "trusted":
            counts.right += worker.deserving
            counts.wrong += not worker.deserving
            counts.qualities.append(_share(worker.right, worker.asked))
            counts.accuracies.append(worker.accuracy)
        elif worker.state == "lost":
            counts.missed += worker.deserving
            counts.caught += not worker.deserving
    return found


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
