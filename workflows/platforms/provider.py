"""The protocol that every crowd provider implements: publish work, see who did it, pay for it.

What a platform says about its own objects is true. Every method is safe to repeat: methods that create or pay
take a token that was stored before the call, and if a platform knows no tokens, the provider looks first.
Methods that read go through all pages of a reply. A provider keeps no state and writes none of our rows;
every call it makes goes through `workflows.platforms.calls`, which logs, paces and repeats it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol


class Environment(StrEnum):
    """Which installation of a platform a provider calls. Only LIVE moves real money."""

    EMULATOR = "emulator"
    SANDBOX = "sandbox"
    LIVE = "live"


class ProviderError(Exception):
    """A call did not do what was asked. `code` is the platform's own code for the reason."""

    def __init__(self, message: str, *, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class UnavailableError(ProviderError):
    """The platform cannot be reached, limits our calls, or has a fault of its own: it may work later.

    Nobody knows whether the platform did what was asked. Ask again with the same token.
    """


class NotLetInError(UnavailableError):
    """The account's token or key is wrong, or may not do this. Nothing was done.

    A person has to put it right, so trying again at once does not help.
    """


class UnreadError(UnavailableError):
    """A list was read to its end, but some objects of ours in it could not be read.

    They exist, so they must not be treated as missing. `unread` has the id and the token of each, as far as
    these can be read.
    """

    def __init__(self, message: str, *, unread: Sequence[tuple[str, str]]) -> None:
        super().__init__(message, code="unreadable")
        self.unread = tuple(unread)


class RefusedError(ProviderError):
    """The platform refuses, and will refuse again: the request is wrong, or the object's state forbids it."""


class NoFundsError(RefusedError):
    """The account's balance does not cover what was asked."""


class UnknownObjectError(RefusedError):
    """The platform has no such object, or not any more."""


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in whole smallest units of a currency (cents)."""

    amount: int
    currency: str  # ISO 4217


@dataclass(frozen=True, slots=True)
class Funds:
    """The money that an account has left. Some platforms keep parts of it for different purposes."""

    money: Money
    parts: tuple[tuple[str, int], ...] = ()  # name and amount: rewards, fees, VAT


@dataclass(frozen=True, slots=True)
class Requirements:
    """Who may take the work, by the batch's screening and crowd settings and our qualifications."""

    completed: int = 0  # least number of tasks finished on the platform
    approval: float = 0.0  # least share of them that was approved, 0 to 1
    locales: tuple[str, ...] = ()  # where workers live, ISO 3166: US, or US-CA
    masters: bool = False  # whether only Amazon's Masters may take it
    holding: tuple[str, ...] = ()  # the platform's ids of our qualifications that a worker must have
    lacking: tuple[str, ...] = ()  # the platform's ids of our qualifications that a worker must not have


@dataclass(frozen=True, slots=True)
class Order:
    """Places to publish, each for pages of a stage by one worker."""

    token: str  # our own, at most 64 of [0-9a-f-]; an order keeps its token for ever
    annotation: str  # by which a person finds it on the platform: project, batch, stage
    url: str  # of our page, https; the platform adds its parameters
    title: str
    description: str
    keywords: tuple[str, ...]
    reward: Money  # for one place
    places: int
    work_seconds: int  # longest time from accepting a place to submitting it
    typical_seconds: int  # time that a page usually takes
    lifetime_seconds: int  # for how long places can be accepted
    approval_seconds: int  # after how long the platform approves a submission that nobody has decided
    requirements: Requirements
    screen_out: int = 0  # pay of a worker who fails the test, in the reward's unit, where the platform can
    screen_outs: int = 0  # the most workers who are paid so


class Life(StrEnum):
    """The state of a publication on the platform."""

    OPEN = "open"  # its places can be accepted
    CLOSED = "closed"  # they cannot; some workers may still be at work on it
    GONE = "gone"  # it was deleted on the platform


@dataclass(frozen=True, slots=True)
class Published:
    """A publication as the platform describes it: a HIT, or a study."""

    external_id: str
    token: str  # of the order; empty if the platform's object is not ours
    life: Life
    places: int
    free: int  # places that somebody could still take
    working: int  # places taken and not yet submitted
    reward: Money
    expires_at: datetime | None
    submitted: int | None = None  # places submitted and not decided; None if only `submissions` tells
    decided: int | None = None  # places approved or rejected; None if only `submissions` tells
    listed_at: datetime | None = None  # as of when `submissions` tells; None: as of now


class Stand(StrEnum):
    """The state of a submission on the platform."""

    WORKING = "working"  # only on platforms that list places before they are submitted
    SUBMITTED = "submitted"
    APPROVED = "approved"
    REJECTED = "rejected"
    RETURNED = "returned"  # also if its time ran out
    SCREENED_OUT = "screened-out"  # ended by a failed test, which the platform has paid


@dataclass(frozen=True, slots=True)
class Submitted:
    """One place that a worker has taken, as the platform describes it."""

    external_id: str  # the platform's id of the assignment or submission
    publication_id: str
    worker: str  # the platform's id of the worker
    stand: Stand
    submitted_at: datetime | None
    deadline: datetime | None  # when the platform approves it by itself


@dataclass(frozen=True, slots=True)
class Bonus:
    """A bonus that the platform paid."""

    submission_id: str
    worker: str
    amount: Money
    reason: str
    token: str  # ours, if the platform keeps it or the reason contains it; else empty


@dataclass(frozen=True, slots=True)
class Hint:
    """A notification that something happened to a publication. It is a reason to look, and proves nothing."""

    external_id: str  # of the notification, which may come twice
    kind: str
    publication_id: str


class Provider(Protocol):
    """One account on one platform. Any method that calls the platform may raise ProviderError."""

    name: str
    environment: Environment
    currency: str
    can_reject: bool
    reason_rules: str  # what a reason to reject must be like, for the person who writes it; empty: any text
    unsigned: bool  # whether somebody who opens our page could have made up the worker's id
    grows: bool  # whether a stage's open publication gets more places, rather than another being published
    by_list: bool  # whether a person carries lists to and fro, so that nothing is called and nothing pays
    lists_at_once: int  # how many publications one call of `published` lists with full counts; 0: it has none

    def fee(self, reward: int, *, places: int, masters: bool) -> int:
        """Return the platform's fee for one place on top of `reward`, in smallest units. Calls nothing."""
        ...

    def bonus_fee(self, amount: int) -> int:
        """Return the platform's fee for a bonus of `amount`, in smallest units. Calls nothing."""
        ...

    def publish(self, order: Order) -> Published:
        """Publish the order; if its token was published before, return that publication."""
        ...

    def find(self, token: str) -> Published | None:
        """Return the publication under a token of ours; None if there is none."""
        ...

    def extend(self, publication_id: str, *, more: int, token: str) -> None:
        """Add `more` places. Raises RefusedError if the fee of the places there are would change."""
        ...

    def expire(self, publication_id: str) -> None:
        """Let nobody take a place from now on; whoever is at work can still submit."""
        ...

    def look(self, publication_id: str) -> Published | None:
        """Return the publication as it is now; None if the platform has no such publication."""
        ...

    def published(self) -> Iterator[Published]:
        """Yield everything on the account, also what is not ours, the newest first if the platform can.

        Raises UnreadError at the end if some objects of ours could not be read.
        """
        ...

    def submissions(self, publication_id: str) -> Iterator[Submitted]:
        """Yield all submissions of a publication, in any state that the platform tells of."""
        ...

    def approve(self, submission_id: str, *, feedback: str = "") -> None:
        """Pay the reward. An approved submission stays approved; a rejection is overridden if possible."""
        ...

    def check_reason(self, reason: str) -> None:
        """Raise RefusedError if `reject` would not take this reason; it says what to write. Calls nothing."""
        ...

    def reject(self, submission_id: str, *, reason: str) -> None:
        """Refuse the reward, for a reason that the worker reads. A rejected submission stays rejected."""
        ...

    def ask_to_return(self, submission_id: str, *, reason: str) -> None:
        """Ask the worker to return the submission unpaid. Raises RefusedError if the platform cannot."""
        ...

    def bonus(self, submission: Submitted, *, amount: Money, reason: str, token: str) -> None:
        """Pay a bonus for a submission: once for each token, however often this is called."""
        ...

    def bonuses(self, publication_id: str) -> Iterator[Bonus]:
        """Yield all bonuses that were paid for a publication's submissions."""
        ...

    def make_qualification(self, name: str, description: str) -> str:
        """Return the platform's id of our qualification of this name; make it if there is none."""
        ...

    def grant(self, qualification_id: str, worker: str, *, value: int = 1) -> None:
        """Give a worker a qualification without telling them. Repeating it changes nothing."""
        ...

    def revoke(self, qualification_id: str, worker: str, *, reason: str = "") -> None:
        """Take a qualification from a worker. Nothing changes if they do not have it."""
        ...

    def holders(self, qualification_id: str) -> Iterator[str]:
        """Yield the ids of the workers who have a qualification."""
        ...

    def message(self, workers: Sequence[str], *, subject: str, text: str) -> list[str]:
        """Write to workers, and return the ids of those who could not be reached."""
        ...

    def block(self, worker: str, *, reason: str) -> None:
        """Keep a worker from all work of this account. Repeating it changes nothing."""
        ...

    def unblock(self, worker: str, *, reason: str) -> None:
        """Let a blocked worker take work again. Repeating it changes nothing."""
        ...

    def balance(self) -> Funds | None:
        """Return the account's balance; None if the platform does not tell."""
        ...

    def hints(self) -> Iterable[Hint]:
        """Return waiting notifications, at most a few hundred, and remove them from the platform's queue."""
        ...
