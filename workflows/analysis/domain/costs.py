"""What a batch and its results cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from annotation.domain.chain_states import DONE, NONVISUAL
from workflows.analysis.domain.kept_counts import Items, Results
from workflows.money.domain.ledger import budget_left


@dataclass(frozen=True, slots=True)
class Outcome:
    """What money is spent for: how many results of each kind a batch has."""

    boxes: int = 0  # accepted
    chains: int = 0  # done, with boxes or without
    images: int = 0  # done


class ResultCost(NamedTuple):
    """What one result of a kind costs on average."""

    result: str  # what it is, as in "accepted box"
    number: int  # how many there are
    cost: Fraction | None  # of one, in smallest units; None if there is none


def costs_of_results(spent: int, found: Outcome) -> tuple[ResultCost, ...]:
    """Return the costs of an accepted box, a finished chain and a finished image.

    Everything that was `spent` (in smallest units) is divided by the results of each kind, so the three costs
    must not be added up.
    """
    numbers = (
        ("accepted box", found.boxes),
        ("finished chain", found.chains),
        ("finished image", found.images),
    )
    return tuple(
        ResultCost(result, number, Fraction(spent, number) if number else None) for result, number in numbers
    )


@dataclass(frozen=True, slots=True)
class Costs:
    """What a batch has cost up to its ledger's last entry, in the smallest unit of its currency."""

    currency: str
    rewards: int = 0
    bonuses: int = 0
    fees: int = 0
    models: int = 0  # answers of models that judge
    reserved: int = 0
    payable: int = 0  # owed to workers whom we pay ourselves; part of what is spent
    cap: int | None = None
    outcome: Outcome = Outcome()
    stages: Mapping[str, int] = field(default_factory=dict)  # spent by stage, as far as the stage is known

    @property
    def spent(self) -> int:
        """Rewards, bonuses, fees, and what models cost."""
        return self.rewards + self.bonuses + self.fees + self.models

    @property
    def left(self) -> int | None:
        """What is left of the cap, or None if there is no cap."""
        return budget_left(cap=self.cap, reserved=self.reserved, spent=self.spent)

    @property
    def results(self) -> tuple[ResultCost, ...]:
        """What one result of each kind costs."""
        return costs_of_results(self.spent, self.outcome)


def outcome_of(results: Results | None, items: Items | None) -> Outcome:
    """Return how many results these counts name. A count that is not there yet is taken as zero."""
    boxes = results.boxes if results else {}
    chains = results.chains_by_state if results else {}
    return Outcome(
        boxes=boxes.get("accepted", 0),
        chains=sum(chains.get(state, 0) for state in (DONE, NONVISUAL)),
        images=items.images_done if items else 0,
    )
