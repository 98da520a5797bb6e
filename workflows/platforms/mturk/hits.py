"""Publications on Mechanical Turk are HITs: make, find, extend and end them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from workflows.platforms.calls import first_tried
from workflows.platforms.mturk.client import Reply, Requester
from workflows.platforms.mturk.domain.fees import changes_fee
from workflows.platforms.mturk.errors import ALREADY_THERE, FEE_WOULD_CHANGE, SAME_REQUEST
from workflows.platforms.mturk.payloads import external_question, hit_type
from workflows.platforms.mturk.replies import annotate, read_hit
from workflows.platforms.provider import Order, ProviderError, Published, RefusedError, UnknownObjectError

CREATE, EXTEND = "CreateHITWithHITType", "CreateAdditionalAssignmentsForHIT"
TOKENS_KEPT = timedelta(hours=20)
"""Amazon recognises a token for 24 hours. The rest is a margin for clocks that differ."""

LONG_AGO = datetime(2015, 1, 1, tzinfo=UTC)
"""The time that expires a HIT at once, whatever this machine's clock says."""

EVENTS = (
    "AssignmentAccepted",
    "AssignmentAbandoned",
    "AssignmentReturned",
    "AssignmentSubmitted",
    "AssignmentApproved",
    "AssignmentRejected",
    "HITExpired",
    "HITReviewable",
)
NOTIFICATION_VERSION = "2014-08-15"
_ID = re.compile(r"\b[A-Z0-9]{20,64}\b")


class Hits(Requester):
    """The part of MTurk that publishes."""

    def publish(self, order: Order) -> Published:
        """Publish an order as a HIT.

        Amazon recognises the token for a day. After that, we first look for a HIT with our annotation.
        """
        tried_at = first_tried(self, CREATE, order.token)
        if tried_at is not None and self.now() - tried_at > TOKENS_KEPT:
            found = self.find(order.token)
            if found is not None:
                return found
        try:
            reply = self._create(order)
        except RefusedError as error:
            found = self._made_before(order.token, error)
            if found is None:
                raise
            return found
        return read_hit(reply["HIT"], self.now())

    def find(self, token: str) -> Published | None:
        return next((one for one in self._listed(token) if one.token == token), None)

    def published(self) -> Iterator[Published]:
        return self._listed("")

    def look(self, publication_id: str) -> Published | None:
        try:
            reply = self.ask("GetHIT", publication_id, HITId=publication_id)
        except UnknownObjectError:
            return None
        return read_hit(reply["HIT"], self.now())

    def expire(self, publication_id: str) -> None:
        self.ask("UpdateExpirationForHIT", publication_id, HITId=publication_id, ExpireAt=LONG_AGO)

    def extend(self, publication_id: str, *, more: int, token: str) -> None:
        # If this token was tried before, the HIT may have its places already.
        if first_tried(self, EXTEND, token) is None:
            one = self.look(publication_id)
            if one is not None and changes_fee(one.places, more):
                raise RefusedError("From ten assignments on, Amazon's fee is higher.", code=FEE_WOULD_CHANGE)
        try:
            self.ask(
                EXTEND,
                token,
                HITId=publication_id,
                NumberOfAdditionalAssignments=more,
                UniqueRequestToken=token,
            )
        except RefusedError as error:
            if error.code != SAME_REQUEST:
                raise

    def _create(self, order: Order) -> Reply:
        """Create a HIT, of a type that this process has registered before if Amazon still has it."""
        values = hit_type(order, self.environment)
        content = json.dumps(values, sort_keys=True)
        if known := self._types.get(content):
            try:
                return self._create_of(known, order)
            except UnknownObjectError:
                self._types.pop(content, None)
        self._types[content] = self._type(order, values)
        return self._create_of(self._types[content], order)

    def _create_of(self, hit_type_id: str, order: Order) -> Reply:
        return self.ask(
            CREATE,
            order.token,
            HITTypeId=hit_type_id,
            MaxAssignments=order.places,
            LifetimeInSeconds=order.lifetime_seconds,
            Question=external_question(order.url),
            RequesterAnnotation=annotate(order.token, order.annotation),
            UniqueRequestToken=order.token,
        )

    def _type(self, order: Order, values: dict[str, Any]) -> str:
        """Register the HIT type and return its id. Amazon gives the same content the same type."""
        made: str = self.ask("CreateHITType", order.token, **values)["HITTypeId"]
        if self.account.queue_url and made not in self._notifying:
            with suppress(ProviderError):  # we can do without hints, and the log has the failure
                self._notify_of(made)
            self._notifying.add(made)
        return made

    def _notify_of(self, hit_type_id: str) -> None:
        self.ask(
            "UpdateNotificationSettings",
            hit_type_id,
            HITTypeId=hit_type_id,
            Active=True,
            Notification={
                "Destination": self.account.queue_url,
                "Transport": "SQS",
                "Version": NOTIFICATION_VERSION,
                "EventTypes": list(EVENTS),
            },
        )

    def _made_before(self, token: str, error: RefusedError) -> Published | None:
        """Return the HIT that an earlier call made if its answer was lost. Amazon's refusal names it."""
        if error.code == ALREADY_THERE:
            for named in _ID.findall(str(error)):
                one = self.look(named)
                if one is not None and one.token == token:
                    return one
        elif first_tried(self, CREATE, token) is None:
            return None
        return self.find(token)

    def _listed(self, subject: str) -> Iterator[Published]:
        return (read_hit(hit, self.now()) for hit in self.pages("ListHITs", "HITs", subject))
