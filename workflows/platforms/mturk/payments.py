"""Money on Mechanical Turk: fees, approvals and rejections, bonuses and the balance."""

from __future__ import annotations

from collections.abc import Iterator

from workflows.platforms.mturk.client import Requester
from workflows.platforms.mturk.domain.fees import mturk_bonus_fee, mturk_fee
from workflows.platforms.mturk.errors import INVALID_STATE
from workflows.platforms.mturk.replies import cents, dollars, read_bonus, refer
from workflows.platforms.provider import Bonus, Funds, Money, RefusedError, Submitted

MAX_FEEDBACK = 1024  # characters
BONUS = "SendBonus"


class Payments(Requester):
    """The part of MTurk that pays."""

    def fee(self, reward: int, *, places: int, masters: bool) -> int:
        return mturk_fee(reward, places=places, masters=masters)

    def bonus_fee(self, amount: int) -> int:
        return mturk_bonus_fee(amount)

    def approve(self, submission_id: str, *, feedback: str = "") -> None:
        """Approve an assignment, also over a rejection of the last 30 days; Amazon refuses older ones."""
        optional = {"RequesterFeedback": feedback[:MAX_FEEDBACK]} if feedback else {}
        self._settle(
            "ApproveAssignment",
            submission_id,
            "Approved",
            AssignmentId=submission_id,
            OverrideRejection=True,
            **optional,
        )

    def check_reason(self, reason: str) -> None:
        if not 1 <= len(reason) <= MAX_FEEDBACK:
            raise RefusedError(
                f"Mechanical Turk takes a reason of 1 to {MAX_FEEDBACK} characters;"
                f" this one has {len(reason)}.",
                code="reason",
            )

    def reject(self, submission_id: str, *, reason: str) -> None:
        self.check_reason(reason)
        self._settle(
            "RejectAssignment",
            submission_id,
            "Rejected",
            AssignmentId=submission_id,
            RequesterFeedback=reason,
        )

    def ask_to_return(self, submission_id: str, *, reason: str) -> None:
        raise RefusedError("On Mechanical Turk only the worker can return an assignment.")

    def bonus(self, submission: Submitted, *, amount: Money, reason: str, token: str) -> None:
        """Pay a bonus, unless one was paid under this token before.

        Amazon recognises the token for a day. After that, the reason of what was paid contains it.
        """
        if self._is_paid(submission.external_id, token):
            return
        try:
            self.ask(
                BONUS,
                token,
                WorkerId=submission.worker,
                AssignmentId=submission.external_id,
                BonusAmount=dollars(amount.amount),
                Reason=refer(reason, token),
                UniqueRequestToken=token,
            )
        except RefusedError:
            # An earlier call may have paid it, and its answer was lost.
            if not self._is_paid(submission.external_id, token):
                raise

    def bonuses(self, publication_id: str) -> Iterator[Bonus]:
        paid = self.pages("ListBonusPayments", "BonusPayments", publication_id, HITId=publication_id)
        return map(read_bonus, paid)

    def balance(self) -> Funds | None:
        reply = self.ask("GetAccountBalance", "")
        return Funds(Money(cents(reply["AvailableBalance"]), self.currency))

    def _settle(self, operation: str, submission_id: str, wanted: str, **params: object) -> None:
        """Approve or reject. Amazon refuses to repeat it; then the assignment's state says if it is done."""
        try:
            self.ask(operation, submission_id, **params)
        except RefusedError as error:
            if error.code != INVALID_STATE:
                raise
            reply = self.ask("GetAssignment", submission_id, AssignmentId=submission_id)
            if reply["Assignment"]["AssignmentStatus"] != wanted:
                raise

    def _is_paid(self, submission_id: str, token: str) -> bool:
        paid = self.pages("ListBonusPayments", "BonusPayments", submission_id, AssignmentId=submission_id)
        return any(read_bonus(one).token == token for one in paid)
