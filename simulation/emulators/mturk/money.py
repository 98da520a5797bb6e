"""Fees, the account's balance, and holds on it, in whole cents, by double entry.

Fees are as in the price list: 20% of the reward, 20% more for HITs with ten assignments or more, 5% more for
Masters, and at least one cent an assignment; 20% of a bonus, and at least one cent. They are rounded to
cents, half up.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from simulation.emulators.mturk.errors import ApiError, bad_value
from simulation.emulators.mturk.state import Entry, Hit, State

MANY = 10  # assignments


def fee(reward: int, *, places: int, masters: bool) -> int:
    """Return the fee in cents for one assignment of a HIT with so many places."""
    return _share(reward, 20 + (20 if places >= MANY else 0) + (5 if masters else 0))


def bonus_fee(amount: int) -> int:
    return _share(amount, 20)


def _share(amount: int, percent: int) -> int:
    return max(1, (amount * percent + 50) // 100)


def to_cents(amount: str) -> int:
    """Return the cents of an amount in dollars, as the API has it. Raise ApiError if it is malformed."""
    whole, _, part = amount.partition(".")
    if len(part) > 2 or not whole.isascii() or not (whole + part).isdigit():
        raise bad_value(f"{amount!r} is not an amount in US dollars.")
    return int(whole) * 100 + int(part.ljust(2, "0"))


def to_dollars(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def post(state: State, at: float, kind: str, lines: dict[str, int], **about: str) -> None:
    """Add an entry.

    The accounts are deposits (owed to the requester's bank), available, held, rewards, bonuses and fees.
    """
    assert sum(lines.values()) == 0, f"{kind} does not balance: {lines}"
    kept = {account: amount for account, amount in lines.items() if amount}
    state.entries.append(Entry(serial=state.next_serial(), at=at, kind=kind, lines=kept, **about))
    for account, amount in kept.items():
        state.totals[account] = state.totals.get(account, 0) + amount


def deposit(state: State, at: float, cents: int) -> None:
    post(state, at, "deposit", {"available": cents, "deposits": -cents})


def need(state: State, cents: int) -> None:
    """Raise ApiError if the balance does not cover so many cents."""
    if state.totals.get("available", 0) < cents:
        raise ApiError(
            "InsufficientFunds",
            "This Requester has insufficient funds in their account to complete this transaction.",
        )


def hold(state: State, at: float, hit: Hit, wanted: int) -> None:
    """Hold what the HIT may still cost, or release what it cannot cost any more. Raise ApiError."""
    more = wanted - hit.held
    if more > 0:
        need(state, more)
    if more:
        kind = "hold" if more > 0 else "release"
        post(state, at, kind, {"held": more, "available": -more}, hit_id=hit.id)
        hit.held = wanted


def pay_reward(state: State, at: float, hit: Hit, assignment: str, worker: str, *, held: bool) -> None:
    """Pay the reward and the fee, from the hold or (when a rejection is overridden) from the balance."""
    total = hit.reward + hit.fee
    if held:
        hit.held -= total
    else:
        need(state, total)
    lines = {"held" if held else "available": -total, "rewards": hit.reward, "fees": hit.fee}
    post(state, at, "reward", lines, hit_id=hit.id, assignment=assignment, worker=worker)


def pay_bonus(state: State, at: float, amount: int, *, hit_id: str, assignment: str, worker: str) -> None:
    total = amount + bonus_fee(amount)
    need(state, total)
    lines = {"available": -total, "bonuses": amount, "fees": total - amount}
    post(state, at, "bonus", lines, hit_id=hit_id, assignment=assignment, worker=worker)


def books(state: State) -> dict[str, Any]:
    """Return totals by account, counted again from the entries, and every entry."""
    totals: Counter[str] = Counter()
    for entry in state.entries:
        assert sum(entry.lines.values()) == 0
        totals.update(entry.lines)
    assert {account: total for account, total in totals.items() if total} == {
        account: total for account, total in state.totals.items() if total
    }
    assert totals["held"] == sum(hit.held for hit in state.hits.values())
    return {
        **{name: totals[name] for name in ("deposits", "available", "held", "rewards", "bonuses", "fees")},
        "entries": [
            {
                "kind": entry.kind,
                "at": entry.at,
                "lines": entry.lines,
                "hit": entry.hit_id,
                "assignment": entry.assignment,
                "worker": entry.worker,
            }
            for entry in state.entries
        ],
    }
