"""The platform's list confirms and settles places, and a list that is taken out pays them, once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import Sum

from annotation.models import Assignment, Batch, Judgment
from tests.factories import make_controlled, replies
from tests.workflows.crowd.link.scene import REWARD, Panel, make_link_batch
from workflows.assignments.submit import submit
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import move_batch
from workflows.crowd.actions import approve, pay_more, reject
from workflows.crowd.errors import VerbError
from workflows.crowd.link.domain.place_lists import ListError
from workflows.crowd.link.lists import due, lines_of, pay_lists
from workflows.crowd.models import Payment, Problem, Publication
from workflows.crowd.participations.sessions import Progress, claim_place
from workflows.crowd.payments.withdraw import can_withdraw, withdraw
from workflows.money.models import Budget, LedgerLine
from workflows.platforms.link.models import ListedPlace
from workflows.platforms.link.provider import Link
from workflows.platforms.provider import Stand
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db
State = Participation.State


def made(**settings: object) -> Panel:
    panel = Panel(make_link_batch(**settings))  # type: ignore[arg-type]
    panel.round()
    return panel


def test_answers_are_held_until_a_list_names_the_participant() -> None:
    panel = made()
    place = panel.work("ann")
    assert not Judgment.objects.exists()
    panel.round()
    assert not Judgment.objects.exists(), "a round without a list confirms nobody"
    assert panel.bring("participantId\nann\n").places == 1
    panel.round()
    assert Judgment.objects.count() == 1
    place.refresh_from_db()
    assert (place.state, place.confirmed) == (State.SUBMITTED, True)


def test_believed_ids_count_at_once_and_are_paid_when_a_list_names_them() -> None:
    panel = made(link={"trusted": True})
    panel.work("ann")
    assert Judgment.objects.count() == 1
    panel.round()
    assert not due(panel.batch).exists()
    panel.bring("ann\n")
    panel.round()
    assert [one.amount for one in due(panel.batch)] == [REWARD]


def test_who_waits_for_a_list_does_not_count_as_gone() -> None:
    panel = made(link={"trusted": True})
    place = panel.work("ann")
    panel.wait(days=3)
    panel.round()
    place.refresh_from_db()
    assert place.state == State.OPENED


def test_who_came_and_answered_nothing_counts_as_gone_when_the_time_is_over() -> None:
    panel = made()
    panel.come("ann")
    panel.wait(days=1)
    panel.round()
    assert Participation.objects.get().state == State.RETURNED


@pytest.mark.parametrize("trusted", [True, False])
def test_who_is_missing_in_a_later_list_is_a_problem_and_a_later_list_mends_it(trusted: bool) -> None:
    panel = made(link={"trusted": trusted})
    panel.work("ann")
    panel.work("ben")
    panel.wait(days=1)
    panel.bring("participantId\nann\n")
    panel.round()
    assert Participation.objects.get(worker__external_id="ben").state == State.RETURNED
    assert Problem.objects.filter(closed_at=None, participation__worker__external_id="ben").count() == 1
    panel.bring("participantId\nben\n")
    panel.round()
    assert Participation.objects.get(worker__external_id="ben").state == State.SUBMITTED
    assert due(panel.batch).count() == 2


def test_a_list_that_is_too_early_to_name_somebody_changes_nothing() -> None:
    panel = made()
    panel.work("ben")
    panel.work("ann")
    panel.bring("participantId\nben\n")
    panel.wait(days=1)
    panel.round()
    assert Participation.objects.get(worker__external_id="ann").state == State.OPENED


def test_a_list_of_another_study_is_refused_and_ends_no_place() -> None:
    panel = made()
    panel.work("ann")
    panel.wait(days=1)
    with pytest.raises(ListError, match="no place of this batch"):
        panel.bring("participantId\nzoe\n")
    panel.round()
    assert Participation.objects.get().state == State.OPENED


@pytest.mark.parametrize("stand", ["approved", "rejected", "returned"])
def test_a_newer_list_comes_before_the_payment_even_before_a_round_has_read_it(stand: str) -> None:
    panel = made()
    panel.work("ann")
    panel.bring("ann")
    panel.round()
    panel.bring(f"participantId,status\nann,{stand}\n")
    assert panel.take_out() == 0
    panel.round()
    assert panel.take_out() == 0
    assert Participation.objects.get().state == stand


def test_a_rejection_by_the_platform_ends_what_a_rule_owed_but_not_a_researchers_approval() -> None:
    panel = made()
    ann, ben = panel.work("ann"), panel.work("ben")
    panel.bring("ann\nben")
    panel.round()
    panel.bring("participantId,status\nann,rejected\nben,rejected\n")
    panel.round()
    ann.refresh_from_db()
    assert ann.state == State.REJECTED
    approve(participation_id=ben.pk, by="ada", now=panel.now)
    assert [one.participation for one in due(panel.batch)] == [ben]


def test_an_approval_after_a_rejection_is_on_the_next_list() -> None:
    panel = made()
    ann = panel.work("ann")
    panel.bring("ann")
    panel.round()
    Payment.objects.all().delete()
    reject(provider=Link(), participation_id=ann.pk, reason="No answers.", by="ada", now=panel.now)
    first = panel.now
    panel.take_out()
    approve(participation_id=ann.pk, by="ada", now=panel.now)
    assert list(lines_of(panel.batch, first)) == []
    panel.wait(minutes=1)
    assert panel.take_out() == 1
    assert [line[2] for line in lines_of(panel.batch, panel.now)] == ["approve"]


def test_who_is_listed_while_at_work_keeps_the_place() -> None:
    """A list of ids alone says that they have submitted on the platform; here they are not done."""
    panel = made(images=4, crowd={"provider": "link", "cap": 10_000, "pages": 2})
    first = panel.come("ann")
    panel.answer(first)
    ben = panel.come("ben")
    panel.answer(ben)
    panel.answer(ben)
    panel.bring("ann\nben")
    panel.round()
    again = panel.come("ann")
    assert again.session and again.session.progress == Progress.WORKING
    panel.answer(again)
    panel.bring("ann\nben")
    panel.round()
    assert Participation.objects.get(worker__external_id="ann").state == State.SUBMITTED


def test_who_is_listed_as_still_at_work_is_not_missing() -> None:
    panel = made()
    panel.work("ann")
    panel.work("ben")
    panel.wait(days=1)
    panel.bring("participantId,status\nann,signed up\nben,submitted\n")
    panel.round()
    assert Participation.objects.get(worker__external_id="ann").state == State.OPENED


def test_a_list_names_participants_who_never_came() -> None:
    panel = made()
    panel.work("ann")
    taken = panel.bring("participantId,status\nann,submitted\nzoe,submitted\nzoe,submitted\n")
    assert (taken.places, taken.strangers) == (1, ("zoe",))


def test_a_place_of_its_own_id_is_told_from_the_participants_others() -> None:
    panel = made(link={"assignment": "assignmentId"})
    panel.work("ann", "A1")
    panel.work("ann", "A2")
    panel.bring("participantId,assignmentId,status\nann,A2,returned\nann,A1,submitted\n")
    panel.round()
    states = dict(Participation.objects.values_list("external_id", "state"))
    assert states == {"A1": State.SUBMITTED, "A2": State.RETURNED}


def test_a_list_that_cannot_be_read_changes_nothing() -> None:
    panel = made()
    panel.work("ann")
    with pytest.raises(ListError, match="Line 3"):
        panel.bring("participantId,status\nann,submitted\nben,odd\n")
    assert not ListedPlace.objects.exists()


def test_nothing_is_paid_before_the_list_is_taken_out_and_each_payment_is_on_one_list() -> None:
    panel = made()
    panel.work("ann")
    panel.bring("ann")
    for _ in range(3):
        panel.round()
    assert due(panel.batch).count() == 1
    first = panel.now
    assert panel.take_out() == 1
    assert panel.take_out() == 0
    assert list(lines_of(panel.batch, first)) == [("ann", "ann", "approve", "0.40", "USD", "")]
    panel.work("ben")
    panel.bring("ann\nben")
    panel.round()
    assert panel.take_out() == 1
    assert [(one.lines, one.amount) for one in pay_lists(panel.batch)] == [(1, REWARD), (1, REWARD)]
    assert list(lines_of(panel.batch, first)) == [("ann", "ann", "approve", "0.40", "USD", "")]


def test_what_the_platform_has_paid_by_itself_is_on_no_list() -> None:
    panel = made()
    place = panel.work("ann")
    panel.bring("participantId,status\nann,Approved\n")
    panel.round()
    place.refresh_from_db()
    assert place.state == State.APPROVED
    assert panel.take_out() == 0 and pay_lists(panel.batch) == []


def test_a_list_takes_rejections_and_bonuses_along() -> None:
    panel = made()
    ann, ben = panel.work("ann"), panel.work("ben")
    panel.bring("participantId\nann\nben\n")
    panel.round()
    Payment.objects.filter(participation=ben).delete()
    reject(provider=Link(), participation_id=ben.pk, reason="No answers.", by="ada", now=panel.now)
    pay_more(
        provider=Link(),
        participation_id=ann.pk,
        kind=Payment.Kind.BONUS,
        amount=25,
        reason="Careful work.",
        token="bonus-1",
        by="ada",
        now=panel.now,
    )
    assert panel.take_out() == 3
    assert sorted(lines_of(panel.batch, panel.now)) == [
        ("ann", "ann", "approve", "0.40", "USD", ""),
        ("ann", "ann", "bonus", "0.25", "USD", "Careful work."),
        ("ben", "ben", "reject", "", "USD", "No answers."),
    ]


def test_at_the_end_the_books_have_what_the_lists_paid_and_nothing_is_reserved() -> None:
    panel = made(images=3)
    batch = panel.batch
    people = 0
    for _ in range(40):
        panel.round()
        arrivals = []
        while (arrival := panel.come(f"w{people}")).session is not None:
            panel.answer(arrival)
            arrivals.append(f"w{people}")
            people += 1
        if not arrivals:
            break
        panel.wait(hours=1)
        panel.bring("participantId\n" + "\n".join(arrivals))
        panel.round()
        panel.take_out()
        panel.advance()
    batch.refresh_from_db()
    assert batch.state == Batch.State.FINISHED
    for _ in range(3):
        panel.round()
    assert set(Publication.objects.values_list("state", flat=True)) == {Publication.State.SETTLED}
    paid = sum(one.amount for one in pay_lists(batch))
    assert paid == people * REWARD == Budget.objects.get().spent
    assert Budget.objects.get().reserved == 0
    lines = LedgerLine.objects.values_list("account").annotate(Sum("amount"))
    assert {account: total for account, total in lines if total} == {"funds": -paid, "rewards": paid}
    assert not Problem.objects.filter(closed_at=None).exists()


def test_a_cancelled_batch_still_pays_who_was_at_work() -> None:
    panel = made()
    panel.work("ann")
    move_batch(batch=panel.batch, action="cancel")
    panel.round()
    panel.wait(days=1)
    panel.bring("ann")
    panel.round()
    assert panel.take_out() == 1
    panel.round()
    assert Budget.objects.get().reserved == 0


def test_the_same_list_twice_is_one() -> None:
    panel = made()
    panel.work("ann")
    panel.bring("ann")
    panel.wait(minutes=1)
    panel.bring("ann")
    panel.round()
    assert ListedPlace.objects.count() == 1
    assert due(panel.batch).count() == 1
    assert ListedPlace.objects.get().listed_at > panel.now - timedelta(minutes=1)


def test_a_question_that_was_asked_on_two_unconfirmed_pages_counts_once_and_loses_no_page() -> None:
    """The first page waited so long that its questions were asked again; then both are confirmed."""
    batch = make_controlled("link", "trusted", images=20, questions=5)
    given = {"crowd": {"provider": "link", "cap": 10_000}, "reward": {"link": 5}}
    pages = {"items_a_page": {"link": 3}, "by_link": {"assignment": "a"}}
    batch.settings = parse_settings(batch.settings | given | pages).to_json()
    batch.save()
    panel = Panel(batch)
    panel.round()
    first = panel.answer(panel.come("ann", "A1"))
    panel.answer(panel.come("ben", "B1"))
    panel.wait(days=1)
    header = "participantId,assignmentId,status\n"
    panel.bring(f"{header}ben,B1,submitted\n")
    panel.round()
    session = panel.come("ann", "A2").session
    assert session is not None
    claim = claim_place(participation_id=session.participation.pk, stage=None, key="", now=panel.now)
    assert claim is not None
    second = claim.assignment
    both = {question for _, question in first.checks} & {question for _, question in second.checks}
    assert both, "the same question is asked again"
    panel.bring(f"{header}ann,A1,submitted\n")
    panel.round()
    submit(worker_id=second.worker_id, assignment_id=second.pk, replies=replies(second), now=panel.now)
    panel.bring(f"{header}ann,A1,submitted\nann,A2,submitted\n")
    panel.round()
    answered = Judgment.objects.filter(worker=second.worker_id, question__in=both)
    assert answered.count() == len(both)
    second.refresh_from_db()
    assert second.state == Assignment.State.SUBMITTED


@pytest.mark.parametrize("status", ["submitted", "approved"])
def test_a_place_without_answers_that_the_platform_names_is_a_problem(status: str) -> None:
    """One that the platform had paid was booked, and nobody heard that nothing had come for it."""
    panel = made()
    panel.come("ann")
    panel.wait(hours=2)
    panel.bring(f"participantId,status\nann,{status}\n")
    panel.round()
    panel.wait(hours=2)
    panel.round()
    panel.round()
    problem = Problem.objects.get(kind=Problem.Kind.LOST)
    assert "no answers came here" in problem.detail
    assert ("It is booked" in problem.detail) == (status == "approved")


@pytest.mark.parametrize("pays", [True, False])
def test_a_decision_about_a_place_without_answers_settles_its_problem(pays: bool) -> None:
    """Nobody compares the books with a platform that is reached by lists: so the problem stayed open."""
    panel = made()
    place = panel.come("ann").session
    assert place is not None
    panel.wait(hours=2)
    panel.bring("participantId,status\nann,submitted\n")
    panel.round()
    panel.wait(hours=2)
    panel.round()
    problem = Problem.objects.get(kind=Problem.Kind.LOST)
    assert problem.closed_at is None
    if pays:
        approve(participation_id=place.participation.pk, by="ada", now=panel.now)
    else:
        reason = "No answers."
        reject(
            provider=Link(), participation_id=place.participation.pk, reason=reason, by="ada", now=panel.now
        )
    for _ in range(2):
        panel.round()
        panel.take_out()
    problem.refresh_from_db()
    assert problem.closed_by == "ada"


def test_a_place_that_was_taken_out_and_waits_on_the_platform_is_told() -> None:
    """Otherwise nobody notices that the list was never carried there."""
    panel = made()
    panel.work("ann")
    panel.bring("ann\n")
    panel.round()
    assert panel.take_out() == 1
    panel.wait(hours=1)
    assert panel.bring("ann\n").not_carried == 0, "a list without a status does not say"
    assert panel.bring("participantId,status\nann,approved\n").not_carried == 0
    assert panel.bring("participantId,status\nann,submitted\n").not_carried == 1
    refused = panel.bring("participantId,status\nann,rejected\n")
    assert (refused.not_carried, dict(refused.stands)) == (1, {Stand.REJECTED: 1})


def test_a_bonus_can_be_withdrawn_until_it_is_taken_out() -> None:
    panel = made()
    place = panel.work("ann")
    panel.bring("ann\n")
    panel.round()
    bonus = pay_more(
        provider=Link(),
        participation_id=place.pk,
        kind=Payment.Kind.BONUS,
        amount=50,
        reason="Careful work.",
        by="ada",
        token="b1",
        now=panel.now,
    )
    reward = Payment.objects.get(kind=Payment.Kind.REWARD)
    assert (can_withdraw(bonus), can_withdraw(reward)) == (True, False)
    withdraw(payment_id=bonus.pk, now=panel.now)
    assert Budget.objects.get().reserved == REWARD * 2, "two places, and no bonus"
    assert panel.take_out() == 1
    with pytest.raises(VerbError):
        withdraw(payment_id=reward.pk, now=panel.now)


def test_a_place_can_be_rejected_until_its_pay_is_taken_out() -> None:
    """The platform's list makes the reward due, and before it nobody can be rejected."""
    panel = made()
    place, other = panel.work("ann"), panel.work("bob")
    panel.bring("ann\nbob\n")
    panel.round()
    told = {"reason": "Every box is empty.", "by": "ada", "now": panel.now}
    assert [one.kind for one in due(panel.batch)] == ["reward", "reward"]
    reject(provider=Link(), participation_id=place.pk, **told)  # type: ignore[arg-type]  # of a dictionary
    assert panel.take_out() == 2
    lines = {line[0]: line[2] for line in lines_of(panel.batch, panel.now)}
    assert lines == {"ann": "reject", "bob": "approve"}
    place.refresh_from_db()
    assert place.state == State.REJECTED
    with pytest.raises(VerbError):
        reject(provider=Link(), participation_id=other.pk, **told)  # type: ignore[arg-type]
    assert Budget.objects.get().spent == REWARD


def test_a_place_that_is_booked_as_paid_and_given_back_there_is_not_to_be_paid_again() -> None:
    panel = made()
    place = panel.work("ann")
    panel.bring("ann\n")
    panel.round()
    assert panel.take_out() == 1
    panel.wait(hours=1)
    panel.bring("participantId,status\nann,Returned\n")
    panel.round()
    place.refresh_from_db()
    assert place.state == State.APPROVED, "what was paid stays paid"
    problem = Problem.objects.get()
    assert "booked as paid here" in problem.detail and "no reward is paid" not in problem.detail


def test_a_place_given_back_and_one_given_back_after_payment_are_two_problems() -> None:
    """They were one: the second was not told after the first, and the first stayed open once it was paid."""
    panel = made(link={"trusted": True})
    panel.work("ann")
    told = []
    for status in ("Returned", "Approved", "Returned"):
        panel.wait(hours=1)
        panel.bring(f"participantId,status\nann,{status}\n")
        panel.round()
        told.append(list(Problem.objects.filter(closed_at=None).values_list("detail", flat=True)))
    assert "no reward is paid" in told[0][0] and told[1] == []
    assert len(told[2]) == 1 and "booked as paid here" in told[2][0]


def test_nobody_has_submitted_a_place_before_opening_it() -> None:
    """A list without the time of day, or in another time zone, said so."""
    panel = made()
    place = panel.work("ann")
    early, late = place.opened_at - timedelta(hours=3), place.opened_at + timedelta(minutes=1)
    for said, stored in ((early, place.opened_at), (late, late)):
        panel.wait(minutes=2)
        panel.bring(f"participantId,status,Completed At\nann,submitted,{said.isoformat()}\n")
        panel.round()
        place.refresh_from_db()
        assert (place.state, place.submitted_at) == (State.SUBMITTED, stored)
