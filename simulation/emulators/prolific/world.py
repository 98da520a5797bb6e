"""The state of the emulated platform."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from simulation.emulators.prolific.books import Books
from simulation.emulators.prolific.clock import Clock
from simulation.emulators.prolific.errors import MissingError
from simulation.emulators.prolific.faults import Faults

RESERVED, ACTIVE, AWAITING = "RESERVED", "ACTIVE", "AWAITING REVIEW"
APPROVED, REJECTED, RETURNED, TIMED_OUT = "APPROVED", "REJECTED", "RETURNED", "TIMED-OUT"
SCREENED_OUT = "SCREENED OUT"
GONE = (RETURNED, TIMED_OUT, SCREENED_OUT)  # their place is free again
OPEN = (RESERVED, ACTIVE, AWAITING)
SCREEN_OUT = "FIXED_SCREEN_OUT_PAYMENT"
RESERVATION = timedelta(minutes=10)
AUTOMATIC = timedelta(days=21)
TOKEN = "emulated"  # noqa: S105 (of an emulator, known to everybody)
PROJECT = "64f000000000000000000002"


@dataclass(slots=True)
class Study:
    id: str
    fields: dict[str, Any]
    created: datetime
    status: str = "UNPUBLISHED"
    stopped: bool = False
    published_at: datetime | None = None


@dataclass(slots=True)
class Submission:
    id: str
    study: str
    participant: str
    started: datetime
    status: str = ACTIVE
    completed: datetime | None = None
    code: str | None = None
    bonuses: list[tuple[int, datetime]] = field(default_factory=list)  # with the time from which it is shown
    return_requested: datetime | None = None


@dataclass(slots=True)
class Group:
    id: str
    name: str
    description: str
    workspace: str
    members: dict[str, datetime] = field(default_factory=dict)
    deleted: bool = False


@dataclass(slots=True)
class Participant:
    """A person who can take part, with the values that filters use."""

    id: str
    country: str = "United Kingdom"
    approvals: int = 1000
    approval_rate: int = 100


@dataclass(slots=True)
class World:
    token: str = TOKEN
    books: Books = field(default_factory=Books)
    clock: Clock = field(default_factory=Clock)
    faults: Faults = field(default_factory=Faults)
    bonus_seconds: float = 0  # from paying a bonus to its being shown
    lock: threading.RLock = field(default_factory=threading.RLock)
    studies: dict[str, Study] = field(default_factory=dict)
    submissions: dict[str, Submission] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
    participants: dict[str, Participant] = field(default_factory=dict)
    bulks: dict[str, tuple[str, list[tuple[str, int]]]] = field(default_factory=dict)
    messages: list[dict[str, str]] = field(default_factory=list)
    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)  # that nobody was told yet
    seed: int = 0  # worlds with different seeds share no id
    last_id: int = 0
    workspace: str = "64f000000000000000000001"
    project: str = PROJECT
    researcher: str = "64f000000000000000000003"

    def new_id(self) -> str:
        with self.lock:
            self.last_id += 1
            return f"{0x655 << 84 | self.seed << 40 | self.last_id:024x}"

    def study(self, study_id: str) -> Study:
        if study_id not in self.studies:
            raise MissingError("The study")
        return self.studies[study_id]

    def submission(self, submission_id: str) -> Submission:
        if submission_id not in self.submissions:
            raise MissingError("The submission")
        return self.submissions[submission_id]

    def group(self, group_id: str) -> Group:
        if group_id not in self.groups or self.groups[group_id].deleted:
            raise MissingError("The participant group")
        return self.groups[group_id]

    def of_study(self, study: Study) -> list[Submission]:
        return [one for one in self.submissions.values() if one.study == study.id]

    def places_taken(self, study: Study) -> int:
        """Count the places of submissions, except those that were returned, timed out or rejected."""
        return sum(one.status not in (*GONE, REJECTED) for one in self.of_study(study))

    def cost(self, study: Study) -> int:
        """Return the cost of one place in cents, with the fee."""
        return self.books.cost(study.fields["reward"])

    def whole_cost(self, study: Study) -> int:
        """Return the cost of all places of a new study, and of everybody whom it may screen out."""
        return int(study.fields["total_available_places"]) * self.cost(study) + self._screen_out_costs(study)

    def reserved(self, study_id: str = "") -> int:
        """Return the cents set aside for what a study, or all of them, may still have to pay."""
        studies = [self.studies[study_id]] if study_id else self.studies.values()
        return sum(
            self._owed(study) * self.cost(study) + self._screen_out_costs(study)
            for study in studies
            if study.published_at
        )

    @property
    def available(self) -> int:
        return self.books.total - self.reserved()

    def screen_out(self, study: Study) -> dict[str, Any] | None:
        """Return the action that pays a study's participants who are screened out; None if it has none."""
        actions = (act for code in study.fields["completion_codes"] for act in code["actions"])
        return next((act for act in actions if act["action"] == SCREEN_OUT), None)

    def screen_outs_left(self, study: Study) -> int:
        """Return how many more participants the study may screen out."""
        action = self.screen_out(study)
        used = sum(one.status == SCREENED_OUT for one in self.of_study(study))
        return 0 if action is None else max(0, int(action["slots"]) - used)

    def screen_outs_anew(self, study: Study) -> int:
        """Return the cents to set aside for screen-outs if a study that is over goes on."""
        return self._screen_outs(study) - self._screen_out_costs(study)

    def _screen_out_costs(self, study: Study) -> int:
        """Return the cents set aside for participants who may still be screened out.

        Once a study is over, whoever is at work gets the reward at most.
        """
        return 0 if study.stopped or study.status == "COMPLETED" else self._screen_outs(study)

    def _screen_outs(self, study: Study) -> int:
        action = self.screen_out(study)
        cents = 0 if action is None else self.books.cost(action["fixed_screen_out_reward"])
        return self.screen_outs_left(study) * cents

    def _owed(self, study: Study) -> int:
        """Return the number of places that are not paid yet but may still be."""
        mine = self.of_study(study)
        if study.stopped:
            return sum(one.status in OPEN for one in mine)
        return int(study.fields["total_available_places"]) - sum(one.status == APPROVED for one in mine)
