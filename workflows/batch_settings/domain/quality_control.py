"""Settings of how a batch controls quality: the numbers of docs/protocol.md, "Quality control"."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MAX_ANSWERS = 1000
"""The most answers that an entrance, a set of pages or the most recent answers can consist of."""


class Regime(StrEnum):
    """Whose judgments count in a stage."""

    TRUSTED = "trusted"  # of workers who answer verification questions well, and keep doing so
    VERIFICATION = "verification"  # of pages with well answered verification questions
    OPEN = "open"  # everybody's, for people whom you know


class OnLoss(StrEnum):
    """What happens to the unsupported judgments of a worker who loses trust [ours]."""

    KEEP = "keep"  # they stay; a researcher decides in the review queue
    SET_ASIDE = "set-aside"


@dataclass(frozen=True, slots=True)
class Control:
    """The numbers of the regimes `trusted` and `verification` (section 3.3). Shares are from 0 to 1."""

    entrance: int = 30  # verification questions before the first ordinary item
    recent: int = 30  # the score must also hold over so many most recent answers [ours]
    trusted_share: float = 0.02  # the share of verification questions among a trusted worker's items
    verification_share: float = 0.20  # the share of every page under `verification`
    set_questions: int = 20  # under `verification`: pages are scored in sets of so many answers [ours]
    idle_seconds: int = 24 * 3600  # after this time without a page, an incomplete set is scored [ours]
    box_iou: float = 0.7  # a drawn box matches a gold box from this IoU on [ours]
    on_loss: str = OnLoss.KEEP  # [ours]
    # A question is retired if `exposures` workers have seen it, or if good workers fail it: if less than the
    # share `retire_below` of at least `retire_after` answers by trusted workers was right [ours].
    exposures: int = 1000
    retire_after: int = 10
    retire_below: float = 0.5


PAID_TESTS = ("platforms", "always", "never")


@dataclass(frozen=True, slots=True)
class Screening:
    """What a worker must show before the first page (section 3.3)."""

    completed: int = 500  # tasks on the platform, if it says how many
    approval: float = 0.95  # the share of these approved, if the platform says it
    test: bool = True  # whether there is a qualification test; never under `open`
    training_items: int = 4  # [ours]
    test_items: int = 10  # [ours]
    tries: int = 3  # [ours]
    wait_seconds: int = 24 * 3600  # between a failed try and the next one [ours]
    paid: str = "platforms"  # where passing the test pays a bonus: one of PAID_TESTS [ours]
