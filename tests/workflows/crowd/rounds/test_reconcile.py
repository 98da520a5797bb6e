"""What a comparison repairs, and what it leaves to people."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.workflows.crowd.scene import (
    FEE,
    REWARD,
    Scene,
    budget,
    check_money,
    check_settled,
    make_crowd_batch,
    participation,
)
from tests.workflows.platforms.orders import make_order
from workflows.core.locks import try_lock
from workflows.crowd.actions import pay_more
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Payment, Problem, Publication
from workflows.crowd.problems import close_problems
from workflows.crowd.publications.orphans import expire_orphan
from workflows.crowd.publications.plan import plan_publications
from workflows.crowd.rounds.findings import Report
from workflows.crowd.rounds.reconcile import BusyError, reconcile
from workflows.crowd.rounds.step import lock_name
from workflows.platforms.provider import Bonus, Money, Stand, UnavailableError
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db


def compare(scene: Scene) -> Report:
    scene.wait(seconds=15)
    return reconcile(provider=scene.fake, now=scene.now)


def kinds() -> list[str]:
    return sorted(Problem.objects.filter(closed_at=None).values_list("kind", flat=True))


def test_sides_that_agree_need_nothing(scene: Scene) -> None:
    make_crowd_batch()
    scene.round()
    report = compare(scene)
    assert (report.compared, report.repaired, report.problems) == (1, [], [])


def test_what_was_planned_before_a_crash_is_published(scene: Scene) -> None:
    make_crowd_batch()
    plan_publications(provider=scene.fake, now=scene.now)
    assert compare(scene).repaired and len(scene.fake.publications) == 1


def test_what_was_published_before_a_crash_is_taken_over(scene: Scene) -> None:
    make_crowd_batch()
    scene.fake.fail_next("publish", UnavailableError("no answer"), after=True)
    scene.round()
    assert Publication.objects.get().state == "planned" and len(scene.fake.publications) == 1
    assert len(compare(scene).repaired) == 1
    assert (Publication.objects.get().state, len(scene.fake.publications)) == ("open", 1)


def test_a_batch_that_ended_meanwhile_closes_what_was_published_unheard(scene: Scene) -> None:
    batch = make_crowd_batch()
    scene.fake.fail_next("publish", UnavailableError("no answer"), after=True)
    scene.round()
    batch.state = "cancelled"
    batch.save()
    compare(scene)
    scene.settle()
    check_settled(scene)


def test_a_batch_that_ended_gives_up_what_was_never_published(scene: Scene) -> None:
    batch = make_crowd_batch()
    plan_publications(provider=scene.fake, now=scene.now)
    batch.state = "cancelled"
    batch.save()
    compare(scene)
    assert Publication.objects.get().state == "planned", "a call may still be on its way"
    scene.wait(minutes=5)
    compare(scene)
    assert (Publication.objects.get().state, budget(batch).reserved) == ("failed", 0)


def test_a_call_that_arrives_after_it_was_given_up_is_closed_and_paid(scene: Scene) -> None:
    batch = make_crowd_batch()
    plan_publications(provider=scene.fake, now=scene.now)
    publication = Publication.objects.get()
    batch.state = "paused"
    batch.save()
    scene.wait(minutes=5)
    compare(scene)
    order = make_order(token=publication.token, reward=Money(REWARD, "USD"), places=1)
    late = scene.fake.plant(order)
    compare(scene)
    publication.refresh_from_db()
    assert (publication.state, publication.expiring) == ("open", True)
    batch.state = "running"
    batch.save()
    scene.work(publication)
    scene.settle()
    assert late.assignments[0].stand == Stand.APPROVED
    check_money(scene)


def test_an_order_of_another_installation_is_said_and_left_alone(scene: Scene) -> None:
    there = scene.fake.plant(make_order(token="of-another-installation", places=2))
    scene.fake.work(there.external_id, "W1")
    assert compare(scene).new == 1 and kinds() == ["orphan"]
    scene.round()
    assert not scene.fake.called("expire") and there.free(scene.now), "it may be another's, and live"


def test_an_order_of_nobody_is_closed_where_a_person_says_so_and_said_until_it_is_over(scene: Scene) -> None:
    there = scene.fake.plant(make_order(token="of-another-database", places=1))
    place = scene.fake.work(there.external_id, "W1")
    with pytest.raises(VerbError, match="there is no publication of this id"):
        expire_orphan(provider=scene.fake, external_id=there.external_id)
    assert compare(scene).new == 1 and kinds() == ["orphan"]
    expire_orphan(provider=scene.fake, external_id=there.external_id)
    assert not there.free(scene.now)
    assert compare(scene).new == 0, "said once"
    scene.fake.approve(place)
    assert compare(scene).gone == 1 and kinds() == []


def test_a_second_publication_of_an_order_is_closed_and_its_work_is_paid(scene: Scene) -> None:
    make_crowd_batch(images=2, crowd={"open_pages": 1})
    scene.round()
    publication = scene.open()[0]
    first = scene.fake.publications[publication.external_id]
    second = scene.fake.plant(first.order)
    place = scene.fake.accept(second.external_id, "W2")
    scene.open_page(publication, place, "W2")
    scene.fake.submit(place)
    compare(scene)
    assert kinds() == ["double"] and not second.free(scene.now)
    scene.round()
    assert participation(place).state == "approved"
    assert second.assignments[0].stand == Stand.APPROVED
    check_money(scene)
    compare(scene)
    assert kinds() == []


def test_one_publication_that_cannot_be_read_holds_up_no_other(scene: Scene) -> None:
    make_crowd_batch(images=3)
    orphan = scene.fake.plant(make_order(token="of-another-installation", places=1))
    scene.round()
    compare(scene)
    for publication in scene.open():
        scene.fake.work(publication.external_id, "W1")
    scene.fake.expire(orphan.external_id)  # the comparison could say that this is gone
    scene.fake.fail_next("look", UnavailableError("a fault of its own"))
    report = compare(scene)
    assert (report.failed, report.compared, report.gone, report.clean) == (1, 2, 0, False)
    assert Participation.objects.filter(state="submitted").count() == 2
    report = compare(scene)
    assert (report.failed, report.compared, report.gone) == (0, 3, 1)


def test_a_comparison_ends_where_the_platform_goes_away(scene: Scene) -> None:
    make_crowd_batch(images=5)
    scene.round()
    asked = len(scene.fake.called("look"))
    for _ in range(5):
        scene.fake.fail_next("look", UnavailableError("no answer"))
    report = compare(scene)
    assert (report.failed, report.compared, len(scene.fake.called("look")) - asked) == (3, 0, 3)


def test_what_the_platform_approved_by_itself_is_booked_once(scene: Scene) -> None:
    batch = make_crowd_batch(crowd={"approval_seconds": 60})
    scene.round()
    scene.fake.work(scene.open()[0].external_id, "W1")  # and no answers come
    scene.wait(seconds=61)
    compare(scene)
    compare(scene)
    assert budget(batch).spent == REWARD + FEE
    check_money(scene)


def test_answers_that_never_came_are_a_problem_until_a_researcher_decides(scene: Scene) -> None:
    make_crowd_batch()
    scene.round()
    place = scene.fake.work(scene.open()[0].external_id, "W1")
    assert compare(scene).problems == []
    scene.wait(hours=1)
    assert len(compare(scene).problems) == 1 and kinds() == ["lost"]
    assert participation(place).state == "submitted", "nobody is rejected by a rule"


def owe_bonus(scene: Scene, place: str) -> Payment:
    return pay_more(
        provider=scene.fake,
        participation_id=participation(place).pk,
        kind=Payment.Kind.BONUS,
        amount=50,
        reason="Careful work.",
        token="b1",
        by="ada",
        now=scene.now,
    )


def approved(scene: Scene) -> str:
    make_crowd_batch()
    scene.round()
    place = scene.work(scene.open()[0])
    scene.round()
    return place


def test_a_bonus_paid_unheard_is_booked(scene: Scene) -> None:
    place = approved(scene)
    payment = owe_bonus(scene, place)
    scene.fake.fail_next("bonus", UnavailableError("no answer"), after=True)
    scene.round()
    payment.refresh_from_db()
    assert payment.state == "due" and len(scene.fake.paid) == 1
    compare(scene)
    payment.refresh_from_db()
    assert payment.state == "done" and len(scene.fake.paid) == 1
    check_money(scene)


def test_a_bonus_that_nobody_asked_for_is_said(scene: Scene) -> None:
    place = approved(scene)
    one = participation(place)
    (publication,) = scene.fake.publications
    owe_bonus(scene, place)
    scene.round()
    paid = scene.fake.paid[0]
    assert paid.publication_id == publication and one.worker.external_id == paid.bonus.worker
    scene.fake.paid.append(replace(paid, bonus=Bonus(place, "W1", Money(9, "USD"), "", "unknown")))
    compare(scene)
    assert kinds() == ["orphan"]
    assert "a bonus of 0.09 USD for" in Problem.objects.get(kind="orphan").detail


def test_a_bonus_that_is_booked_and_not_there_is_said_and_not_paid_again(scene: Scene) -> None:
    place = approved(scene)
    owe_bonus(scene, place)
    scene.round()
    paid = scene.fake.paid.pop()
    compare(scene)
    assert kinds() == [], "platforms tell of it a little later"
    scene.wait(minutes=10)
    compare(scene)
    assert kinds() == ["unpaid"] and not scene.fake.paid
    scene.fake.paid.append(paid)
    assert compare(scene).gone == 1


def test_an_approval_that_the_platform_forgot_is_repeated(scene: Scene) -> None:
    place = approved(scene)
    (there,) = scene.fake.publications.values()
    there.assignments[0].stand = Stand.SUBMITTED
    assert any(place in line for line in compare(scene).repaired)
    assert there.assignments[0].stand == Stand.APPROVED
    check_money(scene)


def test_a_problem_that_a_person_closed_stays_closed(scene: Scene) -> None:
    there = scene.fake.plant(make_order(token="of-another-database", places=1))
    scene.fake.work(there.external_id, "W1")
    compare(scene)
    close_problems(keys=Problem.objects.values_list("key", flat=True), by="ada", now=scene.now)
    assert compare(scene).problems == [] and kinds() == []


def test_a_comparison_waits_for_a_round_that_is_under_way(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered: list[str] = []

    def taken(name: str) -> Any:
        entered.append(name)
        return _Taken()

    class _Taken:
        def __enter__(self) -> bool:
            return False

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr("workflows.crowd.rounds.reconcile.try_lock", taken)
    with pytest.raises(BusyError):
        compare(scene)
    assert entered == [lock_name(scene.fake)] and try_lock is not taken
