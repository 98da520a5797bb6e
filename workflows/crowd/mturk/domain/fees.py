"""What Mechanical Turk takes on top of what workers get, in whole cents.

Its price list (requester.mturk.com/pricing): 20% of the reward, or 40% where a HIT has ten assignments or
more; 5% more where it asks for Masters; 20% of a bonus. Once the whole fee of an assignment or bonus is
worked out, it is rounded to a cent, half a cent up, and is never less than one.
"""

from __future__ import annotations

MANY = 10
"""Assignments a HIT, from which on the higher fee holds."""

_USUAL, _FOR_MANY, _MASTERS = 20, 20, 5  # per cent
_LEAST = 1


def mturk_fee(reward: int, *, places: int, masters: bool) -> int:
    """Cents for one of a HIT's `places` assignments."""
    return _share(reward, _USUAL + (_FOR_MANY if places >= MANY else 0) + (_MASTERS if masters else 0))


def mturk_bonus_fee(amount: int) -> int:
    """Cents for a bonus."""
    return _share(amount, _USUAL)


def changes_fee(places: int, more: int) -> bool:
    """Whether `more` places on a HIT of `places` would make those there are dearer: Amazon refuses it."""
    return places < MANY <= places + more


def _share(amount: int, per_cent: int) -> int:
    return max(_LEAST, (amount * per_cent + 50) // 100)
