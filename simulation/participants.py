"""Simulated participants who come through Prolific's emulator."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from simulation.client import ApiError
from simulation.emulators.prolific.handle import Handle, ParticipantHandle, RefusedError
from simulation.visitors import Place, Visitors


def participant_id(name: str) -> str:
    """Return a participant's id: 24 hexadecimal digits, as Prolific's have."""
    return hashlib.sha256(name.encode()).hexdigest()[:24]


@dataclass
class Participants(Visitors):
    emulator: Handle = field(kw_only=True)

    def sign_in(self, worker_id: str) -> AtProlific:
        return AtProlific(self.emulator.participant(worker_id))


@dataclass(frozen=True, slots=True)
class AtProlific:
    """A participant at Prolific. Offers are studies. A participant who returned one cannot take it again."""

    participant: ParticipantHandle

    def offers(self) -> list[str]:
        return self.participant.studies()

    def take(self, offer: str) -> Place | None:
        try:
            started = self.participant.start(offer)
        except RefusedError:
            return None
        return Place(started.submission, started.url)

    def give_back(self, place: Place) -> None:
        self.participant.give_back(place.id)

    def abandon(self, place: Place) -> None:
        self.participant.abandon(place.id)

    def finish(self, session: dict[str, Any]) -> None:
        try:
            self.participant.follow(session["href"])
        except RefusedError as error:
            raise ApiError(str(error)) from error
