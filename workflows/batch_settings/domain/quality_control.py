"""How a batch controls quality: the numbers of docs/protocol.md, "Quality control", as settings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MOST_ANSWERS = 1000
"""That an entrance, a set of pages or the most recent ones may be made of."""


class Regime(StrEnum):
    """Whose judgments count in a stage."""

    TRUSTED = "trusted"  # of workers who answered verification questions well, and go on doing so
    VERIFICATION = "verification"  # of pages whose verification questions were answered well
    OPEN = "open"  # everybody's: for people one knows


class OnLoss(StrEnum):
    """What becomes of the unsupported judgments of a worker who loses trust [ours]."""

    KEEP = "keep"  # a researcher decides, from the review queue
    SET_ASIDE = "set-aside"


@dataclass(frozen=True, slots=True)
class Control:
    """The numbers of both regimes (section 3.3). Shares are from 0 to 1."""

    entrance: int = 30  # verification questions before the first ordinary item
    recent: int = 30  # the most recent answers, over which the score must hold, too [ours]
    trusted_share: float = 0.02  # of the items of trusted workers
    verification_share: float = 0.20  # of every page under `verification`
    set_questions: int = 20  # under `verification`: so many answers make a set of pages to score [ours]
    idle_seconds: int = 24 * 3600  # without a page: then a set that is not full is judged [ours]
    box_iou: float = 0.7  # from which a drawn box meets a gold box [ours]
    on_loss: str = OnLoss.KEEP  # [ours]
    # A question that so many workers saw is retired, and one that good workers fail: of at least
    # `retire_after` answers by trusted workers, less than `retire_below` were right [ours].
    exposures: int = 1000
    retire_after: int = 10
    retire_below: float = 0.5


@dataclass(frozen=True, slots=True)
class Screening:
    """What somebody must show before the first page (section 3.3)."""

    completed: int = 500  # tasks on the platform, where it tells
    approval: float = 0.95  # share of these approved, where it tells
    test: bool = True  # a qualification test, unless everybody's judgments count
    training_items: int = 4  # [ours]
    test_items: int = 10  # [ours]
    tries: int = 3  # [ours]
    wait_seconds: int = 24 * 3600  # between a failed try and the next [ours]
