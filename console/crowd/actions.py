"""What researchers do about work on a platform. It is stored here, and the next step does it there."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from workflows.batch_settings.domain.crowd_settings import PROLIFIC
from workflows.crowd import actions
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Payment
from workflows.platforms.provider import Provider
from workflows.platforms.registry import LiveMoneyError, NoAccountError, provider
from workflows.tasks import hint_crowd, hint_write
from workflows.workers.models import Participation

State = Participation.State


class DoingError(Exception):
    """The action is not possible; the message says why."""


class EqualError(DoingError):
    """The same payment was asked for a moment ago, perhaps in another tab, so it must be confirmed."""


class UnsentError(DoingError):
    """The task queue did not accept a message. Nothing else stores its text, so it must be sent again."""


def why_not(verb: str, found: Participation) -> str:
    """Return why the action is not possible now, or '' if it is."""
    state = found.state
    if verb == "approve" and state not in (State.SUBMITTED, State.REJECTED):
        done = state == State.APPROVED
        return "it is approved already." if done else "the platform has not said that it was submitted."
    if verb == "reject" and state != State.SUBMITTED:
        return "only what is submitted, and neither approved nor rejected, can be rejected."
    # Prolific pays a bonus to who gave a place back, too; Mechanical Turk only for what was submitted.
    for_returned = verb == "part" and found.publication.provider == PROLIFIC
    unpaid = (State.OPENED,) if for_returned else (State.OPENED, State.RETURNED)
    if verb in ("bonus", "part") and state in unpaid:
        return "the platform pays more only for what was submitted."
    if verb == "message" and found.publication.by_list:
        return "no message can be sent from here: write to the worker on the platform."
    if verb == "message" and not found.confirmed:
        return "the platform has not confirmed that this worker has the place."
    return ""


def do(verb: str, found: Participation, data: dict[str, Any], *, by: str, now: datetime) -> None:
    """Store the action in the caller's transaction, without calling a platform. Raises DoingError.

    A message is not sent here: `after` sends it once the request for it is committed.
    """
    try:
        match verb:
            case "approve":
                actions.approve(participation_id=found.pk, by=by, now=now)
            case "reject":
                actions.reject(
                    provider=_provider(found),
                    participation_id=found.pk,
                    reason=data["reason"],
                    by=by,
                    now=now,
                )
            case "bonus" | "part":
                actions.pay_more(
                    provider=_provider(found),
                    participation_id=found.pk,
                    kind=Payment.Kind.BONUS if verb == "bonus" else Payment.Kind.PART,
                    amount=data["amount"],
                    reason=data["reason"],
                    token=str(data["token"]),
                    again=data["again"],
                    by=by,
                    now=now,
                )
    except actions.EqualError as error:
        raise EqualError(f"{error} Tick the box to pay it once more.") from error
    except VerbError as error:
        raise DoingError(str(error)) from error


def after(verb: str, found: Participation, data: dict[str, Any]) -> None:
    """Wake the task that acts on the platform, or hand a message over. Call it after the commit.

    Within the transaction, a rollback could forget a message that was sent. Raises UnsentError.
    """
    name = found.publication.provider
    if verb != "message":
        hint_crowd(name)
    elif not hint_write(name, found.worker.external_id, data["subject"], data["text"]):
        raise UnsentError(
            "The message was not sent, because the task queue did not accept it. Send it again in a moment."
        )


def account_of(found: Participation) -> Provider | None:
    """Return the participation's account, or None if it cannot be used; `do` then raises the reason."""
    try:
        return _provider(found)
    except DoingError:
        return None


def _provider(found: Participation) -> Provider:
    """Return the account that the participation is on. Raises DoingError."""
    publication = found.publication
    try:
        account = provider(publication.provider)
    except (NoAccountError, LiveMoneyError) as error:
        raise DoingError(str(error)) from error
    if account.environment != publication.environment:
        raise DoingError(
            f"It was published in the {publication.environment}, but this server's account is now in the "
            f"{account.environment}."
        )
    return account
