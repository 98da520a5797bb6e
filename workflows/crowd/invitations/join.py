"""Joining by an invitation. Nothing slow happens in a transaction: a passcode is checked between two.

Locks: the invitation, then the worker who is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.hashers import check_password

from annotation.models import Worker
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.crowd.invitations.domain import Over, check_name, digest, over
from workflows.crowd.invitations.models import Invitation, JoinAttempt, Joining
from workflows.crowd.invitations.rate_limits import begin_attempt, check_joins
from workflows.workers.enrolment import WorkerBlockedError


class NoInvitationError(Exception):
    """No invitation has this code."""


class InvitationOverError(Exception):
    """Nobody can join by it any more; `why` says why."""

    def __init__(self, why: Over) -> None:
        super().__init__(why)
        self.why = why


class PasscodeError(Exception):
    """The passcode is not the invitation's."""


class NameTakenError(Exception):
    """Somebody else in the project has this name."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What an invitation asks for."""

    project: str
    passcode: bool  # has to be given
    name: bool  # has to be given: False where this device comes back as the one worker it is


@dataclass(frozen=True, slots=True)
class Joined:
    worker: Worker
    new: bool


def look(*, code: str, device: str, address: str | None, now: datetime) -> Seen:
    """What is needed to join. Raises NoInvitationError, InvitationOverError, LimitedError.

    Only a code that is none is counted as a try.
    """
    invitation = Invitation.objects.select_related("project").filter(digest=digest(code)).first()
    if invitation is None:
        with write_transaction():
            begin_attempt(invitation=None, address=address, now=now)
        raise NoInvitationError
    back = Joining.objects.filter(invitation=invitation, device=_device(invitation, device)).exists()
    _check_open(invitation, back=back, now=now)
    return Seen(
        project=invitation.project.name,
        passcode=bool(invitation.passcode),
        name=not (back and invitation.uses == 1),
    )


def join(*, code: str, passcode: str, name: str, device: str, address: str | None, now: datetime) -> Joined:
    """The worker who joins under `name`, or who comes back: the same name from the same device.

    `device` is what the browser made up and keeps: a request that is repeated, as after a lost reply, makes
    nobody twice. By an invitation for one worker the device alone says who comes back. Raises
    WorkerNameError, NoInvitationError, InvitationOverError, PasscodeError, NameTakenError, LimitedError,
    WorkerBlockedError.
    """
    with write_transaction():
        invitation = _locked(code)
        attempt = begin_attempt(invitation=invitation, address=address, now=now)
    if invitation is None:
        raise NoInvitationError
    if invitation.passcode and not check_password(passcode, invitation.passcode):
        raise PasscodeError
    try:
        with write_transaction():
            joined = _join(invitation.digest, name=name, device=device, address=address, now=now)
            if joined.new:
                JoinAttempt.objects.filter(pk=attempt.pk).update(joined=True)
    except NameTakenError:
        raise  # it is counted: names are not to be tried out
    except Exception:
        JoinAttempt.objects.filter(pk=attempt.pk).delete()
        raise
    if not joined.new:
        JoinAttempt.objects.filter(pk=attempt.pk).delete()
    return joined


def _join(code_digest: str, *, name: str, device: str, address: str | None, now: datetime) -> Joined:
    invitation = Invitation.objects.select_for_update(no_key=True).get(digest=code_digest)
    mine = Joining.objects.select_related("worker")
    mine = mine.filter(invitation=invitation, device=_device(invitation, device))
    if invitation.uses != 1:
        name = check_name(name)
        mine = mine.filter(worker__external_id=name)
    if before := mine.first():
        _check_open(invitation, back=True, now=now)
        if before.worker.blocked:
            raise WorkerBlockedError
        return Joined(before.worker, new=False)
    _check_open(invitation, back=False, now=now)
    check_joins(address=address, now=now)
    worker, new = Worker.objects.get_or_create(
        project_id=invitation.project_id, provider=DIRECT, external_id=check_name(name)
    )
    if not new:
        raise NameTakenError
    invitation.used += 1
    invitation.save(update_fields=["used"])
    Joining.objects.create(
        invitation=invitation,
        worker=worker,
        number=invitation.used,
        device=_device(invitation, device),
        created_at=now,
    )
    return Joined(worker, new=True)


def _locked(code: str) -> Invitation | None:
    return Invitation.objects.select_for_update(no_key=True).filter(digest=digest(code)).first()


def _check_open(invitation: Invitation, *, back: bool, now: datetime) -> None:
    """Raises InvitationOverError. Who comes back may until it is revoked."""
    why = over(
        uses=invitation.uses,
        used=invitation.used,
        expires_at=invitation.expires_at,
        revoked_at=invitation.revoked_at,
        now=now,
    )
    if why is not None and not (back and why != Over.REVOKED):
        raise InvitationOverError(why)


def _device(invitation: Invitation, device: str) -> str:
    """Different for each invitation, so that rows of a device cannot be told to belong together."""
    return digest(f"{invitation.pk}:{device}")
