"""Three people finish a small batch, and whoever drew a box judges it if nobody else comes."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

import pytest

from annotation.domain.answers import Stage
from annotation.domain.protocols import DEFAULT_PROTOCOL, ENTITIES_PROTOCOLS
from annotation.models import Batch, Decision, Item, Judgment, QualificationTry, Worker
from tests import entities_fast
from tests.factories import (
    NOW,
    Answering,
    always,
    answer_page,
    claim_maybe,
    claim_page,
    make_at_stage,
    make_batch,
    make_chain_back,
    make_controlled,
    make_project,
    make_random_image,
    make_running,
    make_worker,
    submit_page,
    unsteady,
)
from tests.selection import and_nightly
from tests.workflows.pipeline.invariants import check_rules, is_over
from workflows.assignments.domain import own_boxes_until
from workflows.batch_settings.domain.setting_fields import SettingsError
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.domain.team import people_needed
from workflows.batches.lifecycle import BatchError
from workflows.batches.people import answers_for_somebody_new, invited_people
from workflows.batches.settings_edits import change_settings
from workflows.pipeline.advance import advance_pending

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

DAY = timedelta(hours=24)


def a_box_drawn(**settings: Any) -> tuple[Batch, Worker]:
    """Return a batch in which one box waits to be judged, and who drew it."""
    batch = make_running([["man"]], **settings)
    author = make_worker(batch.project, "author")
    answer_page(author, stage=Stage.DRAWING)
    advance_pending(now=NOW)
    return batch, author


def test_nobody_judges_their_own_box_unless_the_batch_says_so() -> None:
    _, author = a_box_drawn()
    assert claim_maybe(author, stage=Stage.QUALITY, now=NOW + 365 * DAY) is None


def test_who_drew_a_box_judges_it_after_the_hours_of_the_batch() -> None:
    batch, author = a_box_drawn(author_after_hours=24)
    assert claim_maybe(author, stage=Stage.QUALITY, now=NOW + DAY - timedelta(seconds=1)) is None
    page = claim_page(author, stage=Stage.QUALITY, now=NOW + DAY)
    submit_page(page, now=NOW + DAY)
    advance_pending(now=NOW + DAY)
    assert Item.objects.get(batch=batch, stage=Stage.QUALITY).state == Item.State.DONE
    check_rules(batch.project)


def test_work_of_others_comes_before_own_boxes() -> None:
    batch, author = a_box_drawn(author_after_hours=24, items_a_page={"quality": 10})
    other = make_at_stage(Stage.QUALITY, author_after_hours=24)
    Worker.objects.filter(pk=author.pk).update(project=other.project)
    Batch.objects.filter(pk=batch.pk).update(project=other.project, name="older")
    page = claim_page(author, stage=Stage.QUALITY, now=NOW + DAY)
    assert page.batch_id == batch.pk, "the older batch has nothing else"
    submit_page(page, now=NOW + DAY)
    page = claim_page(author, stage=Stage.QUALITY, now=NOW + DAY)
    assert page.batch_id == other.pk


def test_own_and_others_boxes_of_a_batch_come_on_different_pages() -> None:
    batch = make_running([["man"]], images=2, author_after_hours=24, items_a_page={"drawing": 1})
    author, other = make_worker(batch.project), make_worker(batch.project)
    for worker in (author, other):
        answer_page(worker, stage=Stage.DRAWING)
    advance_pending(now=NOW)
    late = NOW + DAY
    first = claim_page(author, stage=Stage.QUALITY, now=late)
    assert Item.objects.get(pk=first.items[0]).author_id == other.pk and len(first.items) == 1
    submit_page(first, now=late)
    assert Item.objects.get(pk=claim_page(author, stage=Stage.QUALITY, now=late).items[0]).author == author


def test_the_hours_can_be_given_later_and_not_be_taken_back() -> None:
    batch, author = a_box_drawn()
    change_settings(batch=batch, settings=parse_settings({"regime": "open", "author_after_hours": 0}))
    assert claim_maybe(author, stage=Stage.QUALITY) is not None
    with pytest.raises(BatchError, match="author_after_hours: it cannot be taken back"):
        change_settings(batch=batch, settings=parse_settings({"regime": "open"}))


@pytest.mark.parametrize("hours", [-1, 0.5, "24", 9000])
def test_hours_that_are_none_name_the_field(hours: object) -> None:
    with pytest.raises(SettingsError, match="author_after_hours: must be a whole number from 0 to 8760"):
        parse_settings({"author_after_hours": hours})


def test_a_box_must_have_waited_for_so_many_hours() -> None:
    assert own_boxes_until(None, NOW) is None
    assert own_boxes_until(24, NOW) == NOW - DAY


def test_answers_that_nobody_there_can_give_wait_for_somebody_new() -> None:
    batch, _ = a_box_drawn()
    assert invited_people(batch) == 1
    assert answers_for_somebody_new(batch) == 1
    change_settings(batch=batch, settings=parse_settings({"regime": "open", "author_after_hours": 24}))
    batch.refresh_from_db()
    assert answers_for_somebody_new(batch) == 0, "in the end, the author may"


def test_a_chain_that_came_back_waits_for_somebody_who_has_not_voted() -> None:
    """docs/protocol.md, stage 4: the judgments of the three count, so none of them gives a second one."""
    batch, people = make_chain_back()
    assert [claim_maybe(worker, now=NOW + 365 * DAY) for worker in people] == [None] * 3
    assert answers_for_somebody_new(batch) == 1
    answer_page(make_worker(batch.project), stage=Stage.REQUIREMENT)
    assert answers_for_somebody_new(batch) == 0


def test_a_fifth_person_decides_if_three_voted_and_a_fourth_found_nothing_to_draw() -> None:
    batch, people = make_chain_back(drawer=True)
    assert len(people) == 4 and max(people_needed(settings_of(batch)).values()) == 5
    assert [claim_maybe(worker, now=NOW + 365 * DAY) for worker in people] == [None] * 4
    assert answers_for_somebody_new(batch) == 1
    answer_page(make_worker(batch.project), stage=Stage.REQUIREMENT, answering=always({"requirement": "box"}))
    advance_pending(now=NOW)
    assert batch.items.get(state="open").stage == Stage.DRAWING, "three of five say that a box can be drawn"


def test_who_voted_before_votes_again_after_the_hours_of_the_batch() -> None:
    batch, people = make_chain_back(author_after_hours=24)
    assert answers_for_somebody_new(batch) == 0
    assert claim_maybe(people[0], now=NOW) is None
    assert claim_maybe(people[-1], now=NOW + DAY) is None, "whoever found nothing to draw has said so"
    claim_page(people[0], stage=Stage.REQUIREMENT, now=NOW + DAY)


def test_a_large_team_is_looked_at_if_the_rules_may_need_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workflows.batches.people.LARGE_TEAM", 2)
    batch, _ = make_chain_back()
    assert answers_for_somebody_new(batch) == 1


def test_somebody_who_comes_is_who_they_waited_for() -> None:
    batch, _ = a_box_drawn()
    make_worker(batch.project)
    assert answers_for_somebody_new(batch) == 0
    Worker.objects.exclude(external_id="author").update(blocked=True)
    assert answers_for_somebody_new(batch) == 1, "a blocked worker is not there"
    Worker.objects.update(blocked=True)
    assert answers_for_somebody_new(batch) == 1, "nobody is there at all"


def test_who_failed_the_test_or_is_one_of_many_is_not_who_answers_wait_for() -> None:
    batch = make_controlled("link", "trusted", images=30, screening={"test": True, "tries": 1})
    many = [make_worker(batch.project) for _ in range(12)]
    assert answers_for_somebody_new(batch) == 0
    for worker in many:
        QualificationTry.objects.create(
            worker=worker, stage="link", number=1, state="failed", pass_mark=0.8, started_at=NOW, ended_at=NOW
        )
    waiting = batch.items.filter(state="open").count()
    assert answers_for_somebody_new(batch) == waiting > 0, "twelve came, and none may"
    Decision.objects.create(
        project=batch.project, worker=many[0], stage="link", kind="restore", by="rita", created_at=NOW
    )
    assert answers_for_somebody_new(batch) == 0, "who is restored has all tries again"


def finish(batch: Batch, workers: list[Worker], answering: Answering) -> datetime:
    """Let the people work until nothing is asked any more. When nobody gets a page, a day passes."""
    now, idle = NOW, 0
    for _ in range(2000):
        if is_over(batch.project):
            return now
        found = [one for worker in workers if (one := claim_maybe(worker, now=now))]
        for one in found:
            submit_page(one.assignment, answering=answering, now=now)
        advance_pending(now=now)
        idle = 0 if found else idle + 1
        assert idle < 3, f"{answers_for_somebody_new(batch)} answers wait for somebody new"
        now += DAY if idle else timedelta(minutes=5)
    raise AssertionError("the batch never ends")


@pytest.mark.parametrize("seed", and_nightly([0], [1], "other random work"))
def test_three_people_finish_a_small_batch_to_the_end(seed: int) -> None:
    rng = random.Random(seed)
    project = make_project()
    for _ in range(6):
        make_random_image(project, rng)
    batch = make_batch(project, author_after_hours=24, seed=seed)
    people = [make_worker(project) for _ in range(3)]
    finish(batch, people, unsteady(rng))
    assert answers_for_somebody_new(batch) == 0
    assert Judgment.objects.filter(item__batch=batch).count() > 60
    check_rules(project)


@pytest.mark.parametrize("seed", and_nightly([0], [1, 2, 3], "other random work"))
@pytest.mark.parametrize("protocol", ENTITIES_PROTOCOLS)
def test_as_many_people_as_the_rules_may_need_finish_any_batch(protocol: str, seed: int) -> None:
    rng = random.Random(seed)
    project = make_project()
    for _ in range(6):
        make_random_image(project, rng)
    batch = make_batch(project, protocol=protocol, seed=seed)
    people = [make_worker(project) for _ in range(max(people_needed(settings_of(batch)).values()))]
    finish(batch, people, unsteady(rng) if protocol == DEFAULT_PROTOCOL else entities_fast.unsteady(rng))
    assert answers_for_somebody_new(batch) == 0
    check_rules(project)


def test_whoever_is_left_judges_the_boxes_they_drew() -> None:
    """Two of three leave after the links; the third finishes what one person can finish."""
    batch = make_running([["man"]], images=6, author_after_hours=24)
    last = make_worker(batch.project)
    now = finish_boxes(batch, last)
    assert now >= NOW + DAY
    judged = Judgment.objects.filter(item__batch=batch, item__stage=Stage.QUALITY, worker=last)
    assert judged.count() == 6
    # Coverage takes two opinions, so these do wait for somebody new.
    assert answers_for_somebody_new(batch) == 6


def finish_boxes(batch: Batch, worker: Worker) -> datetime:
    now = NOW
    for _ in range(30):
        if (found := claim_maybe(worker, now=now)) is not None:
            submit_page(found.assignment, now=now)
            advance_pending(now=now)
        elif now > NOW + 3 * DAY:
            return now
        else:
            now += timedelta(hours=12)
    raise AssertionError("there is always something to do")
