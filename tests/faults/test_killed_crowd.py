"""Whatever becomes of a process at a call to Mechanical Turk, everybody is paid, once, to the cent.

The emulator runs in a process of its own and kills ours with SIGKILL at every call in turn, once before it
has done what was asked and once after; or loses its replies, throttles, and doubles and drops notifications.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.core.management import call_command
from django.db.models import Sum
from pytest_django.fixtures import Settings

from annotation.models import Batch, Standing
from simulation.mturk.handle import Handle
from simulation.mturk.running import process
from tests.factories import NOW
from tests.faults.crowding import SETTLED, Crowding
from tests.workflows.services.crowd.playing import SITE, make_crowd_batch
from workflows.models import Budget, LedgerLine, Participation, Payment, Problem, Publication, Qualification
from workflows.services.advance import advance_pending
from workflows.services.batches import move
from workflows.services.blocking import block
from workflows.services.crowd.deciding import approve, pay_more, reject

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]

KILLS = ({"kind": "kill-before", "once": True}, {"kind": "kill-after", "once": True})
LOST_REPLIES = ({"kind": "timeout-after", "once": True},)
ERRORS = ({"kind": "error-before", "once": True},)
THROTTLED = ({"kind": "throttle", "every": 3},)
NOTIFICATIONS = ({"kind": "duplicate", "every": 2}, {"kind": "drop", "every": 2})

WRITES = {
    "ApproveAssignment",
    "AssociateQualificationWithWorker",
    "CreateHITType",
    "CreateHITWithHITType",
    "CreateQualificationType",
    "CreateWorkerBlock",
    "DeleteMessageBatch",
    "DisassociateQualificationFromWorker",
    "RejectAssignment",
    "SendBonus",
    "UpdateExpirationForHIT",
    "UpdateNotificationSettings",
}
"""What the story has the provider do; the rest it asks only looks."""


@pytest.fixture
def turk() -> Iterator[Handle]:
    with process("--stand", str(NOW.timestamp()), "--funds", "100000") as turk:
        yield turk


def story(crowding: Crowding) -> Batch:
    """Pages done, given back, rejected and paid after all, approved by the platform, never taken; bonuses."""
    turk = crowding.turk
    batch = make_crowd_batch(images=4, crowd={"hourly_wage": 4800}, reward={"link": 13})
    crowding.rounds()
    first, second, third, last = crowding.open()
    crowding.work(first, "A1")
    place = crowding.take(second, "A2")
    crowding.open_page(second, place, "A2", answer=False)
    turk.worker("A2").give_back(place)
    crowding.work(third, "A3", answer=False)
    crowding.wait(minutes=45)
    crowding.rounds()

    one = crowding.participation("A1")
    bonus = {"amount": 53, "reason": "Careful work.", "token": "bonus-of-a-researcher", "by": "ada"}
    pay_more(
        provider=crowding.provider,
        participation_id=one.pk,
        kind=Payment.Kind.BONUS,
        now=crowding.now,
        **bonus,  # type: ignore[arg-type]
    )
    lost = crowding.participation("A3").pk
    reject(
        provider=crowding.provider,
        participation_id=lost,
        reason="No answers came.",
        by="ada",
        now=crowding.now,
    )
    block(worker_id=one.worker_id, by="ada", note="", now=crowding.now)
    Qualification.objects.create(
        project=batch.project, provider="mturk", environment="emulator", kind="trusted", stage="link"
    )
    standing = Standing.objects.create(
        worker_id=one.worker_id, stage="link", state=Standing.State.TRUSTED, changed_at=crowding.now
    )
    crowding.work(second, "A4")  # under the id of the assignment that A2 gave back
    assert crowding.participation("A4").external_id == place
    crowding.rounds()

    approve(participation_id=lost, by="ada", now=crowding.now)
    Standing.objects.filter(pk=standing.pk).update(state=Standing.State.LOST)
    crowding.rounds()

    advance_pending(now=crowding.now)
    taken = crowding.take(last, "A5")
    crowding.open_page(last, taken, "A5")
    move(batch=batch, action="cancel")
    crowding.rounds()
    turk.worker("A5").submit(taken)
    crowding.wait(days=4)  # nobody asks: the platform approves by itself
    crowding.rounds()
    Standing.objects.all().delete()
    return batch


def check_settled(crowding: Crowding) -> None:
    """No double payment, no unpaid work, no orphan, and the ledger says what the platform's books say."""
    there, books = crowding.turk.state(), crowding.turk.books()
    assert there["paidTwice"] == [] and there["unpaid"] == []
    ids = list(Publication.objects.values_list("external_id", flat=True))
    assert sorted(hit["id"] for hit in there["hits"]) == sorted(ids), "each order was published once"
    assert len(ids) == 5, "four images, and again the one whose answers got lost"
    assert set(Publication.objects.values_list("state", flat=True)) <= set(SETTLED)
    approved = {(one["id"], one["worker"]) for one in there["assignments"] if one["status"] == "Approved"}
    ours = Participation.objects.filter(state=Participation.State.APPROVED)
    assert approved == set(ours.values_list("external_id", "worker__external_id")) and len(approved) == 4
    assert not Payment.objects.exclude(state=Payment.State.DONE).exists()
    # A bonus of a researcher, and what pages lacked to the wage floor.
    assert sorted(one["amount"] for one in there["bonuses"]) == sorted(
        Payment.objects.exclude(kind="reward").values_list("amount", flat=True)
    )
    lines = LedgerLine.objects.values_list("account").annotate(Sum("amount"))
    ledger = {account: total for account, total in lines if total}
    named = ("rewards", "bonuses", "fees")
    assert {name: ledger.pop(name) for name in named} == {name: books[name] for name in named}
    assert books["held"] == 0 and set(ledger) == {"funds"}
    assert Budget.objects.get().spent == sum(books[name] for name in named)
    assert not Problem.objects.filter(closed_at=None).exists()
    call_command("verify_ledger", verbosity=0)
    call_command("verify_state", verbosity=0)


def bring_through(crowding: Crowding) -> None:
    story(crowding)
    crowding.compare()
    crowding.rounds()
    check_settled(crowding)


def test_a_process_killed_before_and_after_every_call_in_turn(
    turk: Handle, settings: Settings, record_property: Callable[[str, object], None]
) -> None:
    settings.SITE = SITE
    crowding = Crowding(turk, faults=KILLS)
    bring_through(crowding)
    calls = turk.calls()
    killed = {
        told: {call["operation"] for call in calls if call["told"] == told}
        for told in ("kill-before", "kill-after")
    }
    assert killed["kill-before"] == killed["kill-after"] >= WRITES
    assert {call["operation"] for call in calls} == killed["kill-before"]
    record_property("figure", f"{crowding.killed} processes killed at {len(WRITES)} operations that write")


@pytest.mark.parametrize(
    ("faults", "skew"),
    [(LOST_REPLIES, 0), (ERRORS + THROTTLED, 0), (NOTIFICATIONS, -600), (NOTIFICATIONS, 600)],
    ids=["lost-replies", "errors", "notifications-and-late-clock", "notifications-and-early-clock"],
)
def test_replies_that_are_lost_throttling_odd_notifications_and_wrong_clocks(
    turk: Handle, settings: Settings, faults: tuple[dict[str, object], ...], skew: int
) -> None:
    settings.SITE = SITE
    turk.set_clock(skew=skew)
    bring_through(Crowding(turk, tries=2, faults=faults))
