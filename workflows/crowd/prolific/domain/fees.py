"""Prolific's service fee: one share of rewards and bonuses alike, as its price list or a contract has it."""

from __future__ import annotations


def service_fee(amount: int, *, per_mille: int) -> int:
    """In smallest units, a started one counts: what is set aside is never too little."""
    return -(-amount * per_mille // 1000)
