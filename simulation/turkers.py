"""Simulated workers who come through Mechanical Turk's emulator."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import httpx

from simulation.client import ApiError
from simulation.emulators.mturk.handle import Handle, RefusedError, WorkerHandle
from simulation.visitors import Place, Visitors

PROFILE: dict[str, object] = {"approved": 1200, "rejected": 12, "country": "US"}
"""The platform's record of each worker, which passes the paper's screening."""


@dataclass
class Turkers(Visitors):
    turk: Handle = field(kw_only=True)

    def sign_in(self, worker_id: str) -> AtMTurk:
        return AtMTurk(self.turk.worker(worker_id, **PROFILE))


@dataclass(frozen=True, slots=True)
class AtMTurk:
    """A worker at Mechanical Turk. Offers are groups of HITs."""

    worker: WorkerHandle

    def offers(self) -> list[str]:
        return [group["groupId"] for group in self.worker.groups()]

    def take(self, offer: str) -> Place | None:
        try:
            taken = self.worker.accept(group_id=offer)
        except RefusedError:
            return None
        return Place(taken["assignmentId"], taken["url"])

    def give_back(self, place: Place) -> None:
        self.worker.give_back(place.id)

    def abandon(self, place: Place) -> None:
        self.worker.abandon(place.id)

    def finish(self, session: dict[str, Any]) -> None:
        reply = httpx.post(session["action"], data=session["fields"], timeout=30, trust_env=False)
        if reply.is_error:
            raise ApiError(f"POST {session['action']}: {reply.status_code} {reply.text[:200]}")
