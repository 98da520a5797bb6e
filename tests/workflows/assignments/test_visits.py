"""Pages of visits: everything that a stage asks about an image, and one visit while others are there."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from functools import partial
from itertools import groupby
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.answers import Stage
from annotation.domain.page_entries import ITEM, QUESTION, Candidate, merge_entries, place_together
from annotation.models import Assignment, Batch, Item, Judgment, Worker
from tests.factories import (
    NOW,
    answer_page,
    claim_maybe,
    claim_page,
    make_controlled,
    make_questions,
    make_running,
    make_worker,
    replies,
    submit_page,
)
from tests.query_plans import plan_of
from tests.workflows.pipeline.invariants import check_promises
from tests.workflows.threads import at_once
from workflows.assignments.claim import claim
from workflows.assignments.domain import (
    AGAIN_AFTER,
    NEVER,
    Sighting,
    draw_questions,
    match_visits,
    split_page,
)
from workflows.assignments.leases import return_page
from workflows.assignments.submit import submit
from workflows.batch_settings.domain.setting_fields import SettingsError
from workflows.batch_settings.domain.settings import parse_settings
from workflows.pipeline.advance import advance_pending

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

MEN = [["man"], ["man"], ["man"]]
"""Captions of which `exhaustive` asks three links at once."""


def visiting(images: int = 4, **settings: Any) -> Batch:
    return make_running(MEN, images=images, strategy="exhaustive", page="visit", **settings)


def questioned(batch: Batch, share: float) -> None:
    """Let this share of the places of the batch's link pages be verification questions."""
    make_questions(batch.project, "link", images=40, each=5)
    given = {
        "regime": dict.fromkeys(map(str, Stage), "open") | {"link": "verification"},
        "screening": {"test": False},
        "control": {"verification_share": share},
    }
    batch.settings = parse_settings(batch.settings | given).to_json()
    batch.save()


def runs(page: Assignment) -> list[int]:
    """Return how many items come in a row about each image, and check that no image comes twice."""
    found = [(image, len(list(group))) for image, group in groupby(page.images)]
    assert len({image for image, _ in found}) == len(found)
    return [number for _, number in found]


def test_a_page_asks_everything_about_an_image_and_is_filled_up_with_the_next() -> None:
    batch = visiting(items_a_page={"link": 5})
    first, second = (claim_page(make_worker(batch.project)) for _ in range(2))
    assert (runs(first), runs(second)) == ([3, 2], [1, 3, 1])
    assert len({*first.items, *second.items}) == 10


def test_what_waits_far_behind_in_the_queue_comes_along() -> None:
    batch = visiting(images=200, items_a_page={"link": 3})
    image = Item.objects.order_by("queued_at", "pk")[0].work
    late = Item.objects.filter(work=image).order_by("-pk")[0]
    Item.objects.filter(pk=late.pk).update(queued_at=NOW + timedelta(hours=1))
    assert late.pk in claim_page(make_worker(batch.project)).items


def test_mixed_pages_stay_the_default() -> None:
    batch = make_running(MEN, images=10, strategy="exhaustive")
    questioned(batch, 0.2)
    page = claim_page(make_worker(batch.project), stage="link")
    assert len(set(page.images)) == 10
    with pytest.raises(SettingsError, match="page: "):
        parse_settings({"page": "photograph"})


def test_a_worker_visits_an_image_once_in_a_stage_unless_nobody_else_is_there() -> None:
    batch = make_running(MEN, strategy="greedy", page="visit")
    worker, other = make_worker(batch.project), make_worker(batch.project)
    answer_page(worker, stage=Stage.LINK, answering=lambda *_: {"same": False})
    advance_pending(now=NOW)
    soon = NOW + AGAIN_AFTER - timedelta(seconds=1)
    assert claim_maybe(worker, stage=Stage.LINK, now=soon) is None
    page = claim_page(other, stage=Stage.LINK, now=soon)
    return_page(worker_id=other.pk, assignment_id=page.pk)
    assert claim_page(worker, stage=Stage.LINK, now=NOW + AGAIN_AFTER).items == page.items


def test_who_could_not_tell_has_visited_the_image_too() -> None:
    batch = visiting(images=1, items_a_page={"link": 1}, unsure_share=0.5)
    worker = make_worker(batch.project)
    answer_page(worker, answering=lambda *_: {"unsure": True})
    assert claim_maybe(worker) is None
    assert claim_maybe(make_worker(batch.project)) is not None


def test_other_images_come_before_a_second_visit() -> None:
    batch = visiting(images=2, items_a_page={"link": 2})
    worker = make_worker(batch.project)
    seen = []
    for _ in range(3):
        page = claim_page(worker, now=NOW + timedelta(days=1))
        seen.append(set(page.images))
        submit_page(page, now=NOW + timedelta(days=1))
    assert len(seen[0]) == len(seen[1]) == 1 and seen[0] != seen[1]
    assert seen[2] == seen[0] | seen[1], "what is left of both"


def test_nobody_judges_what_they_drew_in_a_visit() -> None:
    batch = make_running(
        [["man", "dog"]], page="visit", items_a_page={"drawing": 1}, skip_requirement=["people", "animals"]
    )
    workers = [make_worker(batch.project) for _ in range(2)]
    for worker in workers:
        answer_page(worker, stage=Stage.DRAWING)
    advance_pending(now=NOW)
    for worker in workers:
        (item,) = claim_page(worker, stage=Stage.QUALITY).items
        assert Item.objects.get(pk=item).author not in (None, worker)


def test_with_visits_a_claim_takes_one_statement_more_and_reads_items_by_their_image() -> None:
    batch, usual = visiting(), make_running(MEN, images=4, strategy="exhaustive")
    asked = []
    for one in (usual, batch):
        worker = make_worker(one.project)
        with CaptureQueriesContext(connection) as captured:
            claim_page(worker, stage="link")
        asked.append([query["sql"] for query in captured])
    assert len(asked[1]) == len(asked[0]) + 1
    (heads,) = [sql for sql in asked[1] if "GROUP BY head" in sql]
    (taken,) = [sql for sql in asked[1] if "SET leased = leased + 1" in sql]
    assert "item_queue" in plan_of(heads)
    assert "item_queue" not in plan_of(taken)


@pytest.mark.django_db(transaction=True)
def test_workers_who_come_at_once_share_the_images_without_overlap() -> None:
    batch = visiting(images=20, items_a_page={"link": 4})
    found = at_once([partial(claim_maybe, make_worker(batch.project)) for _ in range(16)])
    pages = [one.assignment for one in found if one]
    items = [item for page in pages for item in page.items]
    assert len(items) == len(set(items)) == 60, "every item is leased, and once"
    assert all(runs(page) for page in pages)
    check_promises(batch.project)


@pytest.mark.django_db(transaction=True)
def test_a_worker_who_claims_at_once_under_many_keys_visits_no_image_twice() -> None:
    batch = visiting(images=8, items_a_page={"link": 2})
    worker = make_worker(batch.project)
    calls = [
        partial(claim, worker_id=worker.pk, stage="link", now=NOW, key=str(number)) for number in range(4)
    ]
    found = at_once(calls)
    images = [set(one.assignment.images) for one in found if one]
    assert len(images) == 4
    assert len(set.union(*images)) == sum(map(len, images))
    check_promises(batch.project)


@pytest.mark.django_db(transaction=True)
def test_pages_that_are_claimed_and_submitted_at_once_lead_to_one_visit_a_worker_and_image() -> None:
    batch = visiting(images=6, items_a_page={"link": 2})

    def work(worker: Worker) -> None:
        for _ in range(4):
            if found := claim_maybe(worker, stage="link"):
                submit_page(found.assignment)

    at_once([partial(work, make_worker(batch.project)) for _ in range(6)])
    pages = Assignment.objects.filter(stage="link").values_list("worker", "images")
    visits = Counter((worker, image) for worker, images in pages for image in set(images))
    assert visits and set(visits.values()) == {1}
    check_promises(batch.project)


def test_what_came_before_on_the_page_is_stored_with_each_judgment() -> None:
    batch = visiting(images=2, items_a_page={"link": 5})
    page = claim_page(make_worker(batch.project))
    submit_page(page)
    further = dict(Judgment.objects.values_list("item_id", "further"))
    assert [further[item] for item in page.items] == [False, True, True, False, True]


def test_how_a_box_was_drawn_is_stored_and_belongs_to_boxes() -> None:
    batch = make_running([["man"]], images=3)
    worker = make_worker(batch.project)
    page = claim_page(worker, stage=Stage.DRAWING)
    ways = ["drag", "keys", None]
    given = [
        type(reply)(item=reply.item, answer=reply.answer, drawn_by=way)
        for reply, way in zip(replies(page), ways, strict=True)
    ]
    submit(worker_id=worker.pk, assignment_id=page.pk, replies=given, now=NOW)
    assert list(Judgment.objects.order_by("pk").values_list("drawn_by", flat=True)) == ["drag", "keys", ""]
    assert not Judgment.objects.filter(further=True).exists()


def test_a_visit_of_questions_looks_like_a_visit_of_items() -> None:
    batch = visiting(images=200)
    questioned(batch, 0.4)
    worker = make_worker(batch.project)
    asked: Counter[int] = Counter()
    among: Counter[int] = Counter()
    for seed in range(12):
        found = claim(worker_id=worker.pk, stage="link", now=NOW, rng=Random(seed))
        assert found
        page = found.assignment
        kinds = [kind for kind, _ in merge_entries(page.items, page.checks)]
        assert len(kinds) == 10
        for _, group in groupby(zip(page.images, kinds, strict=True), key=lambda one: one[0]):
            of_image = [kind for _, kind in group]
            assert len(set(of_image)) == 1, "an image has items or questions"
            among[len(of_image)] += 1
            asked[len(of_image)] += of_image[0] == QUESTION
        runs(page)
        submit_page(page)
    assert set(among) == {1, 3}, "three visits, and the begin of a fourth"
    assert 6 <= asked[3] <= 24 and 1 <= asked[1] <= 9, "0.4 of 36 and of 12"
    check_promises(batch.project)


def test_entrance_pages_ask_image_by_image() -> None:
    batch = make_controlled("link", "trusted", page="visit")
    page = claim_page(make_worker(batch.project), stage="link")
    assert not page.items and runs(page) == [5, 5]


# The pure rules


def test_a_page_is_split_among_images_up_to_its_size() -> None:
    assert split_page([(7, 3), (8, 4), (9, 9)], 5) == {7: 3, 8: 2}
    assert split_page([(7, 3)], 5) == {7: 3}
    assert split_page([], 5) == {}


def test_a_visit_is_matched_with_as_many_questions_about_one_image_seen_as_often() -> None:
    candidates = [
        (10 * image + n, image) for image, number in ((1, 2), (2, 4), (3, 4), (4, 4)) for n in range(number)
    ]
    seen = {3: Sighting(earlier=1, ago=2), 50: Sighting(earlier=1, ago=2), 4: Sighting(here=1, ago=1)}
    for seed in range(20):
        matched = match_visits(candidates, {50: 3, 51: 4}, seen=seen, rng=Random(seed))
        assert {image for _, image in matched[50]} == {3} and len(matched[50]) == 3
        assert {image for _, image in matched[51]} == {2} and len(matched[51]) == 4
    assert match_visits([], {50: 3}, seen={}, rng=Random(0)) == {50: []}
    short = match_visits([(1, 9)], {50: 3, 51: 1}, seen={}, rng=Random(0))
    assert sorted(map(len, short.values())) == [0, 1], "no image is matched twice"
    assert seen.get(51, NEVER) == NEVER


@pytest.mark.parametrize("number", [3, 1])
def test_the_share_of_questions_is_exact_even_if_an_image_has_few(number: int) -> None:
    rng = Random(5)
    matched: dict[int, list[Candidate]] = {1: [(n, 9) for n in range(number)], 2: []}
    drawn = [
        len(matched[image])
        for _ in range(20_000)
        for image in draw_questions({1: 3, 2: 7}, matched, 0.1, rng)
    ]
    assert abs(sum(drawn) / 20_000 - 0.3) < 0.03


def test_everything_about_an_image_comes_in_a_row_and_no_order_is_likelier() -> None:
    rng, first = Random(3), Counter[tuple[str, int]]()
    items, questions = [(1, 5), (2, 6), (3, 5)], [(8, 7), (9, 7)]
    for _ in range(3000):
        placed, checks = place_together(items, questions, rng)
        entries = merge_entries(placed, checks)
        image_of = {(ITEM, pk): image for pk, image in items} | {(QUESTION, pk): 7 for pk, _ in questions}
        assert [len(list(group)) for _, group in groupby(image_of[one] for one in entries)].count(2) == 2
        first[entries[0]] += 1
    assert 900 < first[ITEM, 2] < 1100
    assert all(420 < first[one] < 580 for one in ((ITEM, 1), (ITEM, 3), (QUESTION, 8), (QUESTION, 9)))
