"""Prolific's service fee: the same share of rewards and bonuses, set by its price list or by a contract."""

from __future__ import annotations


def service_fee(amount: int, *, per_mille: int) -> int:
    """Return the fee for `amount`, both in smallest units, rounded up so that enough is set aside."""
    return -(-amount * per_mille // 1000)
