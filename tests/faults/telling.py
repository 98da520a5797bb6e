"""The story of a batch on a platform, on which faults are tried, and what has to be true at its end."""

from __future__ import annotations

from django.core.management import call_command
from django.db.models import Sum

from annotation.models import Batch, Standing
from tests.faults.crowding import SETTLED, Crowding
from tests.workflows.crowd.scene import make_crowd_batch
from workflows.batches.lifecycle import move_batch
from workflows.crowd.actions import approve, pay_more, reject
from workflows.crowd.models import Payment, Problem, Publication, Qualification
from workflows.money.models import Budget, LedgerLine
from workflows.pipeline.advance import advance_pending
from workflows.workers.enrolment import block_worker
from workflows.workers.models import Participation

REASON = (
    "No answers came with this submission, so that there is nothing in it which could be used. "
    "You can write to us."
)
"""It is as long as Prolific requires."""


def story(crowding: Crowding) -> Batch:
    """Play a batch whose pages are done, given back, rejected and paid after all, or not taken.

    Some are approved by the platform. There are bonuses, too.
    """
    side, platform = crowding.side, crowding.provider.name
    batch = make_crowd_batch(
        images=4,
        crowd={"provider": platform, "hourly_wage": 4800},
        reward={"link": 13},
        currency=side.currency,
    )
    crowding.rounds()
    opened = crowding.open()
    assert sum(one.places for one in opened) == 4
    first, second, third, last = opened * 4 if crowding.provider.grows else opened
    crowding.work(first, "A1")
    place = crowding.take(second, "A2")
    crowding.open_page(second, place, "A2", answer=False)
    side.give_back(place, "A2")
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
        reason=REASON,
        by="ada",
        now=crowding.now,
    )
    block_worker(worker_id=one.worker_id, by="ada", note="", now=crowding.now)
    Qualification.objects.create(
        project=batch.project, provider=platform, environment="emulator", kind="trusted", stage="link"
    )
    standing = Standing.objects.create(
        worker_id=one.worker_id, stage="link", state=Standing.State.TRUSTED, changed_at=crowding.now
    )
    crowding.work(second, "A4")  # on Mechanical Turk it has the id of the assignment that A2 gave back
    crowding.rounds()

    approve(participation_id=lost, by="ada", now=crowding.now)
    Standing.objects.filter(pk=standing.pk).update(state=Standing.State.LOST)
    crowding.rounds()

    advance_pending(now=crowding.now)
    taken = crowding.take(last, "A5")
    crowding.open_page(last, taken, "A5")
    move_batch(batch=batch, action="cancel")
    crowding.rounds()
    side.finish(taken, "A5", last.token)
    crowding.wait(seconds=side.approves_after.total_seconds())  # nobody decides: the platform approves
    crowding.rounds()
    Standing.objects.all().delete()
    return batch


def check_settled(crowding: Crowding) -> None:
    """Assert that nothing is paid twice, unpaid or orphaned.

    The ledger also has to agree with the platform's books.
    """
    ids = list(Publication.objects.values_list("external_id", flat=True))
    theirs, approved = crowding.side.theirs(set(ids)), crowding.side.approved()
    assert theirs.wrong == []
    assert sorted(theirs.publications) == sorted(ids), "each order was published once"
    places = sum(Publication.objects.values_list("places", flat=True))
    assert places == 5, "four images, and again the one whose answers got lost"
    assert len(ids) == (1 if crowding.provider.grows else 5)
    assert set(Publication.objects.values_list("state", flat=True)) <= set(SETTLED)
    ours = Participation.objects.filter(state=Participation.State.APPROVED)
    assert approved == set(ours.values_list("external_id", "worker__external_id")) and len(approved) == 4
    assert not Payment.objects.exclude(state=Payment.State.DONE).exists()
    # A researcher's bonus, and what pages lacked to reach the wage floor.
    assert sorted(crowding.side.bonuses()) == sorted(
        Payment.objects.exclude(kind="reward").values_list("amount", flat=True)
    )
    lines = LedgerLine.objects.values_list("account").annotate(Sum("amount"))
    ledger = {account: total for account, total in lines if total}
    named = ("rewards", "bonuses", "fees")
    assert {name: ledger.pop(name) for name in named} == {name: theirs.sums[name] for name in named}
    assert theirs.sums["reserved"] == 0 and set(ledger) == {"funds"}
    assert Budget.objects.get().spent == sum(theirs.sums[name] for name in named)
    assert not Problem.objects.filter(closed_at=None).exists()
    call_command("verify_ledger", verbosity=0)
    call_command("verify_state", verbosity=0)


def bring_through(crowding: Crowding) -> None:
    story(crowding)
    crowding.compare()
    crowding.rounds()
    check_settled(crowding)
