"""The error rates of simulated workers in each stage."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf

STAGES = ("link", "verification", "requirement", "drawing", "quality", "coverage")
"""The stages that have error rates. In the others, workers err as in one or several of these (answers.py)."""


@dataclass(frozen=True, slots=True)
class ErrorProfile:
    """The share of wrong answers in each stage, and by how many pixels a right box's edges may be off.

    `anchoring` is the share of a model's bad boxes that are taken all the same.
    """

    rates: Mapping[str, float] = field(default_factory=dict)
    jitter: float = 0.0
    anchoring: float = 0.0

    def __post_init__(self) -> None:
        for stage, rate in self.rates.items():
            if stage not in STAGES:
                raise ValueError(f"there is no stage {stage!r}; there are {', '.join(STAGES)}")
            if not 0 <= rate <= 1:
                raise ValueError(f"the error rate of {stage} is a share from 0 to 1, not {rate}")
        if not 0 <= self.jitter < inf:
            raise ValueError(f"jitter is a number of pixels, not {self.jitter}")
        if not 0 <= self.anchoring <= 1:
            raise ValueError(f"anchoring is a share from 0 to 1, not {self.anchoring}")

    def rate(self, stage: str) -> float:
        """Return the error rate of a stage, or 0 if none is given."""
        return self.rates.get(stage, 0.0)

    def changed(self, rates: Mapping[str, float], jitter: float | None = None) -> "ErrorProfile":
        """Return the profile with some rates replaced."""
        return replace(self, rates={**self.rates, **rates}, jitter=self.jitter if jitter is None else jitter)


PERFECT = ErrorProfile()
PAPER = ErrorProfile(
    rates={
        "link": 0.094,  # links and verification together: 90.6% right
        "verification": 0.094,
        "requirement": 0.116,
        "drawing": 0.176,
        "quality": 0.12,
        "coverage": 0.108,
    },
    jitter=2.0,
    anchoring=0.15,
)
"""The profile of the trusted workers in the paper's table 3; `anchoring` is assumed."""

PROFILES: Mapping[str, ErrorProfile] = {"perfect": PERFECT, "paper": PAPER}
