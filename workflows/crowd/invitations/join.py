"""Join a project by an invitation.

Nothing slow happens in a transaction, so the passcode is checked between two. The order of locks is the
invitation, then the worker who is made.
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
    """Nobody can join by the invitation any more; `why` says why."""

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

    project: str  # its name
    passcode: bool  # whether a passcode has to be given
    name: bool  # whether a name has to be given; False if this device comes back as its only worker


@dataclass(frozen=True, slots=True)
class Joined:
    """The worker who joined; `new` is False if they had joined before."""

    worker: Worker
    new: bool


def look_at_invitation(*, code: str, device: str, address: str | None, now: datetime) -> Seen:
    """Return the requirements of joining.

    Only a wrong code counts as a try. Raises NoInvitationError, InvitationOverError and LimitedError.
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
    """Return the worker who joins under `name`, or who comes back with the same name and device.

    `device` is a text that the browser made up and keeps, so that a repeated request, as after a lost reply,
    makes nobody twice. If the invitation is for one worker, the device alone says who comes back. Raises
    WorkerNameError, NoInvitationError, InvitationOverError, PasscodeError, NameTakenError, LimitedError and
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
        raise  # this try counts, so that nobody tries out names
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
    """Raise InvitationOverError if the invitation is over; for workers who come `back`, if it is revoked."""
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
    """Return a hash that differs for each invitation, so that nobody can link the rows of one device."""
    return digest(f"{invitation.pk}:{device}")
