"""Direct workers as a crowd provider: what is left of the protocol where there is no platform.

Direct workers come by links and invitations (`workflows.services.crowd.{inviting,joining}`) straight to the
list of tasks. So of the protocol does not apply:

- publishing, finding, extending and expiring: a running batch is all that there is to publish;
- submissions, and approving, rejecting or giving one back: a page is known by its Assignment, its answers
  count when they come, and its reward is earned then (`workflows.crowd.direct.page_earnings`);
- bonuses and the balance: payroll pays, outside (`workflows.money.payroll`);
- qualifications: standings say who is trusted; no platform has to be told;
- messages: only the worker's name is known here, which need not be an address;
- hints: nothing happens elsewhere.

What asks for one of these is refused; what reads finds nothing. Blocking is done by
`workflows.workers.enrolment`, and nobody else has to be told: here it changes nothing. `registry` knows no
account for `direct`, so that nothing publishes or pays by mistake: this class is for code that is given a
provider whatever the batch's is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NoReturn

from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.crowd.provider import (
    Bonus,
    Environment,
    Hint,
    Money,
    Order,
    Published,
    RefusedError,
    Submitted,
    UnknownObjectError,
)


class Direct:
    """The provider of workers who come by themselves. Costs no call, and takes no fee."""

    name = DIRECT
    environment = Environment.LIVE  # people work for real; nothing is paid through here
    can_reject = False
    reason_rules = ""
    unsigned = False  # a token is signed by us
    lists_at_once = 0

    def __init__(self, currency: str = "USD") -> None:
        self.currency = currency

    def fee(self, reward: int, *, places: int, masters: bool) -> int:
        return 0

    def bonus_fee(self, amount: int) -> int:
        return 0

    def publish(self, order: Order) -> Published:
        _refuse("nothing is published: launch the batch, and invite workers")

    def find(self, token: str) -> Published | None:
        return None

    def extend(self, publication_id: str, *, more: int, token: str) -> None:
        _unknown(publication_id)

    def expire(self, publication_id: str) -> None:
        _unknown(publication_id)

    def look(self, publication_id: str) -> Published | None:
        return None

    def published(self) -> Iterator[Published]:
        return iter(())

    def submissions(self, publication_id: str) -> Iterator[Submitted]:
        _unknown(publication_id)

    def approve(self, submission_id: str, *, feedback: str = "") -> None:
        _unknown(submission_id)

    def check_reason(self, reason: str) -> None:
        _refuse("nobody is rejected")

    def reject(self, submission_id: str, *, reason: str) -> None:
        _unknown(submission_id)

    def ask_to_return(self, submission_id: str, *, reason: str) -> None:
        _unknown(submission_id)

    def bonus(self, submission: Submitted, *, amount: Money, reason: str, token: str) -> None:
        _unknown(submission.external_id)

    def bonuses(self, publication_id: str) -> Iterator[Bonus]:
        _unknown(publication_id)

    def make_qualification(self, name: str, description: str) -> str:
        _refuse("standings say who is trusted: there is no qualification to make")

    def grant(self, qualification_id: str, worker: str, *, value: int = 1) -> None:
        _unknown(qualification_id)

    def revoke(self, qualification_id: str, worker: str, *, reason: str = "") -> None:
        _unknown(qualification_id)

    def holders(self, qualification_id: str) -> Iterator[str]:
        _unknown(qualification_id)

    def message(self, workers: Sequence[str], *, subject: str, text: str) -> list[str]:
        return list(workers)

    def block(self, worker: str, *, reason: str) -> None:
        """Nobody else has to be told."""

    def unblock(self, worker: str, *, reason: str) -> None:
        """The same."""

    def balance(self) -> Money | None:
        return None

    def hints(self) -> Iterable[Hint]:
        return ()


def _refuse(why: str) -> NoReturn:
    raise RefusedError(f"Direct workers have no platform: {why}.", code="direct")


def _unknown(what: str) -> NoReturn:
    raise UnknownObjectError(f"Direct workers have no platform that knows {what!r}.", code="direct")
