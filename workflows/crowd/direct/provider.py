"""Direct workers as a crowd provider: what the protocol means without a platform.

Direct workers come straight to the list of tasks, by links and invitations (`workflows.crowd.invitations`).
So these parts of the protocol do not apply:

- publishing, finding, extending and expiring: a running batch is all that there is to publish;
- submissions, and approving, rejecting or returning them: an Assignment stands for a page, its answers count
  when they come, and its reward is earned then (`workflows.crowd.direct.page_earnings`);
- bonuses and the balance: payroll pays, outside this server (`workflows.money.payroll`);
- qualifications: standings say who is trusted, and no platform has to be told;
- messages: we only know the worker's name, which need not be an address;
- hints: nothing happens elsewhere.

Methods that would change something are refused, and methods that read find nothing. Blocking changes nothing
here: `workflows.workers.enrolment` does it, and nobody else has to be told. `registry` has no account for
`direct`, so that nothing publishes or pays by mistake. This class is for code that is given a provider
whatever the batch's provider is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NoReturn

from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.platforms.provider import (
    Bonus,
    Environment,
    Funds,
    Hint,
    Money,
    Order,
    Published,
    RefusedError,
    Submitted,
    UnknownObjectError,
)


class Direct:
    """The provider of workers who come by themselves. It makes no calls and takes no fee."""

    name = DIRECT
    environment = Environment.LIVE  # real people work here; nothing is paid through this class
    can_reject = False
    reason_rules = ""
    unsigned = False  # workers bear tokens that we signed
    grows = False
    by_list = False
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
        """Do nothing: no platform has to be told."""

    def unblock(self, worker: str, *, reason: str) -> None:
        """Do nothing: no platform has to be told."""

    def balance(self) -> Funds | None:
        return None

    def hints(self) -> Iterable[Hint]:
        return ()


def _refuse(why: str) -> NoReturn:
    raise RefusedError(f"Direct workers have no platform: {why}.", code="direct")


def _unknown(what: str) -> NoReturn:
    raise UnknownObjectError(f"Direct workers have no platform that knows {what!r}.", code="direct")
