"""Only what has changed is asked for, and no change is missed for long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pytest

from annotation.models import Batch
from tests.workflows.crowd.scene import Scene, check_settled, make_crowd_batch, participation
from workflows.batches.lifecycle import move_batch
from workflows.crowd.models import Problem, Publication
from workflows.crowd.rounds.due_publications import due_publications
from workflows.crowd.rounds.step import CLOSING, LOOKING, PAYING, Stepped, round_of
from workflows.platforms.provider import Published, UnavailableError
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db


def round_by_turn(scene: Scene, **term: float) -> tuple[Stepped, Counter[str]]:
    """Do a round as background workers do it; return how often it asked what."""
    scene.wait(**term or {"seconds": 30})
    before = len(scene.fake.calls)
    stepped = round_of(provider=scene.fake, now=scene.now)
    return stepped, Counter(name for name, _ in scene.fake.calls[before:])


def begun(scene: Scene, images: int = 12, **crowd: object) -> list[Publication]:
    """Publish a batch, and look at its publications once."""
    make_crowd_batch(images=images, crowd=crowd)
    round_by_turn(scene)
    round_by_turn(scene)
    return scene.open()


def test_one_call_looks_at_all_of_which_nothing_new_is_told(scene: Scene) -> None:
    begun(scene)
    stepped, calls = round_by_turn(scene, minutes=2)
    assert stepped.quiet and calls == {"hints": 1, "published": 1}
    assert set(Publication.objects.values_list("seen_at", flat=True)) == {scene.now}


def test_a_submission_costs_its_list_and_its_approval(scene: Scene) -> None:
    first, *_ = begun(scene)
    place = scene.work(first)
    scene.fake.waiting.clear()  # the notification is lost
    stepped, calls = round_by_turn(scene, minutes=1)
    assert stepped.submissions == stepped.paid == 1
    assert calls == {"hints": 1, "published": 1, "submissions": 1, "approve": 1}
    assert participation(place).state == "approved"
    round_by_turn(scene, minutes=1)
    first.refresh_from_db()
    assert first.state == "settled"


def test_a_place_that_was_taken_counts_as_taken_without_a_look(scene: Scene) -> None:
    first, *_ = begun(scene)
    scene.fake.accept(first.external_id, "W1")
    _, calls = round_by_turn(scene, minutes=1)
    assert not calls["look"] and not calls["submissions"]
    first.refresh_from_db()
    assert first.free == 0


def test_after_the_clock_was_set_back_everything_is_looked_at_again(scene: Scene) -> None:
    first, *_ = begun(scene)
    place = scene.work(first)
    scene.fake.waiting.clear()  # the notification is lost
    round_by_turn(scene, hours=-2)
    assert participation(place).state == "approved"
    assert set(Publication.objects.values_list("seen_at", flat=True)) == {scene.now}


def test_what_a_notification_names_is_looked_at_though_the_list_knows_nothing(scene: Scene) -> None:
    first, *_ = begun(scene)
    scene.fake.notify("AssignmentSubmitted", first.external_id)
    round_by_turn(scene, seconds=5)
    assert scene.fake.called("look")[-1] == first.external_id


def test_answers_that_come_after_the_submission_are_paid(scene: Scene) -> None:
    first, *_ = begun(scene)
    place = scene.fake.accept(first.external_id, "W1")
    scene.fake.submit(place)
    round_by_turn(scene)
    assert participation(place).state == "submitted"
    _, calls = round_by_turn(scene)
    assert not calls["submissions"], "nothing new on either side"
    Participation.objects.filter(external_id=place).update(state="opened")
    scene.open_page(first, place, "W1")
    Participation.objects.filter(external_id=place).update(state="submitted")
    round_by_turn(scene)
    assert participation(place).state == "approved"


def test_who_left_loses_the_page_though_the_platforms_counts_stay(scene: Scene) -> None:
    first, *_ = begun(scene, places=3)
    place = scene.fake.accept(first.external_id, "W1")
    scene.open_page(first, place, "W1", answer=False)
    round_by_turn(scene)
    scene.fake.give_back(place)
    scene.wait(hours=2)
    round_by_turn(scene)
    assert participation(place).state == "returned"


def test_a_stranger_is_found_out_though_the_platforms_counts_stay(scene: Scene) -> None:
    first, *_ = begun(scene, places=3)
    place = scene.work(first)
    round_by_turn(scene)
    scene.open_page(first, place, "W666")
    round_by_turn(scene)
    strangers = Participation.objects.filter(worker__external_id="W666")
    assert strangers.get().state == "returned"
    assert Problem.objects.get().kind == Problem.Kind.STRANGER


def test_everything_is_done_by_turns_alone(scene: Scene) -> None:
    begun(scene, images=7, places=3)
    for _ in range(4):
        scene.work_all()
        round_by_turn(scene)
    scene.wait(minutes=11)
    for _ in range(6):
        round_by_turn(scene, minutes=1)
    check_settled(scene)
    assert scene.fake.calls.count(("balance", "")) == 1, "asked with the first round"


def test_a_list_that_breaks_off_is_made_up_for_one_by_one(scene: Scene) -> None:
    begun(scene, images=3)
    scene.fake.fail_next("published", UnavailableError("no answer"))
    stepped, calls = round_by_turn(scene, minutes=1)
    assert (stepped.failed, calls["look"]) == (1, 3)


def test_where_a_list_tells_no_counts_each_is_asked_for(scene: Scene) -> None:
    """This is how Prolific does it."""
    scene.fake.tells_all, scene.fake.lists_at_once = True, 0
    begun(scene, images=3)
    _, calls = round_by_turn(scene, minutes=1)
    assert (calls["published"], calls["look"], calls["submissions"]) == (0, 3, 3)


class Slow:
    """A clock by which each call to the platform takes a second."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def __call__(self) -> float:
        return float(len(self.scene.fake.calls))


def test_a_round_looks_for_so_long_only_and_leaves_nobody_out(scene: Scene) -> None:
    """Without lists, a round has most to do."""
    scene.fake.lists_at_once = 0
    batch = make_crowd_batch(images=60, crowd={"open_pages": 40})
    for _ in range(8):
        scene.wait(seconds=30)
        round_of(provider=scene.fake, now=scene.now, clock=Slow(scene))
    assert len(scene.open()) == 40
    begun_at = scene.now
    for number in range(12):
        scene.wait(seconds=30)
        for one in scene.open()[:5]:  # some that are always talked about
            scene.fake.notify(f"AssignmentAccepted-{number}", one.external_id)
        before = len(scene.fake.calls)
        stepped = round_of(provider=scene.fake, now=scene.now, clock=Slow(scene))
        assert len(scene.fake.calls) - before < 60
        assert stepped.put_off
    assert min(one.seen_at for one in scene.open() if one.seen_at) > begun_at
    batch.refresh_from_db()


def test_a_long_list_holds_up_nothing_and_what_is_older_is_asked_for(scene: Scene) -> None:
    """After a long time, many open publications lie among many more that are over."""
    begun(scene, images=100, open_pages=100)
    Publication.objects.update(seen_at=scene.now - timedelta(hours=1))
    oldest = scene.open()[0]
    scene.fake.lists_at_once, newest_first = 2, list(scene.fake.published())[::-1]

    def published() -> Iterator[Published]:
        for number, one in enumerate(newest_first):
            if number % 2 == 0:
                scene.fake.calls.append(("published", ""))
            yield one

    scene.fake.published = published  # type: ignore[method-assign]
    batch = make_crowd_batch(images=3)
    begin, seen = scene.now, len(scene.fake.calls)
    for _ in range(40):
        scene.wait(seconds=30)
        stepped = round_of(provider=scene.fake, now=scene.now, clock=Slow(scene))
        assert len(scene.fake.calls) - seen < 45
        seen = len(scene.fake.calls)
        oldest.refresh_from_db()
        if oldest.seen_at and oldest.seen_at > begin:
            break
        assert stepped.put_off
    assert oldest.seen_at and oldest.seen_at > begin
    assert Publication.objects.filter(batch=batch, state="open").count() == 3


def test_what_is_new_is_published_while_hundreds_wait_to_be_looked_at(scene: Scene) -> None:
    scene.fake.lists_at_once = 0
    begun(scene, images=30, open_pages=30)
    Publication.objects.update(seen_at=scene.now - timedelta(hours=1))
    batch = make_crowd_batch(images=3)
    scene.wait(seconds=30)
    stepped = round_of(provider=scene.fake, now=scene.now, clock=Slow(scene))
    assert stepped.put_off and stepped.published == 3
    assert Publication.objects.filter(batch=batch, state="open").count() == 3


def test_what_is_new_all_the_time_does_not_hold_up_what_was_seen_before(scene: Scene) -> None:
    """Otherwise a submission is never confirmed while a busy crowd takes what was just published."""
    first, *_, newest = begun(scene)
    scene.wait(seconds=30)
    Publication.objects.filter(pk=newest.pk).update(seen_at=None, created_at=scene.now)
    Publication.objects.filter(pk__in=(first.pk, newest.pk)).update(hinted=True)
    scene.wait(seconds=30)
    assert due_publications(scene.fake, scene.now, patient=True)[:2] == [first, newest]


def test_a_batch_that_is_cancelled_closes_in_the_time_that_others_leave(scene: Scene) -> None:
    begun(scene, images=60, open_pages=60)
    move_batch(batch=Batch.objects.get(), action="cancel")
    closed, calls = [], []
    while scene.open():
        scene.wait(seconds=30)
        before = len(scene.fake.calls)
        closed.append(round_of(provider=scene.fake, now=scene.now, clock=Slow(scene)).closed)
        calls.append(len(scene.fake.calls) - before)
    assert closed[0] > LOOKING + CLOSING and min(closed[1:-1]) > CLOSING + 1, closed
    assert max(calls) < 2 * (LOOKING + PAYING), "a round is no longer than before"
