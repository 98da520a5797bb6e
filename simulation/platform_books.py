"""The books of a platform's emulator, in the terms of our ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from simulation.emulators.mturk.handle import Handle as Turk
from simulation.emulators.mturk.world import Account
from simulation.emulators.prolific.handle import Handle as Emulator

_MTURK_ACCOUNTS = {"rewards": "rewards", "bonuses": "bonuses", "fees": "fees", "held": "reserved"}
_MTURK_WRONG = {"unpaid": "submitted and not paid", "paidTwice": "paid twice"}
_PROLIFIC_KINDS = {"reward": "rewards", "bonus": "bonuses"}
_PROLIFIC_WRONG = {"unpaid": "submitted and not paid", "paid_twice": "paid twice"}


@dataclass(frozen=True, slots=True)
class Theirs:
    sums: Counter[str]  # cents by account of our ledger, only of the publications that were asked for
    publications: list[str]  # ids of all publications, whoever made them
    wrong: list[str]  # what must not happen, in all publications


def of_mturk(url: str, hits: set[str]) -> Theirs:
    with Turk(url, "", Account("", "")) as turk:
        books, state = turk.books(), turk.state()
    sums = Counter[str]()
    for entry in books["entries"]:
        if entry["hit"] in hits:
            for account, amount in entry["lines"].items():
                sums[_MTURK_ACCOUNTS.get(account, account)] += amount
    wrong = [f"{what}: {state[key]}" for key, what in _MTURK_WRONG.items() if state[key]]
    return Theirs(sums, [hit["id"] for hit in state["hits"]], wrong)


def of_prolific(url: str, studies: set[str]) -> Theirs:
    with Emulator(url) as emulator:
        books, state = emulator.books(), emulator.state()
    sums = Counter[str]()
    for entry in books["entries"]:
        if entry["study"] in studies:
            sums[_PROLIFIC_KINDS[entry["kind"]]] += entry["amount"]
            sums["fees"] += entry["fee"]
    sums["reserved"] = sum(books["reserved_by_study"].get(study, 0) for study in studies)
    wrong = [f"{what}: {state[key]}" for key, what in _PROLIFIC_WRONG.items() if state[key]]
    return Theirs(sums, [study["id"] for study in state["studies"]], wrong)


THEIRS: Mapping[str, Callable[[str, set[str]], Theirs]] = MappingProxyType(
    {"mturk": of_mturk, "prolific": of_prolific}
)
"""The function for each platform. Its arguments are the emulator's address and our publications."""
