"""The story of a batch on a platform, on which faults are tried, and what has to be true at its end."""

from __future__ import annotations

from collections import Counter

from django.core.management import call_command
from django.db.models import Sum

from annotation.models import Assignment, Batch, Judgment, Standing
from tests.faults.crowding import SETTLED, Crowding
from tests.workflows.crowd.scene import make_crowd_batch
from workflows.batches.lifecycle import move_batch
from workflows.crowd.actions import approve, pay_more, reject
from workflows.crowd.models import Payment, Problem, Publication, Qualification
from workflows.crowd.participations.selectors import pages_of
from workflows.crowd.problems import close_problems
from workflows.crowd.rounds.collect import returned_key
from workflows.money.models import Budget, LedgerLine
from workflows.pipeline.advance import advance_pending
from workflows.workers.enrolment import block_worker
from workflows.workers.models import Participation

REASON = (
    "No answers came with this submission, so that there is nothing in it which could be used. "
    "You can write to us."
)
"""It is as long as Prolific requires."""


PAID = {"A1", "A3", "A4", "A5"}
PAID_WITH_PAGES_MISSING = {"B1"}
"""Of places with several pages alone."""


def story(crowding: Crowding) -> Batch:
    """Play a batch whose places are done, given back, rejected and paid after all, or not taken.

    Some are approved by the platform. There are bonuses, too. If places have several pages, workers also give
    them back, submit them and stop at them with a page missing.
    """
    side, platform = crowding.side, crowding.provider.name
    several = side.pages > 1
    batch = make_crowd_batch(
        images=7 * side.pages if several else 4,
        crowd={"provider": platform, "hourly_wage": 4800, "pages": side.pages},
        by_link={"assignment": "assignmentId"},
        reward={"link": 13},
        currency=side.currency,
    )
    crowding.rounds()
    opened = crowding.open()
    assert sum(one.places for one in opened) == (7 if several else 4)
    first, second, third, last = opened * 4 if crowding.provider.grows else opened
    crowding.work(first, "A1")
    place = crowding.take(second, "A2")
    if several:
        crowding.open_page(second, place, "A2")
    crowding.open_page(second, place, "A2", answer=False)
    side.give_back(place, "A2")
    crowding.work(third, "A3", pages=0)
    if several:
        leave_pages_out(crowding, first)
    crowding.wait(hours=2)
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
    if not crowding.provider.by_list:  # there, nobody is told who is trusted
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
    if several:
        settle_left_out(crowding)
    crowding.rounds()

    advance_pending(now=crowding.now)
    taken = crowding.take(last, "A5")
    for _ in range(side.pages):
        crowding.open_page(last, taken, "A5")
    move_batch(batch=batch, action="cancel")
    crowding.rounds()
    side.finish(taken, "A5", last.token)
    crowding.wait(seconds=side.approves_after.total_seconds())  # nobody decides: the platform approves
    crowding.rounds()
    Standing.objects.all().delete()
    return batch


def leave_pages_out(crowding: Crowding, publication: Publication) -> None:
    """Let B1 submit a place with a page missing, B2 give one back, and B3 stop, each after a page."""
    crowding.work(publication, "B1", pages=1)
    second, third = (crowding.take(publication, worker) for worker in ("B2", "B3"))
    crowding.open_page(publication, second, "B2")
    crowding.open_page(publication, third, "B3")
    crowding.rounds()  # a platform that tells who is at work confirms the pages of B2 and B3
    crowding.open_page(publication, second, "B2", answer=False)
    crowding.side.give_back(second, "B2")


def settle_left_out(crowding: Crowding) -> None:
    """Pay B1's place and a part of B2's, as a researcher decides."""
    approve(participation_id=crowding.participation("B1").pk, by="ada", now=crowding.now)
    back, stopped = (crowding.participation(worker) for worker in ("B2", "B3"))
    assert (back.state, stopped.state) == ("returned", "returned")
    pay_more(
        provider=crowding.provider,
        participation_id=back.pk,
        kind=Payment.Kind.PART,
        amount=7,
        reason="A page of two.",
        token="part-of-a-place",
        by="ada",
        now=crowding.now,
    )
    told = Problem.objects.filter(closed_at=None)
    confirmed = not crowding.provider.by_list  # else nobody has confirmed whose answers these are
    keys = [returned_key(one) for one in (back, stopped)]
    assert set(told.values_list("key", flat=True)) == (set(keys) if confirmed else set())
    close_problems(keys=keys, now=crowding.now, by="ada")


def check_settled(crowding: Crowding) -> None:
    """Assert that nothing is paid twice, unpaid or orphaned.

    The ledger also has to agree with the platform's books.
    """
    ids = list(Publication.objects.values_list("external_id", flat=True))
    theirs, approved = crowding.side.theirs(set(ids)), crowding.side.approved()
    assert theirs.wrong == []
    assert sorted(theirs.publications) == sorted(ids), "each order was published once"
    places = sum(Publication.objects.values_list("places", flat=True))
    first = 4 if crowding.side.pages == 1 else 7
    assert places == first + 1, "all images, and again those whose answers got lost"
    assert len(ids) == (1 if crowding.provider.grows else 5)
    assert set(Publication.objects.values_list("state", flat=True)) <= set(SETTLED)
    ours = Participation.objects.filter(state=Participation.State.APPROVED)
    assert approved == set(ours.values_list("external_id", "worker__external_id"))
    paid = PAID | (PAID_WITH_PAGES_MISSING if crowding.side.pages > 1 else set())
    assert sorted(worker for _, worker in approved) == sorted(paid)
    check_answers(crowding)
    assert not Payment.objects.exclude(state=Payment.State.DONE).exists()
    # A researcher's bonus, and what pages lacked to reach the wage floor.
    assert sorted(crowding.side.bonuses()) == sorted(
        Payment.objects.exclude(kind="reward").values_list("amount", flat=True)
    )
    check_books(crowding)


def check_books(crowding: Crowding) -> None:
    """Assert that the ledger agrees with the platform's books, and that nobody has to look at anything."""
    ids = set(Publication.objects.values_list("external_id", flat=True))
    theirs = crowding.side.theirs(ids)
    assert theirs.wrong == []
    lines = LedgerLine.objects.values_list("account").annotate(Sum("amount"))
    ledger = {account: total for account, total in lines if total}
    named = ("rewards", "bonuses", "fees")
    assert {name: ledger.pop(name, 0) for name in named} == {name: theirs.sums[name] for name in named}
    assert theirs.sums["reserved"] == 0 and set(ledger) == {"funds"}
    assert Budget.objects.get().spent == sum(theirs.sums[name] for name in named)
    assert not Problem.objects.filter(closed_at=None).exists()
    call_command("verify_ledger", verbosity=0)
    call_command("verify_state", verbosity=0)


def check_answers(crowding: Crowding) -> None:
    """Assert that each answer is stored once for which a worker got a receipt, and no other one."""
    pages = Assignment.objects.in_bulk([page.pk for page in crowding.acknowledged])
    assert len(pages) == len(crowding.acknowledged) == Assignment.objects.exclude(receipt=None).count()
    counted = [page for page in pages.values() if page.state == Assignment.State.SUBMITTED]
    assert all(page.held is not None for page in pages.values() if page not in counted)
    judged = Counter(Judgment.objects.values_list("assignment", flat=True))
    late = Counter({page.pk: len(page.late or ()) for page in counted if page.late})
    assert judged + late == Counter({page.pk: len(page.items) + len(page.checks) for page in counted})
    paid = Participation.objects.filter(state=Participation.State.APPROVED)
    of_paid = {page.pk for one in paid for page in pages_of(one).exclude(receipt=None)}
    assert of_paid <= {page.pk for page in counted}


def bring_through(crowding: Crowding) -> None:
    story(crowding)
    crowding.compare()
    crowding.rounds()
    check_settled(crowding)
