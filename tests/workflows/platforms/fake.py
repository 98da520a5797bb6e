"""A crowd platform in memory, with faults to order: for tests of what works with any provider.

    fake = FakeProvider(funds=10_000)
    fake.fail_next("publish", UnavailableError("no answer"), after=True)
    assignment = fake.work(publication_id, "A1")

What tests may order and look at stands in `fake_platform.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.workflows.platforms.fake_objects import Paid
from tests.workflows.platforms.fake_platform import FakePlatform
from workflows.platforms.mturk.domain.fees import changes_fee, mturk_bonus_fee, mturk_fee
from workflows.platforms.provider import (
    Bonus,
    Funds,
    Hint,
    Money,
    Order,
    Published,
    RefusedError,
    Stand,
    Submitted,
)


class FakeProvider(FakePlatform):
    """An implementation of `workflows.platforms.provider.Provider`."""

    def fee(self, reward: int, *, places: int, masters: bool) -> int:
        return mturk_fee(reward, places=places, masters=masters)

    def bonus_fee(self, amount: int) -> int:
        return mturk_bonus_fee(amount)

    def publish(self, order: Order) -> Published:
        with self._call("publish", order.token):
            return self._seen(self._of_token(order.token) or self.plant(order))

    def find(self, token: str) -> Published | None:
        with self._call("find", token):
            one = self._of_token(token)
            return self._seen(one) if one else None

    def extend(self, publication_id: str, *, more: int, token: str) -> None:
        with self._call("extend", publication_id):
            one = self._publication(publication_id)
            if token in one.extensions:
                return
            if changes_fee(one.places, more):
                raise RefusedError("The fee would change.", code="InvalidMaximumAssignmentsIncrease")
            self._afford(more * one.cost)
            one.extensions[token] = more

    def expire(self, publication_id: str) -> None:
        with self._call("expire", publication_id):
            one = self._publication(publication_id)
            one.expires_at = min(one.expires_at, self.now())

    def look(self, publication_id: str) -> Published | None:
        with self._call("look", publication_id):
            one = self.publications.get(publication_id)
            return self._seen(one) if one else None

    def published(self) -> Iterator[Published]:
        with self._call("published"):
            return iter([self._seen(one) for one in self.publications.values()])

    def submissions(self, publication_id: str) -> Iterator[Submitted]:
        with self._call("submissions", publication_id):
            one = self._publication(publication_id)
            told = {Stand.SUBMITTED, Stand.APPROVED, Stand.REJECTED}
            return iter(
                [
                    self._submitted(publication_id, each)
                    for each in one.assignments
                    if self.tells_all or each.stand in told
                ]
            )

    def approve(self, submission_id: str, *, feedback: str = "") -> None:
        with self._call("approve", submission_id):
            one = self._assignment(submission_id)
            if one.stand not in (Stand.SUBMITTED, Stand.APPROVED, Stand.REJECTED):
                raise RefusedError(f"It is {one.stand}.", code="InvalidAssignmentState")
            one.stand, one.feedback = Stand.APPROVED, feedback or one.feedback

    def check_reason(self, reason: str) -> None:
        if not self.can_reject or len(reason) < self.least_reason:
            raise RefusedError(f"A reason has {self.least_reason} characters at least.", code="reason")

    def reject(self, submission_id: str, *, reason: str) -> None:
        self.check_reason(reason)
        with self._call("reject", submission_id):
            one = self._assignment(submission_id)
            if not self.can_reject or one.stand not in (Stand.SUBMITTED, Stand.REJECTED):
                raise RefusedError(f"It is {one.stand}.", code="InvalidAssignmentState")
            one.stand, one.feedback = Stand.REJECTED, reason

    def ask_to_return(self, submission_id: str, *, reason: str) -> None:
        with self._call("ask_to_return", submission_id):
            raise RefusedError("There is no such thing on this platform.")

    def bonus(self, submission: Submitted, *, amount: Money, reason: str, token: str) -> None:
        with self._call("bonus", token):
            if any(each.bonus.token == token for each in self.paid):
                return
            one = self._assignment(submission.external_id)
            if one.worker != submission.worker:
                raise RefusedError("It is another worker's.")
            fee = self.bonus_fee(amount.amount)
            self._afford(amount.amount + fee)
            bonus = Bonus(submission.external_id, one.worker, amount, reason, token)
            self.paid.append(Paid(submission.publication_id, bonus, fee))

    def bonuses(self, publication_id: str) -> Iterator[Bonus]:
        with self._call("bonuses", publication_id):
            return iter([each.bonus for each in self.paid if each.publication_id == publication_id])

    def make_qualification(self, name: str, description: str) -> str:
        with self._call("make_qualification", name):
            for known, its_name in self.qualifications.items():
                if its_name == name:
                    return known
            made = self._id("Q")
            self.qualifications[made], self.held[made] = name, {}
            return made

    def grant(self, qualification_id: str, worker: str, *, value: int = 1) -> None:
        with self._call("grant", worker):
            self._holders(qualification_id)[worker] = value

    def revoke(self, qualification_id: str, worker: str, *, reason: str = "") -> None:
        with self._call("revoke", worker):
            self._holders(qualification_id).pop(worker, None)

    def holders(self, qualification_id: str) -> Iterator[str]:
        with self._call("holders", qualification_id):
            return iter(list(self._holders(qualification_id)))

    def message(self, workers: Sequence[str], *, subject: str, text: str) -> list[str]:
        with self._call("message", subject):
            self.messages.extend((each, subject, text) for each in workers if each not in self.unreachable)
            return [each for each in workers if each in self.unreachable]

    def block(self, worker: str, *, reason: str) -> None:
        with self._call("block", worker):
            self.blocked[worker] = reason

    def unblock(self, worker: str, *, reason: str) -> None:
        with self._call("unblock", worker):
            self.blocked.pop(worker, None)

    def balance(self) -> Funds | None:
        with self._call("balance"):
            return Funds(Money(self.funds - self.bound - self.spent, self.currency))

    def hints(self) -> Sequence[Hint]:
        with self._call("hints"):
            taken, self.waiting = self.waiting, []
            return taken
