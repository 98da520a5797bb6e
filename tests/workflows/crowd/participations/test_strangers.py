"""Strangers who open made-up sessions hold up nobody for long, and take nothing from real workers."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from annotation.models import Assignment, Item, Judgment
from tests.factories import replies
from tests.selection import and_nightly
from tests.workflows.crowd.scene import Scene, make_crowd_batch
from workflows.assignments.claim import Claim
from workflows.assignments.submit import submit
from workflows.crowd.domain.absence import SLACK
from workflows.crowd.models import Publication
from workflows.crowd.participations.domain.strangers import GRACE
from workflows.crowd.participations.sessions import begin, claim_place
from workflows.platforms.provider import Stand
from workflows.workers.enrolment import enrol_worker
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db
STRANGER, HOME = "198.51.100.7", "192.0.2.1"


def come(
    scene: Scene, publication: Publication, place: str, worker: str, address: str = STRANGER
) -> tuple[Participation, Claim | None]:
    """Open a session, and return the page that it gets."""
    one = begin(
        token=publication.token,
        stage=publication.stage,
        external_id=place,
        worker=worker,
        confirmed=False,
        submit_to="",
        now=scene.now,
        address=address,
    ).participation
    return one, claim_place(participation_id=one.pk, stage=None, key="", now=scene.now)


def answer(scene: Scene, claim: Claim) -> None:
    page = claim.assignment
    submit(worker_id=page.worker_id, assignment_id=page.pk, replies=replies(page), now=scene.now)


def page_of(participation: Participation) -> Assignment:
    return Assignment.objects.get(participation=participation)


def one_place(scene: Scene, **crowd: int) -> Publication:
    make_crowd_batch(images=3, crowd={"open_pages": 1, **crowd})
    scene.round()
    return Publication.objects.get()


def test_no_more_hold_a_page_than_there_are_places(scene: Scene) -> None:
    publication = one_place(scene, places=1)
    for number in range(5):
        scene.wait(seconds=1)
        come(scene, publication, f"A{number}", f"W{number}", f"198.51.100.{number}")
    live = Assignment.objects.filter(state="live")
    assert [one.worker.external_id for one in live.select_related("worker")] == ["W4"]
    assert Item.objects.filter(leased=1).count() == 1


def test_an_address_of_many_sessions_takes_no_page_from_a_worker(scene: Scene) -> None:
    publication = one_place(scene)
    come(scene, publication, "X1", "X1")
    mine, _ = come(scene, publication, "A1", "W1", HOME)
    for number in range(2, 6):
        scene.wait(seconds=1)
        assert come(scene, publication, f"X{number}", f"X{number}")[1] is None
    assert page_of(mine).state == "live"


def test_a_worker_who_lost_a_lease_loses_nothing_else(scene: Scene) -> None:
    publication = one_place(scene)
    place = scene.fake.accept(publication.external_id, "W1")
    mine, claim = come(scene, publication, place, "W1", HOME)
    assert claim is not None
    scene.wait(seconds=1)
    come(scene, publication, "X1", "X1")
    assert page_of(mine).state == "expired"
    answer(scene, claim)
    scene.fake.submit(place)
    scene.round()
    assert page_of(mine).state == "submitted" and Judgment.objects.count() == 1
    assert not Assignment.objects.filter(state="live", worker__external_id="X1").exists(), "no place is left"
    scene.round()
    assert Participation.objects.get(pk=mine.pk).state == "approved"


def test_pages_go_back_where_the_platform_says_that_nobody_is_at_work(scene: Scene) -> None:
    publication = one_place(scene)
    stranger, _ = come(scene, publication, "X1", "X1")
    scene.round()
    assert page_of(stranger).state == "live", "it may not know yet"
    scene.wait(seconds=GRACE.total_seconds())
    scene.round()
    assert page_of(stranger).state == "expired" and not Item.objects.filter(leased__gt=0).exists()
    assert come(scene, publication, "A1", "W1", HOME)[1] is not None


def test_a_clock_that_was_ahead_for_a_moment_keeps_no_page_longer(scene: Scene) -> None:
    publication = one_place(scene)
    scene.wait(hours=2)
    stranger, _ = come(scene, publication, "X1", "X1")
    scene.wait(hours=-2)
    scene.round()
    stranger.refresh_from_db()
    assert (stranger.opened_at, page_of(stranger).state) == (scene.now, "live")
    scene.wait(seconds=GRACE.total_seconds())
    scene.round()
    assert page_of(stranger).state == "expired" and not Item.objects.filter(leased__gt=0).exists()


def test_answers_that_were_invented_hold_nothing_for_long(scene: Scene) -> None:
    publication = one_place(scene)
    stranger, claim = come(scene, publication, "X1", "X1")
    assert claim is not None
    answer(scene, claim)
    scene.wait(seconds=GRACE.total_seconds())
    scene.round()
    assert page_of(stranger).state == "live", "platforms tell of what was submitted a little later"
    scene.wait(seconds=SLACK.total_seconds())
    scene.round()
    assert page_of(stranger).state == "expired" and page_of(stranger).held
    assert not Item.objects.filter(leased__gt=0).exists()


def test_who_is_at_work_as_the_platform_says_keeps_the_page(scene: Scene) -> None:
    publication = one_place(scene)
    place = scene.fake.accept(publication.external_id, "W1")
    mine, _ = come(scene, publication, place, "W1", HOME)
    for _ in range(10):
        scene.wait(minutes=5)
        scene.round()
    assert page_of(mine).state == "live"


def test_answers_that_were_put_aside_count_once_they_are_confirmed(scene: Scene) -> None:
    """A platform that tells of a submission much later than it should."""
    publication = one_place(scene)
    place = scene.fake.accept(publication.external_id, "W1")
    mine, claim = come(scene, publication, place, "W1", HOME)
    assert claim is not None
    answer(scene, claim)
    assignment = scene.fake.publications[publication.external_id].assignments[0]
    assignment.stand = Stand.RETURNED
    scene.wait(seconds=(SLACK + timedelta(minutes=1)).total_seconds())
    scene.round()
    assert page_of(mine).state == "expired"
    assignment.stand = Stand.WORKING
    scene.fake.submit(place)
    scene.round()
    assert page_of(mine).state == "submitted" and Judgment.objects.count() == 1


def test_where_workers_are_named_the_others_are_strangers(scene: Scene) -> None:
    """Prolific tells who works, so the count explains nobody else."""
    scene.fake.tells_all = True
    publication = one_place(scene)
    place = scene.fake.accept(publication.external_id, "W1")
    stranger, _ = come(scene, publication, "X1", "X1")
    scene.wait(seconds=GRACE.total_seconds())
    scene.round()
    assert page_of(stranger).state == "expired"
    mine, claim = come(scene, publication, place, "W1", HOME)
    assert claim is not None and mine.confirmed


def test_sessions_without_a_page_keep_nobody_out_once_the_platform_was_asked(scene: Scene) -> None:
    publication = one_place(scene)
    for number in range(25):
        come(scene, publication, f"X{number}", f"X{number}")
    scene.wait(seconds=GRACE.total_seconds())
    scene.round()
    assert come(scene, publication, "X99", "X99")[0].state == "opened"


def test_who_takes_a_place_again_as_the_platform_says_has_the_whole_time_again(scene: Scene) -> None:
    scene.fake.tells_all = True
    publication = one_place(scene)
    place = scene.fake.accept(publication.external_id, "W1")
    scene.round()
    scene.fake.give_back(place)
    scene.wait(hours=2)
    scene.round()
    assert Participation.objects.get().state == "returned"
    scene.fake.accept(publication.external_id, "W1")
    scene.round()
    held = Participation.objects.get()
    assert (held.state, held.opened_at) == ("opened", scene.now)


@pytest.mark.parametrize("places", and_nightly([6], [1], "the same pages, in publications of one place each"))
def test_a_slow_class_behind_one_address_keeps_its_pages_and_is_paid(
    scene: Scene, settings: Any, places: int
) -> None:
    settings.SESSIONS_PER_ADDRESS = 8
    make_crowd_batch(images=12, crowd={"open_pages": 6, "places": places})
    for lesson in (1, 2):
        scene.round()
        free = [one for one in scene.open() for _ in range(scene.fake.publications[one.external_id].places)]
        free = [one for one in free if scene.fake.publications[one.external_id].free(scene.now)]
        came = []
        for number, publication in enumerate(free[:6]):
            place = scene.fake.accept(publication.external_id, f"W{number}")
            came.append((place, *come(scene, publication, place, f"W{number}", HOME)))
        assert len(came) == 6
        for _ in range(4):
            scene.wait(minutes=10)
            scene.round()
        for place, participation, claim in came:
            assert claim is not None and page_of(participation).state == "live"
            answer(scene, claim)
            scene.fake.submit(place)
        scene.settle()
        assert Participation.objects.filter(state="approved").count() == 6 * lesson
    assert Judgment.objects.count() == 12


@pytest.mark.both_databases
def test_a_round_may_hear_of_a_place_while_its_page_is_opened(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The round writes the session between our look for it and our own writing."""
    publication = one_place(scene)

    def hear(**_: object) -> None:
        worker = enrol_worker(
            project=publication.batch.project, external_id="W1", provider=publication.provider
        )
        Participation.objects.create(
            publication=publication, external_id="A1", worker=worker, opened_at=scene.now, confirmed=True
        )

    monkeypatch.setattr("workflows.crowd.participations.sessions.check_crowd", hear)
    one, claim = come(scene, publication, "A1", "W1")
    assert one == Participation.objects.get() and one.confirmed
    assert claim is not None and page_of(one) == claim.assignment
