"""What the panel knows: one study, its places, and what was paid for them."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from urllib.parse import quote

LIST = ("participantId", "assignmentId", "status")


class State(StrEnum):
    STARTED = "started"
    SUBMITTED = "submitted"
    APPROVED = "approved"
    REJECTED = "rejected"
    RETURNED = "returned"
    SCREENED_OUT = "screened out"


class RefusedError(Exception):
    """The panel refuses something; the message says why."""


@dataclass
class Place:
    """A place that a participant took."""

    id: str
    participant: str
    state: State = State.STARTED


@dataclass
class World:
    """One study. `address` has {participant} and {assignment} where the panel writes its ids."""

    address: str = ""
    code: str = "DONE"
    out_code: str = "OUT"
    reward: int = 0  # what a place pays, in the currency's smallest unit
    screen_out: int = 0  # what who is screened out gets
    quota: int = 10**6  # places
    places: dict[str, Place] = field(default_factory=dict)
    paid: Counter[str] = field(default_factory=Counter)  # by rewards, bonuses, screen-outs
    wrong: list[str] = field(default_factory=list)  # what a list asked for that must not be

    def start(self, participant: str) -> tuple[str, str]:
        """Return the id of a new place and the filled address."""
        taken = [one for one in self.places.values() if one.state != State.RETURNED]
        if len(taken) >= self.quota:
            raise RefusedError("The study is full.")
        place = Place(f"a{len(self.places) + 1}", participant)
        self.places[place.id] = place
        return place.id, self.address.format(participant=quote(participant, safe=""), assignment=place.id)

    def submit(self, assignment: str, code: str) -> None:
        """Take the code that a participant types, or brings along in the address back."""
        place = self._place(assignment)
        if code == self.out_code:
            if place.state == State.STARTED:
                place.state = State.SCREENED_OUT
                self.paid["screen-outs"] += self.screen_out
        elif code != self.code:
            raise RefusedError("This is not the study's code. Copy it again from the page of the task.")
        elif place.state == State.STARTED:
            place.state = State.SUBMITTED

    def give_back(self, assignment: str) -> None:
        place = self._place(assignment)
        if place.state == State.STARTED:
            place.state = State.RETURNED

    def participants(self) -> str:
        """Return the list that the researcher downloads."""
        told = io.StringIO()
        writer = csv.writer(told)
        writer.writerow(LIST)
        for one in self.places.values():
            if one.state != State.SCREENED_OUT:
                writer.writerow((one.participant, one.id, one.state))
        return told.getvalue()

    def pay(self, text: str) -> None:
        """Do what the researcher's list says."""
        for row in csv.DictReader(io.StringIO(text)):
            self._pay(row)

    def _pay(self, row: dict[str, str]) -> None:
        what = row["what"]
        place = self._place(row["assignment"])
        if place.participant != row["participant"]:
            self.wrong.append(f"{place.id} is not {row['participant']}'s")
        elif what == "bonus":
            self.paid["bonuses"] += _units(row["amount"])
        elif place.state != State.SUBMITTED and (place.state, what) != (State.REJECTED, "approve"):
            self.wrong.append(f"{place.id} is {place.state}, and was on the list again: {row['what']}")
        elif what == "reject":
            place.state = State.REJECTED
        else:
            if _units(row["amount"]) != self.reward and self.reward:
                self.wrong.append(f"{place.id} was to be paid {row['amount']}")
            place.state = State.APPROVED
            self.paid["rewards"] += _units(row["amount"])

    def books(self) -> dict[str, Any]:
        """Return the sums, in smallest units, and what is wrong."""
        left = [one.id for one in self.places.values() if one.state == State.SUBMITTED]
        unpaid = [f"submitted and not paid: {len(left)}"] if left else []
        return {"sums": dict(self.paid), "wrong": [*self.wrong, *unpaid], "places": len(self.places)}

    def _place(self, assignment: str) -> Place:
        if assignment not in self.places:
            raise RefusedError(f"There is no place {assignment}.")
        return self.places[assignment]


def _units(text: str) -> int:
    """Return an amount of a list in smallest units: the panel's currency has two digits."""
    whole, _, behind = text.partition(".")
    return int(whole + behind.ljust(2, "0"))
