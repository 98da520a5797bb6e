"""Mechanical Turk's fees on top of what workers get, in whole cents.

By its price list (requester.mturk.com/pricing), it takes 20% of the reward, or 40% if a HIT has ten
assignments or more. It takes 5% more if the HIT asks for Masters, and 20% of a bonus. The whole fee of an
assignment or bonus is rounded to a cent, half a cent up, and is at least one cent.
"""

from __future__ import annotations

MANY = 10
"""The number of a HIT's assignments from which on the higher fee holds."""

_USUAL, _FOR_MANY, _MASTERS = 20, 20, 5  # per cent
_MIN_FEE = 1


def mturk_fee(reward: int, *, places: int, masters: bool) -> int:
    """Return the fee, in cents, for one of a HIT's `places` assignments at `reward` cents."""
    return _share(reward, _USUAL + (_FOR_MANY if places >= MANY else 0) + (_MASTERS if masters else 0))


def mturk_bonus_fee(amount: int) -> int:
    """Return the fee, in cents, for a bonus of `amount` cents."""
    return _share(amount, _USUAL)


def changes_fee(places: int, more: int) -> bool:
    """Return whether `more` places would raise the fee of a HIT's `places`, which Amazon refuses."""
    return places < MANY <= places + more


def _share(amount: int, per_cent: int) -> int:
    return max(_MIN_FEE, (amount * per_cent + 50) // 100)
