"""The provider for Prolific, through its REST API (docs.prolific.com/api-reference, as of 2026).

It was never tried against the live service. A publication is a study, a worker is a participant, and a
qualification is a participant group of the workspace. The modules beside this file and docs/prolific.md say
how Prolific's rules shape what we do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workflows.platforms.accounts import ProlificAccount
from workflows.platforms.call_rate import Pace
from workflows.platforms.prolific.bonuses import Bonuses
from workflows.platforms.prolific.client import Client
from workflows.platforms.prolific.domain.fees import service_fee
from workflows.platforms.prolific.domain.rejections import RULES, ReasonError, Rejection, read_reason
from workflows.platforms.prolific.groups import Groups
from workflows.platforms.prolific.http import Api, Reply
from workflows.platforms.prolific.replies import parts_of, stand_of, submitted, whole, word
from workflows.platforms.prolific.studies import Studies
from workflows.platforms.prolific.webhooks import Webhooks
from workflows.platforms.provider import (
    Bonus,
    Funds,
    Hint,
    Money,
    Order,
    ProviderError,
    Published,
    RefusedError,
    Stand,
    Submitted,
    UnreadError,
)

MAX_STUDIES = 200  # how many of the latest studies are searched for a participant


@dataclass(slots=True)
class Messages:
    """The messages of one account."""

    client: Client

    def send(self, workers: Sequence[str], text: str, studies: Iterator[Published]) -> list[str]:
        """Write to each of `workers` once; return those who were not reached or took part in no study.

        `studies` come newest first. A request is not repeated: the participant would get the message twice.
        """
        about = self._about(set(workers), studies)
        missed: list[str] = []
        for worker in dict.fromkeys(workers):
            body = {"recipient_id": worker, "body": text, "study_id": about.get(worker, "")}
            try:
                if worker in about:
                    self.client.once("send-message", worker, "POST", "/messages/", body=body)
                else:
                    missed.append(worker)
            except ProviderError:
                missed.append(worker)
        return missed

    def _about(self, workers: set[str], studies: Iterator[Published]) -> dict[str, str]:
        found: dict[str, str] = {}
        with suppress(UnreadError):  # participants of the other studies can be written to
            for _, study in zip(range(MAX_STUDIES), studies, strict=False):
                if workers <= found.keys():
                    break
                params = {"study": study.external_id}
                for one in self.client.every("get-submissions", study.external_id, "/submissions/", params):
                    worker = word(one, "participant_id")
                    if worker in workers:
                        found.setdefault(worker, study.external_id)
        return found


if TYPE_CHECKING:
    import httpx


class Prolific:
    """A researcher's account; implements `workflows.platforms.provider.Provider`."""

    name = "prolific"
    can_reject = True
    reason_rules = RULES
    unsigned = True  # until `confirm` has looked up the submission
    grows = True  # Prolific limits how many studies are published
    by_list = False
    lists_at_once = 0  # only a study's submissions tell who works and who gave a place back

    def __init__(
        self,
        account: ProlificAccount,
        *,
        pace: Pace | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.environment = account.environment
        self.currency = account.currency
        self._fee_per_mille = account.fee_per_mille
        self._api = Api(account.endpoint, account.token, transport)
        self._client = Client(self, self._api, account.project, pace)
        self._groups = Groups(self._client)
        self._studies = Studies(self._client, self._groups, account.currency)
        self._bonuses = Bonuses(self._client, account.currency)
        self._messages = Messages(self._client)
        self.webhooks = Webhooks(self._client)

    def close(self) -> None:
        """Close its connections."""
        self._api.close()

    def fee(self, reward: int, *, places: int, masters: bool) -> int:
        """Return the fee, which is the same share for any number of places; there are no Masters."""
        return service_fee(reward, per_mille=self._fee_per_mille)

    def bonus_fee(self, amount: int) -> int:
        return service_fee(amount, per_mille=self._fee_per_mille)

    def publish(self, order: Order) -> Published:
        return self._studies.publish(order)

    def find(self, token: str) -> Published | None:
        return self._studies.find(token)

    def extend(self, publication_id: str, *, more: int, token: str) -> None:
        self._studies.extend(publication_id, more=more, token=token)

    def expire(self, publication_id: str) -> None:
        self._studies.expire(publication_id)

    def look(self, publication_id: str) -> Published | None:
        return self._studies.look(publication_id)

    def published(self) -> Iterator[Published]:
        return self._studies.every()

    def submissions(self, publication_id: str) -> Iterator[Submitted]:
        """Yield a study's submissions as they were started, so that none is missed while more come."""
        params = {"study": publication_id, "ordering": "started_at"}
        for one in self._client.every("get-submissions", publication_id, "/submissions/", params):
            yield submitted(one, publication_id)

    def confirm(self, submission_id: str) -> Submitted:
        """Look up one submission, which tells its worker and its study. Raises UnknownObjectError."""
        found = self._submission(submission_id)
        return submitted({**found, "participant_id": word(found, "participant")}, word(found, "study_id"))

    def approve(self, submission_id: str, *, feedback: str = "") -> None:
        """Approve a submission; take back a rejection first, if Prolific allows it. It keeps no feedback."""
        try:
            self._transition(submission_id, {"action": "APPROVE"})
        except RefusedError:
            stand = stand_of(self._submission(submission_id))
            if stand == Stand.REJECTED:
                self._transition(submission_id, {"action": "UNREJECT"})
                self._transition(submission_id, {"action": "APPROVE"})
            elif stand != Stand.APPROVED:
                raise

    def check_reason(self, reason: str) -> None:
        _read(reason)

    def reject(self, submission_id: str, *, reason: str) -> None:
        rejection = _read(reason)
        body = {
            "action": "REJECT",
            "message": rejection.message,
            "rejection_category": rejection.category,
        }
        try:
            self._transition(submission_id, body)
        except RefusedError:
            if stand_of(self._submission(submission_id)) != Stand.REJECTED:
                raise

    def ask_to_return(self, submission_id: str, *, reason: str) -> None:
        path, body = f"/submissions/{submission_id}/request-return/", {"request_return_reasons": [reason]}
        self._client.once("request-submission-return", submission_id, "POST", path, body=body)

    def bonus(self, submission: Submitted, *, amount: Money, reason: str, token: str) -> None:
        """Pay a bonus. Prolific tells the participant the amount, and takes no reason."""
        if amount.currency != self.currency:
            raise RefusedError(f"The Prolific account pays in {self.currency}, not in {amount.currency}.")
        self._bonuses.pay(submission, amount=amount.amount, token=token)

    def bonuses(self, publication_id: str) -> Iterator[Bonus]:
        return self._bonuses.of_study(self.submissions(publication_id))

    def make_qualification(self, name: str, description: str) -> str:
        return self._groups.make(name, description)

    def grant(self, qualification_id: str, worker: str, *, value: int = 1) -> None:
        """Add a worker to the qualification's group. Groups have no values."""
        self._groups.add(qualification_id, worker)

    def revoke(self, qualification_id: str, worker: str, *, reason: str = "") -> None:
        self._groups.remove(qualification_id, worker)

    def holders(self, qualification_id: str) -> Iterator[str]:
        return self._groups.members(qualification_id)

    def message(self, workers: Sequence[str], *, subject: str, text: str) -> list[str]:
        return self._messages.send(workers, f"{subject}\n\n{text}", self.published())

    def block(self, worker: str, *, reason: str) -> None:
        self._groups.block(worker)

    def unblock(self, worker: str, *, reason: str) -> None:
        self._groups.unblock(worker)

    def balance(self) -> Funds | None:
        """Return what the workspace has left beside what is set aside for open studies, with its parts."""
        workspace = self._client.workspace()
        path = f"/workspaces/{workspace}/balance/"
        found = self._client.ask("get-workspace-balance", workspace, "GET", path)
        money = Money(whole(found, "available_balance"), word(found, "currency_code"))
        return Funds(money, parts_of(found.get("available_balance_breakdown")))

    def hints(self) -> Iterable[Hint]:
        """Return nothing: Prolific sends its events to `workflows.api.webhook_views`."""
        return ()

    def _transition(self, submission_id: str, body: Mapping[str, object]) -> None:
        path = f"/submissions/{submission_id}/transition/"
        self._client.ask("transition-submission", submission_id, "POST", path, body=body)

    def _submission(self, submission_id: str) -> Reply:
        return self._client.ask("get-submission", submission_id, "GET", f"/submissions/{submission_id}/")


def _read(reason: str) -> Rejection:
    """Read a reason, which may begin with one of Prolific's categories. Raises RefusedError."""
    try:
        return read_reason(reason)
    except ReasonError as error:
        raise RefusedError(str(error), code="reason") from error
