"""The one protocol that every crowd provider speaks: publish work, see who did it, pay.

The platform is the truth about its own objects. Every method is safe to repeat: what creates or pays takes a
token that was stored before the call, and where a platform knows no tokens, the provider looks first. Methods
that read walk all pages of a reply. A provider keeps no state and writes nothing of ours; every call it makes
goes through `workflows.crowd.calls`, which logs, limits and repeats.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol


class Environment(StrEnum):
    """Which of a platform's worlds a provider speaks to. Only the last one moves real money."""

    EMULATOR = "emulator"
    SANDBOX = "sandbox"
    LIVE = "live"


class ProviderError(Exception):
    """A call did not do what was asked. `code` is the platform's own word for why."""

    def __init__(self, message: str, *, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class UnavailableError(ProviderError):
    """The platform cannot be reached, throttles, or has a fault of its own: later it may work.

    Whether what was asked was done is not known: ask again with the same token.
    """


class NotLetInError(UnavailableError):
    """The account's token or key is not right, or may not do this. Nothing was done.

    What was asked waits for whoever puts it right: it does not come right within a call.
    """


class UnreadError(UnavailableError):
    """A list is told to its end, but for some of ours that are in it and could not be read.

    They are there: nothing is to be decided about them as of what is gone. `unread` has the id and the token
    of each, as far as these can be read.
    """

    def __init__(self, message: str, *, unread: Sequence[tuple[str, str]]) -> None:
        super().__init__(message, code="unreadable")
        self.unread = tuple(unread)


class RefusedError(ProviderError):
    """The platform says no, and will again: the request is wrong, or its object is in no state for it."""


class NoFundsError(RefusedError):
    """The account's balance does not cover it."""


class UnknownObjectError(RefusedError):
    """The platform has no such object (any more)."""


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in whole smallest units of a currency (cents)."""

    amount: int
    currency: str  # ISO 4217


@dataclass(frozen=True, slots=True)
class Requirements:
    """Who may take the work: as the batch's screening and crowd settings have it."""

    completed: int = 0  # tasks finished on the platform, at least
    approval: float = 0.0  # share of them that was approved, at least; 0 to 1
    locales: tuple[str, ...] = ()  # ISO 3166: US, or US-CA
    masters: bool = False
    holding: tuple[str, ...] = ()  # the platform's ids of our qualifications that a worker must have
    lacking: tuple[str, ...] = ()  # and of those that a worker must not have


@dataclass(frozen=True, slots=True)
class Order:
    """Places to publish, each for one page of a stage by one worker."""

    token: str  # ours; at most 64 of [0-9a-f-]; the same order has the same token for ever
    annotation: str  # what a person finds it by on the platform: project, batch, stage
    url: str  # of our page, https; the platform adds its parameters
    title: str
    description: str
    keywords: tuple[str, ...]
    reward: Money  # a place
    places: int
    work_seconds: int  # from accepting to submitting, at most
    typical_seconds: int  # what the page takes
    lifetime_seconds: int  # for so long it can be accepted
    approval_seconds: int  # after so long an unanswered submission is approved by the platform
    requirements: Requirements


class Life(StrEnum):
    """Of a publication, as the platform sees it."""

    OPEN = "open"  # can be accepted
    CLOSED = "closed"  # cannot; some may be at work on it yet
    GONE = "gone"  # deleted on the platform


@dataclass(frozen=True, slots=True)
class Published:
    """A publication on the platform: a HIT, a study."""

    external_id: str
    token: str  # of the order; empty where the platform's object is none of ours
    life: Life
    places: int
    free: int  # places that somebody could still take
    working: int  # taken, not yet submitted
    reward: Money
    expires_at: datetime | None
    submitted: int | None = None  # places handed in and not decided; None: only `submissions` tells
    decided: int | None = None  # approved or rejected; None as well


class Stand(StrEnum):
    """Of a submission, as the platform sees it."""

    WORKING = "working"  # only where the platform says so before it is submitted
    SUBMITTED = "submitted"
    APPROVED = "approved"
    REJECTED = "rejected"
    RETURNED = "returned"  # also: timed out


@dataclass(frozen=True, slots=True)
class Submitted:
    """One place of a publication in a worker's hands, as the platform confirms it."""

    external_id: str  # the platform's assignment or submission
    publication_id: str
    worker: str  # the platform's id of the worker
    stand: Stand
    submitted_at: datetime | None
    deadline: datetime | None  # the platform approves by itself then


@dataclass(frozen=True, slots=True)
class Bonus:
    """A bonus that the platform paid."""

    submission_id: str
    worker: str
    amount: Money
    reason: str
    token: str  # where the platform keeps it, or it stands in the reason; else empty


@dataclass(frozen=True, slots=True)
class Hint:
    """A notification: something happened to a publication. Never believed, only a reason to look."""

    external_id: str  # of the notification: it may come twice
    kind: str
    publication_id: str


class Provider(Protocol):
    """One account on one platform. Any method raises ProviderError."""

    name: str
    environment: Environment
    currency: str
    can_reject: bool
    reason_rules: str  # what a reason to reject has to be, in words for who writes one; empty: any text
    unsigned: bool  # whoever opens our page could have made up the worker's id
    lists_at_once: int  # of how many one call of `published` tells all there is; 0: of none

    def fee(self, reward: int, *, places: int, masters: bool) -> int:
        """What the platform takes for one place on top of `reward`, in smallest units. Calls nothing."""
        ...

    def bonus_fee(self, amount: int) -> int:
        """The same for a bonus. Calls nothing."""
        ...

    def publish(self, order: Order) -> Published:
        """Publish it; with the same token again, what was published then."""
        ...

    def find(self, token: str) -> Published | None:
        """What was published under a token of ours, if it was."""
        ...

    def extend(self, publication_id: str, *, more: int, token: str) -> None:
        """More places. RefusedError where that would change the fee of those there are."""
        ...

    def expire(self, publication_id: str) -> None:
        """Nobody can take it from now on; who is at work on it can still submit."""
        ...

    def look(self, publication_id: str) -> Published | None:
        """As it is now; None where the platform has no such thing."""
        ...

    def published(self) -> Iterator[Published]:
        """Everything on the account, also what is not ours; the newest first, where that can be.

        Raises UnreadError at its end, where some of ours in it could not be read.
        """
        ...

    def submissions(self, publication_id: str) -> Iterator[Submitted]:
        """All of them in any stand that the platform tells."""
        ...

    def approve(self, submission_id: str, *, feedback: str = "") -> None:
        """Pay the reward. One that is approved stays so; a rejected one is overridden where that can be."""
        ...

    def check_reason(self, reason: str) -> None:
        """Raises RefusedError, which says what to write, for what `reject` would not take. Calls nothing."""
        ...

    def reject(self, submission_id: str, *, reason: str) -> None:
        """Refuse the reward, for a reason the worker reads. One that is rejected stays so."""
        ...

    def ask_to_return(self, submission_id: str, *, reason: str) -> None:
        """Ask the worker to give it back unpaid. RefusedError where the platform knows no such thing."""
        ...

    def bonus(self, submission: Submitted, *, amount: Money, reason: str, token: str) -> None:
        """Pay more for a submission; with the same token once, however often it is asked."""
        ...

    def bonuses(self, publication_id: str) -> Iterator[Bonus]:
        """All that were paid for its submissions."""
        ...

    def make_qualification(self, name: str, description: str) -> str:
        """The platform's id of our qualification of this name; made where there is none."""
        ...

    def grant(self, qualification_id: str, worker: str, *, value: int = 1) -> None:
        """Give it to a worker, without telling them; again changes nothing."""
        ...

    def revoke(self, qualification_id: str, worker: str, *, reason: str = "") -> None:
        """Take it from a worker; one who has it not is left alone."""
        ...

    def holders(self, qualification_id: str) -> Iterator[str]:
        """The workers who have it."""
        ...

    def message(self, workers: Sequence[str], *, subject: str, text: str) -> list[str]:
        """Write to workers; returns those who could not be reached."""
        ...

    def block(self, worker: str, *, reason: str) -> None:
        """The worker sees no work of this account any more. Again changes nothing."""
        ...

    def unblock(self, worker: str, *, reason: str) -> None:
        """Lift it. Again changes nothing."""
        ...

    def balance(self) -> Money | None:
        """What the account has left; None where the platform does not tell."""
        ...

    def hints(self) -> Iterable[Hint]:
        """Notifications that wait, at most a few hundred; those that were taken do not come again, mostly."""
        ...
