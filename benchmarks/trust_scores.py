"""How well trust finds the workers who deserve it: counts, and what follows from them."""

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
"""The paper's, by stage: trusted workers, their quality (%), and jobs rejected of others (%; 1.0 is "<1").

Links and chain verification are one figure there.
"""


@dataclass(frozen=True, slots=True)
class Worker:
    """One worker in one stage: what is true of them, and what quality control made of them."""

    stage: str
    kind: str
    accuracy: float  # 0 .. 1: share of right answers in the long run, as they answer in the end
    minimum: float
    state: str  # entering, trusted, lost; "" for somebody who never came so far
    asked: int = 0  # verification answers (in drawing also judged boxes) that count
    right: int = 0

    @property
    def deserving(self) -> bool:
        return self.accuracy >= self.minimum


@dataclass(slots=True)
class Confusion:
    """Deserving and trusted, over workers past the entrance. Shares are 1.0 where nothing is to get wrong."""

    right: int = 0  # deserving and trusted
    wrong: int = 0  # trusted, not deserving
    missed: int = 0  # deserving, lost
    caught: int = 0  # not deserving, lost
    qualities: list[float] = field(default_factory=list)  # observed scores of the trusted
    accuracies: list[float] = field(default_factory=list)  # true ones

    @property
    def trusted(self) -> int:
        return self.right + self.wrong

    @property
    def precision(self) -> float:
        """Of the trusted, those who deserve it."""
        return _share(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """Of those who deserve it, the trusted."""
        return _share(self.right, self.right + self.missed)

    @property
    def quality(self) -> float:
        """Mean score of the trusted on verification questions, as table 3 has it."""
        return fmean(self.qualities) if self.qualities else 0.0

    @property
    def accuracy(self) -> float:
        """Mean true accuracy of the trusted."""
        return fmean(self.accuracies) if self.accuracies else 0.0


def confusions(workers: Iterable[Worker]) -> dict[str, Confusion]:
    """By stage. Whoever is still entering, or never began, is not counted: nothing is said of them yet."""
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
