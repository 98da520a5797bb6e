"""What a batch's results cost: its ledger's costs over what came out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from annotation.domain.chain_states import DONE, NONVISUAL
from workflows.analysis.domain.kept_counts import Items, Results


@dataclass(frozen=True, slots=True)
class Costs:
    """Of a batch, in the smallest unit of its currency, as of the ledger's last entry.

    All that was spent is shared out over each kind of result, so the three are not to be added up.
    """

    currency: str
    rewards: int = 0
    bonuses: int = 0
    fees: int = 0
    reserved: int = 0
    payable: int = 0  # owed to workers we pay ourselves; part of what is spent
    cap: int | None = None
    boxes: int = 0  # accepted
    chains: int = 0  # done, with boxes or without
    images: int = 0  # done
    stages: Mapping[str, int] = field(default_factory=dict)  # spent, where it is known of which stage

    @property
    def spent(self) -> int:
        """Rewards, bonuses and fees."""
        return self.rewards + self.bonuses + self.fees

    @property
    def left(self) -> int | None:
        """What the cap leaves; None: there is none."""
        return None if self.cap is None else self.cap - self.reserved - self.spent

    @property
    def a_box(self) -> Fraction | None:
        """None while there is none."""
        return self._each(self.boxes)

    @property
    def a_chain(self) -> Fraction | None:
        """None while there is none."""
        return self._each(self.chains)

    @property
    def an_image(self) -> Fraction | None:
        """None while there is none."""
        return self._each(self.images)

    def _each(self, number: int) -> Fraction | None:
        return each(self.spent, number)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What money is spent for: what came of a batch."""

    boxes: int = 0  # accepted
    chains: int = 0  # done, with boxes or without
    images: int = 0  # done


def outcome(results: Results | None, items: Items | None) -> Outcome:
    """Of what was counted; nothing of what was not yet."""
    boxes = results.boxes if results else {}
    chains = results.chains_by_state if results else {}
    return Outcome(
        boxes=boxes.get("accepted", 0),
        chains=sum(chains.get(state, 0) for state in (DONE, NONVISUAL)),
        images=items.images_done if items else 0,
    )


def each(spent: int, number: int) -> Fraction | None:
    """What one of so many costs, in smallest units; None while there is none."""
    return Fraction(spent, number) if number else None
