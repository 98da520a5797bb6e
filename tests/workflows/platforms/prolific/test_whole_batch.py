"""A batch on the emulated Prolific from the plan to the last penny, with answers lost on the way."""

from __future__ import annotations

import pytest

from annotation.models import Batch, Judgment
from tests.workflows.platforms.prolific.play import Play, make_batch, open_ones
from workflows.crowd import actions
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Payment, Problem
from workflows.crowd.rounds.reconcile import reconcile
from workflows.money.models import Budget
from workflows.platforms.prolific.completion_codes import completion_code
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db
COST = 5 + 3  # 42.8% of 5, a started penny counts


def check_books(play: Play, batch: Batch) -> None:
    """Assert that our ledger and Prolific's own books agree."""
    books, budget = play.stage.world.books, Budget.objects.get(batch=batch)
    assert budget.spent == 100_000 - books.total
    assert budget.reserved == play.stage.world.reserved()


def test_pages_are_published_done_confirmed_and_paid(play: Play) -> None:
    batch = make_batch(images=2)
    play.rounds()
    (study,) = open_ones()
    assert study.places == 2
    check_books(play, batch)
    one = play.work(study, play.stage.workers[0])
    assert not Judgment.objects.exists(), "nobody has confirmed who that was"
    play.rounds()
    play.work(study, play.stage.workers[1])
    play.rounds()
    assert Judgment.objects.count() == 2
    assert set(Participation.objects.values_list("state", flat=True)) == {"approved"}
    play.thank(one)
    play.rounds()
    assert play.stage.world.books.paid("bonus") == 20
    report = reconcile(provider=play.stage.provider, now=play.now)
    assert not report.repaired and not Problem.objects.exists()
    check_books(play, batch)
    assert Budget.objects.get(batch=batch).spent == 2 * COST + 20 + 9


def test_a_stage_has_one_study_which_gets_more_places(play: Play) -> None:
    """A stage of 12 images had a study for each page, of which Prolific publishes only so many."""
    batch = make_batch(images=12, open_pages=3)
    for number in range(12):
        play.rounds(2)
        (study,) = open_ones()
        play.work(study, play.stage.workers[number % 2])
        check_books(play, batch)
    play.rounds(4)
    assert Judgment.objects.count() == 12, "a participant takes several places"
    assert len(play.stage.world.studies) == 1
    assert Budget.objects.get(batch=batch).spent == 12 * COST
    report = reconcile(provider=play.stage.provider, now=play.now)
    assert report.clean and not Problem.objects.exists()
    check_books(play, batch)


def test_a_place_of_several_pages_is_one_submission(play: Play) -> None:
    batch = make_batch(images=6, pages=3)
    play.rounds()
    (study,) = open_ones()
    assert (study.places, study.pages, study.reward) == (2, 3, 15)
    for worker in play.stage.workers[:2]:
        play.work(study, worker)
    play.rounds(4)
    assert Judgment.objects.count() == 6
    assert play.stage.world.books.paid("reward") == 30
    assert not Problem.objects.exists()
    check_books(play, batch)


@pytest.mark.slow("a whole batch for each lost answer")
@pytest.mark.parametrize("operation", ["create-study", "publish-study", "transition-submission"])
def test_answers_that_are_lost_on_the_way_change_nothing(play: Play, operation: str) -> None:
    play.stage.world.faults.add("cut-after", operation, times=2)
    batch = make_batch(images=2, open_pages=1)
    for worker in play.stage.workers[:2]:
        play.rounds(4)
        (study,) = open_ones()
        play.work(study, worker)
    play.rounds(4)
    assert set(Participation.objects.values_list("state", flat=True)) == {"approved"}
    assert play.stage.world.books.paid("reward") == 10
    reconcile(provider=play.stage.provider, now=play.now)
    assert not Problem.objects.filter(closed_at=None).exists()
    check_books(play, batch)


def without_answers(play: Play) -> Participation:
    """Submit a place on Prolific without any answers reaching us."""
    play.rounds()
    (one,) = open_ones()
    worker, people = play.stage.workers[0], play.stage.emulator.participants
    people.start(one.external_id, worker)
    people.complete_by(worker, completion_code(one.token))
    play.rounds()
    return Participation.objects.get()


def reject(play: Play, one: Participation, reason: str, by: str = "ada") -> Payment:
    return actions.reject(
        provider=play.stage.provider, participation_id=one.pk, reason=reason, by=by, now=play.now
    )


@pytest.mark.parametrize(
    ("reason", "says"),
    [
        ("LOW_EFFORT: " + "x" * 90, "this one has 90"),
        ("BORING: " + "x" * 120, "BORING is not a category"),
    ],
)
def test_a_rejection_against_the_rules_is_said_before_anything_is_kept(
    play: Play, reason: str, says: str
) -> None:
    """A round could only store that it was refused, when the researcher is gone."""
    make_batch(images=1)
    one = without_answers(play)
    with pytest.raises(VerbError, match=says):
        reject(play, one, reason)
    assert not Payment.objects.exists()


def test_a_rejection_that_prolific_refused_is_given_another_reason(play: Play) -> None:
    batch = make_batch(images=1)
    one = without_answers(play)
    reject(play, one, "NO_DATA: " + "x" * 100)
    Payment.objects.update(reason="NO_DATA: nothing")  # as one that was kept before the rules were looked at
    play.rounds()
    assert Payment.objects.get().state == "failed"
    with pytest.raises(VerbError, match="this one has 5"):
        reject(play, one, "NO_DATA: again")
    better = "NO_DATA: " + "Nothing of it reached us. " * 5
    reject(play, one, better, by="bea")
    payment = Payment.objects.get()
    assert (payment.kind, payment.state, payment.by, payment.error) == ("refusal", "due", "bea", "")
    assert payment.reason == better.strip()
    with pytest.raises(VerbError, match="being paid or rejected already"):
        reject(play, one, better)
    play.rounds()
    one.refresh_from_db()
    assert (one.state, Payment.objects.get().state) == ("rejected", "done")
    assert not Problem.objects.filter(closed_at=None).exists()
    check_books(play, batch)
    assert Budget.objects.get(batch=batch).spent == 0


def test_a_paused_study_keeps_its_money_until_it_goes_on(play: Play) -> None:
    batch = make_batch(images=1)
    play.rounds()
    (one,) = open_ones()
    study = play.stage.world.study(one.external_id)
    study.status = "PAUSED"
    play.rounds()
    assert open_ones() == [one] and len(play.stage.world.studies) == 1
    check_books(play, batch)
    study.status = "ACTIVE"
    play.work(one, play.stage.workers[0])
    play.rounds()
    assert Budget.objects.get(batch=batch).spent == COST
    check_books(play, batch)
