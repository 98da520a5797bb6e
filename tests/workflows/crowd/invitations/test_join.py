from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction

from annotation.models import Project, Worker
from tests.factories import LATER, NOW, make_project, make_worker
from tests.workflows.threads import at_once
from workflows.core.models import AuditEntry
from workflows.crowd.invitations import join as service
from workflows.crowd.invitations.domain import (
    FAILED_PER_ADDRESS,
    INTERVAL_PER_ADDRESS,
    JOINED_PER_ADDRESS,
    Over,
    WorkerNameError,
)
from workflows.crowd.invitations.invite import InvitationError, Made, invite, revoke
from workflows.crowd.invitations.join import (
    InvitationOverError,
    Joined,
    NameTakenError,
    NoInvitationError,
    PasscodeError,
    Seen,
    look_at_invitation,
)
from workflows.crowd.invitations.models import Invitation, JoinAttempt, Joining
from workflows.crowd.invitations.rate_limits import LimitedError, forget_attempts
from workflows.workers.enrolment import WorkerBlockedError

pytestmark = pytest.mark.both_databases

DEVICE = "a-device-of-somebody"
OTHER = "another-device-there"


def make(project: Project | None = None, **more: Any) -> Made:
    (made,) = invite(project=project or make_project(), label="lab", by="mona", now=NOW, **more)
    return made


def join(made: Made, name: str = "ada", device: str = DEVICE, **more: Any) -> Joined:
    usual: dict[str, Any] = {"code": made.code, "passcode": "", "address": "192.0.2.1", "now": NOW}
    return service.join(**(usual | {"name": name, "device": device} | more))


def see(made: Made, device: str = DEVICE) -> Seen:
    return look_at_invitation(code=made.code, device=device, address=None, now=NOW)


@pytest.fixture
def quick(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.mark.django_db
def test_codes_and_passcodes_are_nowhere_in_the_database(quick: None) -> None:
    made = make(passcode="six-or-more", note="for Tuesday")
    kept = str(list(Invitation.objects.values())) + str(list(AuditEntry.objects.values()))
    assert made.code not in kept
    assert "six-or-more" not in kept
    assert AuditEntry.objects.get().detail["passcode"] is True
    assert len(made.code) >= 22


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("label", " "),
        ("label", "x" * 57),
        ("number", 0),
        ("number", 501),
        ("uses", 0),
        ("expires_at", NOW),
        ("passcode", "12345"),
        ("passcode", " 123456"),
        ("note", "x" * 501),
    ],
)
def test_what_cannot_be_made_names_its_field(field: str, value: Any) -> None:
    with pytest.raises(InvitationError) as raised:
        invite(**{"project": make_project(), "label": "lab", "by": "mona", "now": NOW, field: value})
    assert raised.value.field == field
    assert not Invitation.objects.exists()


@pytest.mark.django_db
def test_a_link_for_one_makes_one_worker_who_comes_back_on_the_same_device() -> None:
    made = make()
    assert see(made) == Seen(made.invitation.project.name, passcode=False, name=True)
    first = join(made)
    assert first.new
    assert (first.worker.provider, first.worker.external_id) == ("direct", "ada")
    assert see(made).name is False
    again = join(made, name="")
    assert (again.worker, again.new) == (first.worker, False)
    with pytest.raises(InvitationOverError, match=Over.USED):
        join(made, "bob", OTHER)
    with pytest.raises(InvitationOverError, match=Over.USED):
        see(made, OTHER)
    assert Worker.objects.count() == 1


@pytest.mark.django_db
def test_others_at_the_same_device_join_by_a_link_for_several() -> None:
    made = make(uses=2)
    ada, bob = join(made, "ada").worker, join(made, "bob").worker
    assert ada != bob
    assert join(made, " ada ").worker == ada
    with pytest.raises(InvitationOverError, match=Over.USED):
        join(made, "eve")
    made.invitation.refresh_from_db()
    assert made.invitation.used == 2


@pytest.mark.django_db
def test_nobody_becomes_somebody_else_by_their_name() -> None:
    made = make(uses=None)
    join(made, "ada")
    make_worker(made.invitation.project, "grace")
    for name in ("ada", "grace"):
        with pytest.raises(NameTakenError):
            join(made, name, OTHER)
    with pytest.raises(WorkerNameError):
        join(made, "", OTHER)
    made.invitation.refresh_from_db()
    assert made.invitation.used == 1


@pytest.mark.django_db
def test_after_its_end_who_joined_comes_back_until_it_is_revoked() -> None:
    made = make(expires_at=LATER)
    ada = join(made).worker
    assert join(made, now=LATER).worker == ada
    other = make(expires_at=LATER)
    with pytest.raises(InvitationOverError, match=Over.EXPIRED):
        join(other, now=LATER)
    ids = [made.invitation.pk, other.invitation.pk]
    project = made.invitation.project
    assert revoke(project=project, invitations=ids, by="mona", now=NOW) == ["lab"]
    assert revoke(project=project, invitations=ids, by="mona", now=NOW) == []
    with pytest.raises(InvitationOverError, match=Over.REVOKED):
        join(made)
    assert AuditEntry.objects.filter(action="invitation.revoke").count() == 1
    other.invitation.refresh_from_db()
    assert other.invitation.revoked_at is None  # of another project


@pytest.mark.django_db
def test_a_blocked_worker_does_not_come_back() -> None:
    made = make()
    worker = join(made).worker
    Worker.objects.filter(pk=worker.pk).update(blocked=True)
    with pytest.raises(WorkerBlockedError):
        join(made)


@pytest.mark.django_db
def test_a_passcode_is_asked_for_and_wrong_ones_run_out(quick: None) -> None:
    made = make(passcode="open sesame", uses=None)
    assert see(made).passcode
    for _ in range(FAILED_PER_ADDRESS):
        with pytest.raises(PasscodeError):
            join(made, passcode="open says me")
    with pytest.raises(LimitedError) as raised:
        join(made, passcode="open sesame")
    assert raised.value.seconds == 180
    assert join(made, passcode="open sesame", address="192.0.2.2").new
    assert join(made, "bob", passcode="open sesame", now=NOW + timedelta(minutes=3)).new
    forget_attempts(now=NOW + timedelta(hours=1))
    assert set(JoinAttempt.objects.values_list("joined", flat=True)) == {True}


@pytest.mark.django_db
def test_an_invitation_takes_so_many_wrong_passcodes_from_anywhere(quick: None) -> None:
    made = make(passcode="open sesame")
    for place in range(50):
        with pytest.raises(PasscodeError):
            join(made, passcode="", address=f"192.0.2.{place}")
    with pytest.raises(LimitedError) as raised:
        join(made, passcode="open sesame", address="198.51.100.1")
    assert raised.value.seconds == 72


@pytest.mark.django_db
def test_wrong_passcodes_of_one_let_a_campus_wait_for_minutes_and_no_longer(quick: None) -> None:
    """All of a campus has one address, and a whole class has the same link."""
    made = make(passcode="open sesame", uses=None)
    for _ in range(FAILED_PER_ADDRESS):
        with pytest.raises(PasscodeError):
            join(made, passcode="open says me")
    later = NOW + INTERVAL_PER_ADDRESS
    assert all(join(made, f"student {number}", passcode="open sesame", now=later).new for number in range(9))
    with pytest.raises(PasscodeError):
        join(made, "eve", passcode="open says me", now=later)
    with pytest.raises(LimitedError):
        join(made, "bob", passcode="open sesame", now=later)


@pytest.mark.django_db
def test_codes_that_are_none_are_counted_and_good_ones_are_not() -> None:
    made = make(uses=None)
    for _ in range(FAILED_PER_ADDRESS + 1):
        join(made)
    for place in range(FAILED_PER_ADDRESS):
        verb = service.join if place % 2 else look_at_invitation
        more = {"name": "ada", "passcode": ""} if place % 2 else {}
        with pytest.raises(NoInvitationError):
            verb(code=f"no-such-code-{place}", device=DEVICE, address="192.0.2.1", now=NOW, **more)
    with pytest.raises(LimitedError):
        look_at_invitation(code="no-such-code", device=DEVICE, address="192.0.2.1", now=NOW)


@pytest.mark.django_db
def test_wrong_codes_of_one_keep_nobody_out_who_shares_their_address(quick: None) -> None:
    """As at a campus: all of it has one address."""
    project = make_project()
    theirs, ours = make(project, passcode="open sesame", uses=None), make(project, uses=None)
    for place in range(FAILED_PER_ADDRESS):
        with pytest.raises(NoInvitationError):
            look_at_invitation(code=f"guess-{place}", device=DEVICE, address="192.0.2.1", now=NOW)
        with pytest.raises(PasscodeError):
            join(theirs, passcode="open says me")
    assert join(ours, "ada").new
    with pytest.raises(LimitedError):
        join(theirs, "bob", passcode="open sesame")
    with pytest.raises(LimitedError):
        join(Made(ours.invitation, "another-guess"))


@pytest.mark.django_db
def test_so_many_new_workers_come_from_one_address_in_an_hour() -> None:
    made = make(uses=None)
    join(made)
    key = JoinAttempt.objects.get().address
    rows = [JoinAttempt(address=key, joined=True, created_at=NOW)] * (JOINED_PER_ADDRESS - 1)
    JoinAttempt.objects.bulk_create(rows)
    with pytest.raises(LimitedError):
        join(made, "bob")
    assert not join(made).new  # who is there comes back
    assert join(made, "bob", address="192.0.2.2").new
    assert "192.0.2" not in str(list(JoinAttempt.objects.values()))


@pytest.mark.django_db
def test_the_database_takes_no_more_workers_than_uses() -> None:
    made = make()
    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.update(used=2)
    worker = join(made).worker
    twin = make_worker(worker.project, "twin")
    with pytest.raises(IntegrityError), transaction.atomic():
        Joining.objects.create(invitation=made.invitation, worker=twin, number=1, device="x", created_at=NOW)


@pytest.mark.django_db(transaction=True)
def test_of_twenty_who_open_a_link_for_one_at_once_one_joins() -> None:
    made = make()

    def attempt(place: int) -> str:
        device, address = f"device-of-somebody-{place}", f"192.0.2.{place}"
        try:
            return str(join(made, f"worker-{place}", device, address=address).new)
        except InvitationOverError as error:
            return error.why

    tried = at_once([partial(attempt, place) for place in range(20)])
    assert sorted(tried) == ["True"] + [Over.USED] * 19
    assert Worker.objects.count() == Joining.objects.count() == 1
    made.invitation.refresh_from_db()
    assert made.invitation.used == 1


@pytest.mark.django_db(transaction=True)
def test_a_request_that_is_sent_twice_at_once_makes_one_worker() -> None:
    made = make(uses=None)
    joined = at_once([partial(join, made)] * 6)
    assert sorted(one.new for one in joined) == [False] * 5 + [True]
    assert len({one.worker.pk for one in joined}) == 1


@pytest.mark.django_db(transaction=True)
def test_wrong_passcodes_at_once_are_no_way_round_the_limit(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    made = make()
    Invitation.objects.update(passcode=make_password("open sesame"))

    def attempt() -> str:
        try:
            join(made, passcode="wrong")
        except (PasscodeError, LimitedError) as error:
            return type(error).__name__
        return ""

    tried = at_once([attempt] * (FAILED_PER_ADDRESS + 4))
    assert tried.count("PasscodeError") == FAILED_PER_ADDRESS
    assert tried.count("LimitedError") == 4
