"""Simulated people whom a panel sends to the address of a batch."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from simulation.client import ApiError
from simulation.emulators.panel.handle import Handle
from simulation.emulators.panel.world import RefusedError
from simulation.visitors import Place, Visitors

STUDY = "study"
PAUSE = 1.5
"""Seconds until somebody looks again who found no work."""


@dataclass
class Panelists(Visitors):
    panel: Handle = field(kw_only=True)

    def sign_in(self, worker_id: str) -> AtPanel:
        return AtPanel(self.panel, worker_id)


@dataclass
class AtPanel:
    """A person at the panel. Its one study is always on offer."""

    panel: Handle
    participant: str
    _place: str = ""
    _until: float = 0.0  # before this, nobody who found no work looks again

    def offers(self) -> list[str]:
        return [STUDY] if time.monotonic() >= self._until else []

    def take(self, offer: str) -> Place | None:
        try:
            self._place, url = self.panel.start(self.participant)
        except RefusedError:
            return None
        return Place(self._place, url)

    def give_back(self, place: Place) -> None:
        self._until = time.monotonic() + PAUSE
        self.panel.give_back(place.id)

    def abandon(self, place: Place) -> None:
        """Leave without a word."""

    def finish(self, told: dict[str, Any]) -> None:
        try:
            if told["kind"] == "code":
                self.panel.submit(self._place, told["code"])
            else:
                self.panel.follow(told["href"])
        except RefusedError as error:
            raise ApiError(str(error)) from error
