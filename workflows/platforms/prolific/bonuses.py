"""Bonuses on Prolific, which knows no tokens and pays again whenever it is asked.

A bonus is first set up, which costs nothing, and then paid "in the following minutes" (API reference, "Pay
bonuses": not idempotent). So the log of calls has to remember: each payment is a row that is written before
the call, and a constraint allows one such row a token that is under way or done. If an answer was lost, we
look at the submission's bonuses until the payment shows. If it has not shown for an hour, we ask again.

A restored backup may lack the latest calls. So before the first payment under a token we look at the
submission, too: if it has a bonus of the same amount that none of our calls explains, this is the one.
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
from workflows.platforms.models import ProviderCall
from workflows.platforms.prolific.client import Client
from workflows.platforms.prolific.http import NOT_DONE, Reply
from workflows.platforms.prolific.payloads import bonus_line
from workflows.platforms.prolific.replies import bonuses_of, word
from workflows.platforms.provider import Bonus, Money, RefusedError, Stand, Submitted, UnavailableError

PAY = "pay-bonus-payments"
FOUND = "found"  # the code of a row that stands for a call of which we have no record
SETTLING = timedelta(hours=1)
"""A bonus shows at its submission within this time [ours]."""
MAX_SUBJECT = 128  # characters
Outcome = ProviderCall.Outcome


@dataclass(slots=True)
class Bonuses:
    """The bonuses of one account, whose money is in `currency`."""

    client: Client
    currency: str

    def pay(self, submission: Submitted, *, amount: int, token: str) -> None:
        """Pay a bonus of `amount` smallest units, unless it was paid under this token before.

        Raises UnavailableError if nobody knows yet whether it was.
        """
        subject = subject_of(submission.publication_id, submission.external_id, amount, token)
        if len(subject) > MAX_SUBJECT:
            raise RefusedError("The bonus's token is too long.")
        if self._is_paid(submission, amount, subject):
            return
        body = {
            "study_id": submission.publication_id,
            "csv_bonuses": bonus_line(submission.external_id, amount),
        }
        path = "/submissions/bonus-payments/"
        bulk = self.client.ask("create-bonus-payments", subject, "POST", path, body=body)
        try:
            self.client.once(PAY, subject, "POST", f"/bulk-bonus-payments/{word(bulk, 'id')}/pay/")
        except IntegrityError as error:
            raise UnavailableError("The bonus is being paid already.", code="under-way") from error

    def of_study(self, submissions: Iterable[Submitted]) -> Iterator[Bonus]:
        """Yield the bonuses of a study's submissions. Our calls tell their tokens: Prolific keeps none."""
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
        """Return whether the bonus was paid. Raises UnavailableError if nobody can know that yet."""
        mine = self._calls().filter(subject=subject)
        if mine.filter(outcome=Outcome.OK).exists():
            return True
        unclear = _may_have_paid(mine)
        last = unclear.order_by("-id").values_list("created_at", flat=True).first()
        shown = bonuses_of(self._submission(submission.external_id)).count(amount)
        alike = self._calls().filter(
            subject__startswith=subject_of(submission.publication_id, submission.external_id, amount)
        )
        if last is None:
            logged = _may_have_paid(alike).values("subject").distinct()
            return shown > logged.count() and self._note_found(subject)
        if shown > alike.filter(outcome=Outcome.OK).count():
            self._settle(unclear, Outcome.OK)
            return True
        self._check_settled(last)
        self._settle(unclear, Outcome.REFUSED)
        return False

    def _note_found(self, subject: str) -> bool:
        """Record that a bonus we have no record of is this one, so that no other token claims it. True."""
        caller = self.client.caller
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
        """Store an outcome for calls without an answer: for the first one; the others count as refused.

        The constraint allows no more than one that is done.
        """
        with write_transaction():
            ids = list(calls.order_by("id").values_list("id", flat=True))
            ProviderCall.objects.filter(id__in=ids[1:]).update(outcome=Outcome.REFUSED, code="not-done")
            code = "" if outcome == Outcome.OK else "not-done"
            ProviderCall.objects.filter(id=ids[0]).update(outcome=outcome, code=code)

    def _tokens(self, one: Submitted) -> dict[int, list[str]]:
        """Return, by amount, the tokens of payments that were or may have been made; certain ones first."""
        calls = self._calls().filter(subject__startswith=f"{one.publication_id}:{one.external_id}:")
        rows = sorted(
            _may_have_paid(calls).values_list("outcome", "id", "subject"),
            key=lambda row: (row[0] != Outcome.OK, row[1]),
        )
        found: dict[int, list[str]] = defaultdict(list)
        for _, _, subject in rows:
            _, _, amount, token = subject.split(":", 3)
            if token not in found[int(amount)]:
                found[int(amount)].append(token)
        return found

    def _calls(self) -> QuerySet[ProviderCall]:
        caller = self.client.caller
        return ProviderCall.objects.filter(
            operation=PAY, provider=caller.name, environment=caller.environment
        )

    def _submission(self, submission_id: str) -> Reply:
        return self.client.ask("get-submission", submission_id, "GET", f"/submissions/{submission_id}/")


def subject_of(publication_id: str, submission_id: str, amount: int, token: str = "") -> str:
    """Return the subject under which calls for a bonus are logged; only the token may contain colons.

    Without a token, this is how the subjects of all bonuses of this amount for this submission begin.
    """
    return f"{publication_id}:{submission_id}:{amount}:{token}"


def _may_have_paid(calls: QuerySet[ProviderCall]) -> QuerySet[ProviderCall]:
    """Return the calls after which something was paid, or may have been."""
    return calls.exclude(outcome=Outcome.REFUSED).exclude(code__in=NOT_DONE)
