"""Bonuses on Prolific, which knows no tokens and pays again whenever it is asked.

A bonus is set up, which costs nothing, then paid "in the following minutes" (API reference, "Pay bonuses":
not idempotent). So the log of calls is the memory: every payment is a row that is written before it is asked
for, and a constraint lets no token have two that are under way or done. Where an answer was lost, the
submission's bonuses are looked at until it shows; only what has not shown for an hour is asked for again.

A backup that was restored may lack the latest calls. So before the first payment under a token the
submission is looked at, too: a bonus of the same amount that no call of ours accounts for is this one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils import timezone

from annotation.transactions import write_transaction
from workflows.crowd.models import ProviderCall
from workflows.crowd.prolific.client import Asking
from workflows.crowd.prolific.http import NOT_DONE, Reply
from workflows.crowd.prolific.payloads import bonus_line
from workflows.crowd.prolific.replies import bonuses_of, word
from workflows.crowd.provider import Bonus, Money, RefusedError, Stand, Submitted, UnavailableError

PAY = "pay-bonus-payments"
FOUND = "found"  # code of a row that stands for a call which we do not remember
SETTLING = timedelta(hours=1)
MOST_SUBJECT = 128
Outcome = ProviderCall.Outcome


@dataclass(slots=True)
class Bonuses:
    asking: Asking
    currency: str

    def pay(self, submission: Submitted, *, amount: int, token: str) -> None:
        subject = subject_of(submission.publication_id, submission.external_id, amount, token)
        if len(subject) > MOST_SUBJECT:
            raise RefusedError("The bonus's token is too long.")
        if self._is_paid(submission, amount, subject):
            return
        body = {
            "study_id": submission.publication_id,
            "csv_bonuses": bonus_line(submission.external_id, amount),
        }
        path = "/submissions/bonus-payments/"
        bulk = self.asking.ask("create-bonus-payments", subject, "POST", path, body=body)
        try:
            self.asking.once(PAY, subject, "POST", f"/bulk-bonus-payments/{word(bulk, 'id')}/pay/")
        except IntegrityError as error:
            raise UnavailableError("The bonus is being paid already.", code="under-way") from error

    def of_study(self, submissions: Iterable[Submitted]) -> Iterator[Bonus]:
        """Tokens are those of our calls: the platform keeps none."""
        for one in submissions:
            if one.stand == Stand.WORKING:
                continue
            paid = bonuses_of(self._submission(one.external_id))
            if not paid:
                continue
            tokens = self._tokens(one)
            for amount in paid:
                token = tokens[amount].pop(0) if tokens[amount] else ""
                money = Money(amount, self.currency)
                yield Bonus(one.external_id, one.worker, money, reason="", token=token)

    def _is_paid(self, submission: Submitted, amount: int, subject: str) -> bool:
        """Raises UnavailableError where it cannot be known yet."""
        mine = self._calls().filter(subject=subject)
        if mine.filter(outcome=Outcome.OK).exists():
            return True
        unclear = _told(mine)
        last = unclear.order_by("-id").values_list("created_at", flat=True).first()
        shown = bonuses_of(self._submission(submission.external_id)).count(amount)
        alike = self._calls().filter(
            subject__startswith=subject_of(submission.publication_id, submission.external_id, amount)
        )
        if last is None:
            told = _told(alike).values("subject").distinct()
            return shown > told.count() and self._note_found(subject)
        if shown > alike.filter(outcome=Outcome.OK).count():
            self._settle(unclear, Outcome.OK)
            return True
        self._check_settled(last)
        self._settle(unclear, Outcome.REFUSED)
        return False

    def _note_found(self, subject: str) -> bool:
        """So that it stands for no other token; True."""
        caller = self.asking.caller
        try:
            with write_transaction():
                ProviderCall.objects.create(
                    provider=caller.name,
                    environment=caller.environment,
                    operation=PAY,
                    subject=subject,
                    outcome=Outcome.OK,
                    code=FOUND,
                    message="Not asked for: the platform shows it, and no call of ours accounts for it.",
                    created_at=timezone.now(),
                )
        except IntegrityError as error:
            raise UnavailableError("The bonus is being paid already.", code="under-way") from error
        return True

    @staticmethod
    def _check_settled(asked_at: datetime) -> None:
        if timezone.now() - asked_at < SETTLING:
            raise UnavailableError(
                "It is not known yet whether the bonus was paid; it shows within the hour if it was.",
                code="settling",
            )

    @staticmethod
    def _settle(calls: QuerySet[ProviderCall], outcome: str) -> None:
        """Of several calls without an answer one at most is said to be done: the constraint holds one."""
        with write_transaction():
            ids = list(calls.order_by("id").values_list("id", flat=True))
            ProviderCall.objects.filter(id__in=ids[1:]).update(outcome=Outcome.REFUSED, code="not-done")
            code = "" if outcome == Outcome.OK else "not-done"
            ProviderCall.objects.filter(id=ids[0]).update(outcome=outcome, code=code)

    def _tokens(self, one: Submitted) -> dict[int, list[str]]:
        """Of payments that were made or may have been, by amount: those that are known to be done first."""
        calls = self._calls().filter(subject__startswith=f"{one.publication_id}:{one.external_id}:")
        rows = sorted(
            _told(calls).values_list("outcome", "id", "subject"),
            key=lambda row: (row[0] != Outcome.OK, row[1]),
        )
        found: dict[int, list[str]] = defaultdict(list)
        for _, _, subject in rows:
            _, _, amount, token = subject.split(":", 3)
            if token not in found[int(amount)]:
                found[int(amount)].append(token)
        return found

    def _calls(self) -> QuerySet[ProviderCall]:
        caller = self.asking.caller
        return ProviderCall.objects.filter(
            operation=PAY, provider=caller.name, environment=caller.environment
        )

    def _submission(self, submission_id: str) -> Reply:
        return self.asking.ask("get-submission", submission_id, "GET", f"/submissions/{submission_id}/")


def subject_of(publication_id: str, submission_id: str, amount: int, token: str = "") -> str:
    """Of the calls for a bonus, or how those of equal ones begin: only a token may have colons."""
    return f"{publication_id}:{submission_id}:{amount}:{token}"


def _told(calls: QuerySet[ProviderCall]) -> QuerySet[ProviderCall]:
    """Those after which something was paid, or may have been."""
    return calls.exclude(outcome=Outcome.REFUSED).exclude(code__in=NOT_DONE)
