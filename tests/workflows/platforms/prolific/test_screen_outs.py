"""docs/prolific.md: who fails the qualification test is paid for it, once, and others get the place."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from annotation.models import Batch, QualificationTry
from tests.factories import make_questions
from tests.workflows.http import Api
from tests.workflows.platforms.prolific.play import Play, open_ones
from tests.workflows.platforms.prolific.stage import account_at
from tests.workflows.qualification.tested_workers import make_tested, take
from tests.workflows.threads import at_once
from workflows.batch_settings.domain.settings import parse_settings
from workflows.crowd.models import Payment, Problem, Publication
from workflows.crowd.participations.sessions import Progress, Session, begin
from workflows.crowd.publications import plan
from workflows.crowd.rounds.collect import collect_one
from workflows.crowd.rounds.reconcile import reconcile
from workflows.money.models import Budget
from workflows.platforms.prolific.completion_codes import completion_code, screen_out_code
from workflows.workers.models import Participation

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]
REWARD, TEST_PAY = 100, 60  # pence: 2 training and 4 scored items, at 10 pence each
COST = TEST_PAY + 26  # 42.8%, rounded up


def make_batch(**crowd: Any) -> Batch:
    """Make a batch on Prolific whose links have a test of one try, of as many items as pay TEST_PAY."""
    batch = make_tested("link", tries=1)
    own = {
        **batch.settings,
        "reward": {"link": REWARD},
        "items_a_page": {"link": 10},
        "currency": "GBP",
        "crowd": {"provider": "prolific", "cap": 10_000, **crowd},
    }
    batch.settings = parse_settings(own).to_json()
    batch.save()
    make_questions(batch.project, "link", images=30)
    return batch


def come(play: Play, study: Publication, worker: str, *, new: bool = True) -> Session:
    """Open our page as Prolific's link does; take a place first if `new`."""
    if new:
        query = parse_qs(
            urlsplit(play.stage.emulator.participants.start(study.external_id, worker).url).query
        )
        place = query["SESSION_ID"][0]
    else:
        place = Participation.objects.filter(worker__external_id=worker).latest("pk").external_id
    return begin(
        token=study.token,
        stage=study.stage,
        external_id=place,
        worker=worker,
        confirmed=False,
        submit_to="",
        now=play.now,
    )


def fail_test(play: Play, study: Publication, worker: str) -> Session:
    """Fail the test in a new place, and return what our page says then."""
    one = come(play, study, worker).participation
    take(one.worker, right=0, now=play.now, participation_id=one.pk)
    return come(play, study, worker, new=False)


def screen_out(play: Play, study: Publication, worker: str) -> None:
    assert fail_test(play, study, worker).screened_out
    play.stage.emulator.participants.complete_by(worker, screen_out_code(study.token))


def check_books(play: Play, batch: Batch) -> None:
    books, budget = play.stage.world.books, Budget.objects.get(batch=batch)
    assert (budget.spent, budget.reserved) == (100_000 - books.total, play.stage.world.reserved())


def test_who_fails_the_test_is_paid_and_others_get_the_place(play: Play) -> None:
    batch = make_batch()
    play.rounds()
    (study,) = open_ones()
    assert (study.places, study.screen_out, study.screen_outs) == (1, TEST_PAY, plan.MIN_SCREEN_OUTS)
    check_books(play, batch)
    session = fail_test(play, study, play.stage.workers[0])
    assert (session.progress, session.screened_out) == (Progress.SUBMITTED, True)
    play.stage.emulator.participants.complete_by(play.stage.workers[0], screen_out_code(study.token))
    play.rounds()
    one = Participation.objects.get()
    assert one.state == "returned"
    payment = Payment.objects.get()
    assert (payment.kind, payment.state, payment.amount) == ("screened", "done", TEST_PAY)
    assert Budget.objects.get(batch=batch).spent == COST
    check_books(play, batch)
    assert QualificationTry.objects.get().place is None, "the platform says who it was, so the try counts"
    passing = come(play, study, play.stage.workers[1]).participation
    take(passing.worker, now=play.now, participation_id=passing.pk)
    play.stage.emulator.participants.give_back(passing.external_id)
    play.work(study, play.stage.workers[1])
    play.rounds(4)
    assert play.stage.world.books.paid("reward") == REWARD
    check_books(play, batch)
    assert reconcile(provider=play.stage.provider, now=play.now).clean and not Problem.objects.exists()


def test_a_screen_out_is_paid_once_a_worker_and_stage(play: Play) -> None:
    batch = make_batch()
    play.rounds()
    (study,) = open_ones()
    worker = play.stage.workers[0]
    screen_out(play, study, worker)
    play.rounds()
    again = come(play, study, worker)
    assert (again.progress, again.screened_out) == (Progress.WORKING, False)
    # The code is the study's: who has kept it can use it, and Prolific pays.
    play.stage.emulator.participants.complete_by(worker, screen_out_code(study.token))
    play.rounds()
    assert Payment.objects.filter(state="done").count() == 2
    assert "more than once" in Problem.objects.get().detail
    check_books(play, batch)


def test_the_code_is_told_only_to_who_failed_the_test_in_this_place(play: Play, settings: Any) -> None:
    settings.PROLIFIC = account_at(play.stage.emulator)
    make_batch()
    play.rounds()
    (study,) = open_ones()
    worker = play.stage.workers[0]
    one = come(play, study, worker).participation
    body = {
        "publication": study.token,
        "stage": "link",
        "assignment": one.external_id,
        "worker": worker,
    }
    before = Api(None).post("crowd/sessions", body).json()
    assert (before["state"], before["finish"], before["pays_failed_test"]) == ("working", None, True)
    take(one.worker, right=0, now=play.now, participation_id=one.pk)
    Participation.objects.update(opened_at=play.now)
    after = Api(None).post("crowd/sessions", body).json()
    assert after["state"] == "submitted"
    assert after["finish"]["href"].endswith(f"cc={screen_out_code(study.token)}")
    assert completion_code(study.token) not in after["finish"]["href"]
    take_at = QualificationTry.objects.get()
    QualificationTry.objects.filter(pk=take_at.pk).update(ended_at=one.opened_at.replace(year=2000))
    assert Api(None).post("crowd/sessions", body).json()["finish"] is None


def test_looks_at_the_same_time_book_one_payment(play: Play) -> None:
    batch = make_batch()
    play.rounds()
    (study,) = open_ones()
    screen_out(play, study, play.stage.workers[0])
    look = partial(collect_one, provider=play.stage.provider, publication=study, now=play.now)
    at_once([look] * 4)
    assert Payment.objects.count() == 1
    check_books(play, batch)


def test_a_study_that_can_pay_no_further_failed_test_makes_room_for_another(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "MIN_SCREEN_OUTS", 1)
    batch = make_batch()
    play.rounds()
    (study,) = open_ones()
    screen_out(play, study, play.stage.workers[0])
    assert play.stage.world.study(study.external_id).status == "PAUSED"
    play.rounds(4)
    study.refresh_from_db()
    assert study.state == "settled"
    (other,) = open_ones()
    assert other.pk != study.pk
    assert "has paid all failed tests of link that it may (1)" in Problem.objects.get().detail
    check_books(play, batch)


@pytest.mark.parametrize(
    ("cap", "paid"), [(143, 0), (143 + COST - 1, 0), (143 + 3 * COST, 3), (143 + 100 * COST, 10)]
)
def test_the_cap_leaves_room_for_places_first(play: Play, cap: int, paid: int) -> None:
    batch = make_batch(cap=cap)
    play.rounds()
    (study,) = open_ones()
    assert (study.places, study.screen_outs, study.screen_out > 0) == (1, paid, paid > 0)
    codes = play.stage.world.study(study.external_id).fields["completion_codes"]
    assert len(codes) == 1 + (paid > 0)
    check_books(play, batch)
    if not paid:
        assert not fail_test(play, study, play.stage.workers[0]).screened_out, "the place is returned unpaid"


def test_who_answered_pages_and_goes_back_with_that_code_is_a_problem(play: Play) -> None:
    batch = make_batch()
    play.rounds()
    (study,) = open_ones()
    worker, people = play.stage.workers[0], play.stage.emulator.participants
    passing = come(play, study, worker).participation
    take(passing.worker, now=play.now, participation_id=passing.pk)
    play.answer(study, come(play, study, worker, new=False).participation)
    people.complete_by(worker, screen_out_code(study.token))
    play.rounds()
    assert "answered pages" in Problem.objects.get().detail
    check_books(play, batch)
