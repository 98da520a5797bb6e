"""The inside of the platform in memory: its objects, its workers and its faults.

It is as awkward as Mechanical Turk: it tells of submissions only once they are submitted, and gives the id of
a returned assignment to the next worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from threading import RLock

from tests.workflows.platforms.fake_objects import Assignment, Paid, Publication
from workflows.platforms.mturk.domain.fees import mturk_fee
from workflows.platforms.provider import (
    Environment,
    Hint,
    Life,
    NoFundsError,
    Order,
    Published,
    RefusedError,
    Stand,
    Submitted,
    UnknownObjectError,
)


@dataclass(slots=True)
class _Fault:
    error: BaseException
    after: bool


@dataclass
class FakePlatform:
    """A platform in memory. Tests may read and set its fields."""

    name: str = "mturk"
    environment: Environment = Environment.EMULATOR
    currency: str = "USD"
    can_reject: bool = True
    reason_rules: str = ""
    least_reason: int = 1  # characters
    unsigned: bool = True
    grows: bool = False
    by_list: bool = False
    lists_at_once: int = 100
    funds: int = 1_000_000  # what the account had at first
    tells_all: bool = False  # also of submissions that are being worked on or were returned
    now: Callable[[], datetime] = lambda: datetime(2026, 3, 1, 12, tzinfo=UTC)
    silent: bool = False  # notifications are lost
    calls: list[tuple[str, str]] = field(default_factory=list)  # operation and what it was about
    publications: dict[str, Publication] = field(default_factory=dict)
    paid: list[Paid] = field(default_factory=list)  # bonuses
    qualifications: dict[str, str] = field(default_factory=dict)  # name by id
    held: dict[str, dict[str, int]] = field(default_factory=dict)  # worker and value by qualification
    blocked: dict[str, str] = field(default_factory=dict)  # reason by worker
    unreachable: set[str] = field(default_factory=set)
    messages: list[tuple[str, str, str]] = field(default_factory=list)  # worker, subject, text
    waiting: list[Hint] = field(default_factory=list)
    _faults: dict[str, list[_Fault]] = field(default_factory=dict)
    _fault_at: dict[int, _Fault] = field(default_factory=dict)
    _lock: RLock = field(default_factory=RLock)  # a real platform also does one thing to an object at a time
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def fail_next(self, operation: str, error: BaseException, *, after: bool = False) -> None:
        """Let the next call of `operation` raise `error`. With `after`, it is done before that.

        Several errors queue up.
        """
        self._faults.setdefault(operation, []).append(_Fault(error, after))

    def fail_at(self, number: int, error: BaseException, *, after: bool = False) -> None:
        """Let the call with this number from now on raise `error`, whatever it is.

        The next call is number 1.
        """
        self._fault_at[len(self.calls) + number] = _Fault(error, after)

    def called(self, operation: str) -> list[str]:
        """Return what the calls of an operation were about, in order."""
        return [subject for name, subject in self.calls if name == operation]

    def plant(self, order: Order) -> Publication:
        """Publish an order without a call, even one that is published already."""
        fee = mturk_fee(order.reward.amount, places=order.places, masters=order.requirements.masters)
        self._afford(order.places * (order.reward.amount + fee))
        expires_at = self.now() + timedelta(seconds=order.lifetime_seconds)
        one = Publication(self._id("H"), order, fee, expires_at)
        self.publications[one.external_id] = one
        return one

    def accept(self, publication_id: str, worker: str) -> str:
        """Let a worker take a place; return the id of their assignment."""
        one = self._publication(publication_id)
        if worker in self.blocked or not one.free(self.now()):
            raise RefusedError("There is nothing to accept.")
        returned = next((each for each in one.assignments if each.stand == Stand.RETURNED), None)
        if returned is not None:
            returned.worker, returned.stand = worker, Stand.WORKING
            return returned.external_id
        one.assignments.append(Assignment(self._id("A"), worker))
        return one.assignments[-1].external_id

    def submit(self, submission_id: str) -> None:
        one = self._assignment(submission_id)
        assert one.stand == Stand.WORKING, one.stand
        one.stand, one.submitted_at = Stand.SUBMITTED, self.now()
        self.notify("AssignmentSubmitted", self._home(submission_id).external_id)

    def give_back(self, submission_id: str) -> None:
        self._assignment(submission_id).stand = Stand.RETURNED

    def work(self, publication_id: str, worker: str) -> str:
        """Let a worker take a place and submit at once; return the id of their assignment."""
        submission_id = self.accept(publication_id, worker)
        self.submit(submission_id)
        return submission_id

    def notify(self, kind: str, publication_id: str, *, times: int = 1) -> None:
        if not self.silent:
            self.waiting.extend([Hint(self._id("N"), kind, publication_id)] * times)

    @property
    def spent(self) -> int:
        """Return the rewards of what is approved, the bonuses, and the fees of both."""
        rewards = sum(one.cost for one in self.publications.values() for _ in one.standing(Stand.APPROVED))
        return rewards + sum(each.bonus.amount.amount + each.fee for each in self.paid)

    @property
    def bound(self) -> int:
        """Return what places may still cost that are free, being worked on or submitted."""
        now = self.now()
        return sum(one.cost * (one.free(now) + one.unsettled) for one in self.publications.values())

    @contextmanager
    def _call(self, operation: str, subject: str = "") -> Iterator[None]:
        with self._lock:
            yield from self._faulty(operation, subject)

    def _faulty(self, operation: str, subject: str) -> Iterator[None]:
        self.calls.append((operation, subject))
        self._approve_by_itself()
        fault = self._fault_at.pop(len(self.calls), None)
        if fault is None and self._faults.get(operation):
            fault = self._faults[operation].pop(0)
        if fault is not None and not fault.after:
            raise fault.error
        yield
        if fault is not None:
            raise fault.error

    def _approve_by_itself(self) -> None:
        for one in self.publications.values():
            for each in one.standing(Stand.SUBMITTED):
                if one.deadline(each) <= self.now():
                    each.stand = Stand.APPROVED

    def _seen(self, one: Publication) -> Published:
        now = self.now()
        at_work = len(one.standing(Stand.WORKING))
        may_open_again = one.expires_at > now and (one.free(now) or at_work)
        return Published(
            external_id=one.external_id,
            token=one.order.token,
            life=Life.OPEN if may_open_again else Life.CLOSED,
            places=one.places,
            free=one.free(now),
            working=at_work,
            reward=one.order.reward,
            expires_at=one.expires_at,
            submitted=None if self.tells_all else len(one.standing(Stand.SUBMITTED)),
            decided=None if self.tells_all else one.decided,
        )

    def _submitted(self, publication_id: str, each: Assignment) -> Submitted:
        deadline = self.publications[publication_id].deadline(each) if each.submitted_at else None
        return replace(each.submitted(publication_id), deadline=deadline)

    def _of_token(self, token: str) -> Publication | None:
        return next((one for one in self.publications.values() if one.order.token == token), None)

    def _publication(self, publication_id: str) -> Publication:
        if publication_id not in self.publications:
            raise UnknownObjectError("There is no such publication.", code="HITDoesNotExist")
        return self.publications[publication_id]

    def _home(self, submission_id: str) -> Publication:
        for one in self.publications.values():
            if any(each.external_id == submission_id for each in one.assignments):
                return one
        raise UnknownObjectError("There is no such submission.", code="AssignmentDoesNotExist")

    def _assignment(self, submission_id: str) -> Assignment:
        assignments = self._home(submission_id).assignments
        return next(each for each in assignments if each.external_id == submission_id)

    def _holders(self, qualification_id: str) -> dict[str, int]:
        if qualification_id not in self.held:
            raise UnknownObjectError("There is no such qualification.", code="QualificationTypeDoesNotExist")
        return self.held[qualification_id]

    def _afford(self, amount: int) -> None:
        if amount > self.funds - self.bound - self.spent:
            raise NoFundsError("The balance does not cover it.", code="InsufficientFunds")

    def _id(self, letter: str) -> str:
        return f"{letter}{next(self._numbers):06}"
