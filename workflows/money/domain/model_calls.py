"""What the answers of a model that judges cost: a price for 1,000, reserved in blocks of as many [ours].

Amounts are whole smallest units of the batch's currency, so an answer has no price of its own: `spent`
follows from the number of answers, rounded up only once a batch is over.
"""

from __future__ import annotations

from dataclasses import dataclass

CALLS_PER_BLOCK = 1000


@dataclass(frozen=True, slots=True)
class CallBooks:
    """How a batch stands with its model: answers so far, and what is spent and reserved for them.

    `price` is that of CALLS_PER_BLOCK answers, above 0.
    """

    price: int
    calls: int
    spent: int
    reserved: int

    @property
    def room(self) -> int:
        """How many answers more are paid for by what is reserved and spent."""
        return (self.spent + self.reserved) * CALLS_PER_BLOCK // self.price - self.calls

    @property
    def next_block(self) -> int:
        """What has to be reserved for the next block: up to a whole number of them."""
        return self.price - (self.spent + self.reserved) % self.price

    @property
    def due(self) -> int:
        """What the answers so far cost, rounded up."""
        return cost_of_calls(self.price, self.calls)

    @property
    def due_for_blocks(self) -> int:
        """What the full blocks cost."""
        return self.calls // CALLS_PER_BLOCK * self.price

    def to_spend(self, *, over: bool) -> int:
        """Return what of the reservation is spent now: full blocks, or all answers if the batch is over."""
        return max(0, (self.due if over else self.due_for_blocks) - self.spent)


def cost_of_calls(price: int, calls: int) -> int:
    """Return what so many answers cost, rounded up to a whole smallest unit."""
    return -(-calls * price // CALLS_PER_BLOCK)


def faults_in(books: CallBooks) -> list[str]:
    """Return what does not agree between the answers and what was spent and reserved for them."""
    found = []
    if not books.due_for_blocks <= books.spent <= books.due:
        found.append(f"spent must be from {books.due_for_blocks} to {books.due}, and is {books.spent}")
    if books.spent + books.reserved < books.due:
        found.append(f"{books.due} are due, and only {books.spent + books.reserved} spent or reserved")
    if books.reserved > 2 * books.price:
        found.append(f"{books.reserved} are reserved, which is more than two blocks")
    return found
