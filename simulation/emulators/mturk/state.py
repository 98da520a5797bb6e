"""The state of the platform. Times are seconds since 1970, and money is in whole cents."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Status(StrEnum):
    """The status of an assignment. The API only shows the last three."""

    PENDING = "Pending"
    SUBMITTED = "Submitted"
    APPROVED = "Approved"
    REJECTED = "Rejected"


@dataclass(slots=True)
class HitType:
    id: str
    group_id: str
    title: str
    description: str
    keywords: str
    reward: int
    duration: int  # seconds from accepting to submitting
    approval_delay: int  # seconds from submitting to automatic approval
    requirements: list[dict[str, Any]]
    notification: dict[str, Any] | None = None
    notifying: bool = False


@dataclass(slots=True)
class Hit:
    id: str
    serial: int
    type_id: str
    question: str
    annotation: str
    places: int
    created: float
    expires: float
    reward: int
    fee: int  # a place
    masters: bool
    held: int = 0  # on hold for places that may still be paid
    reviewing: bool = False
    disposed: bool = False
    expired_told: bool = False
    reviewable_told: bool = False
    assignments: list[str] = field(default_factory=list)  # pending and later ones
    returned_ids: list[str] = field(default_factory=list)  # given to the next who accepts


@dataclass(slots=True)
class Assignment:
    id: str
    serial: int
    hit_id: str
    worker: str
    accepted: float
    deadline: float
    status: Status = Status.PENDING
    submitted: float | None = None
    approves: float | None = None  # when it is approved by itself
    approved: float | None = None
    rejected: float | None = None
    answer: str = ""
    feedback: str = ""


@dataclass(slots=True)
class Left:
    """An assignment that was given back or whose time ran out. Another worker may have its id now."""

    assignment: str
    hit_id: str
    worker: str
    how: str  # returned, abandoned
    at: float


@dataclass(slots=True)
class Bonus:
    serial: int
    worker: str
    assignment: str
    hit_id: str
    amount: int
    reason: str
    at: float


@dataclass(slots=True)
class Worker:
    """A worker. `approved` and `rejected` also count the worker's record with other requesters."""

    id: str
    approved: int = 0
    rejected: int = 0
    country: str = "US"
    subdivision: str = ""
    masters: bool = False
    adult: bool = False
    messages: list[dict[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class QualificationType:
    id: str
    serial: int
    created: float
    about: dict[str, Any]  # as it was given: name, description, status, test …


@dataclass(slots=True)
class Qualification:
    type_id: str
    serial: int
    worker: str
    value: int
    granted: float
    status: str  # Granted, Revoked
    reason: str = ""


@dataclass(slots=True)
class QualificationRequest:
    id: str
    serial: int
    type_id: str
    worker: str
    at: float
    answer: str = ""


@dataclass(slots=True)
class Message:
    """A message in a queue. Its receipt changes with every delivery."""

    id: str
    queue: str
    body: str
    sent: float
    visible: float
    receipt: str = ""
    deliveries: int = 0


@dataclass(slots=True)
class Entry:
    """A movement of money. Its lines add up to 0; debits are positive."""

    serial: int
    at: float
    kind: str
    lines: dict[str, int]
    hit_id: str = ""
    assignment: str = ""
    worker: str = ""


@dataclass(slots=True)
class State:
    seed: int = 0
    serial: int = 0
    types: dict[str, HitType] = field(default_factory=dict)
    hits: dict[str, Hit] = field(default_factory=dict)
    assignments: dict[str, Assignment] = field(default_factory=dict)
    left: list[Left] = field(default_factory=list)
    bonuses: list[Bonus] = field(default_factory=list)
    workers: dict[str, Worker] = field(default_factory=dict)
    blocks: dict[str, str] = field(default_factory=dict)  # worker: reason
    qualification_types: dict[str, QualificationType] = field(default_factory=dict)
    qualifications: dict[str, Qualification] = field(default_factory=dict)  # by type and worker
    requests: dict[str, QualificationRequest] = field(default_factory=dict)
    tokens: dict[str, tuple[float, str]] = field(default_factory=dict)  # when it was used, for what
    messages: dict[str, Message] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    totals: dict[str, int] = field(default_factory=dict)  # of the entries, by account

    def next_serial(self) -> int:
        self.serial += 1
        return self.serial

    def new_id(self, first: str = "3") -> str:
        """Return thirty capitals and digits, which are the same for the same seed and history."""
        number = int.from_bytes(hashlib.sha256(f"{self.seed}:{self.next_serial()}".encode()).digest())
        letters = []
        for _ in range(30 - len(first)):
            number, place = divmod(number, len(_ALPHABET))
            letters.append(_ALPHABET[place])
        return first + "".join(letters)

    def worker(self, name: str) -> Worker:
        """Return a worker. A name that is not known is a new worker without a record."""
        return self.workers.setdefault(name, Worker(name))
