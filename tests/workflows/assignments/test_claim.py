from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection

from annotation.domain.answers import Stage
from annotation.models import Assignment, Item, Worker
from tests.factories import (
    LATER,
    NOW,
    answer_page,
    claim_maybe,
    claim_page,
    make_at_stage,
    make_batch,
    make_image,
    make_project,
    make_running,
    make_worker,
    submit_page,
)
from workflows.assignments.claim import (
    PAGES_AT_ONCE,
    ClaimError,
    Place,
    TooManyPagesError,
    claim,
    claim_next,
)
from workflows.assignments.leases import expire_leases
from workflows.pipeline.advance import advance_pending
from workflows.workers.enrolment import WorkerBlockedError

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

LINK = [["man"], ["man"]]


def test_a_page_has_the_items_that_waited_longest_and_no_more_than_the_stage_allows() -> None:
    batch = make_running(LINK, images=12)
    page = claim_page(make_worker(batch.project))
    assert page.stage == Stage.LINK
    assert page.items == list(Item.objects.order_by("queued_at", "pk").values_list("pk", flat=True)[:10])
    assert page.expires_at == NOW + timedelta(seconds=900)


@pytest.mark.parametrize(
    ("stage", "size"),
    [
        ("link", 10),
        ("verification", 5),
        ("requirement", 10),
        ("drawing", 5),
        ("quality", 10),
        ("coverage", 10),
    ],
)
def test_pages_have_the_sizes_of_the_papers_table_3(stage: str, size: int) -> None:
    batch = make_at_stage(stage, images=11)
    assert len(claim_page(make_worker(batch.project), stage=stage).items) == size


def test_claiming_again_gives_the_same_page() -> None:
    batch = make_running(LINK, images=25)
    worker = make_worker(batch.project)
    first = claim_maybe(worker)
    again = claim_maybe(worker, now=NOW + timedelta(seconds=5))
    by_stage = claim_maybe(worker, stage="link")
    assert first and first.created
    assert again and not again.created and again.assignment == first.assignment
    assert again.assignment.expires_at == first.assignment.expires_at
    assert by_stage and by_stage.assignment == first.assignment
    assert Item.objects.filter(leased=1).count() == 10


def test_a_worker_may_hold_pages_of_several_stages_but_no_item_twice() -> None:
    batch = make_running([["man", "dog"], ["man", "park"]])
    worker = make_worker(batch.project)
    answer_page(make_worker(batch.project))
    advance_pending(now=NOW)
    pages = [claim_page(worker, stage=stage) for stage in ("verification", "requirement")]
    items = [item for page in pages for item in page.items]
    assert len(items) == len(set(items)) == 3
    with_any = claim_maybe(worker)
    assert with_any and not with_any.created, "without a stage, a page in hand comes first"


def test_items_on_a_page_are_on_no_other_page() -> None:
    batch = make_running(LINK, images=15)
    pages = [claim_page(make_worker(batch.project)) for _ in range(2)]
    assert sorted(pages[0].items + pages[1].items) == sorted(Item.objects.values_list("pk", flat=True))
    assert claim_maybe(make_worker(batch.project)) is None


def test_no_plan_leases_more_than_a_page() -> None:
    """If a plan looks at the head of the queue again for every row, it leases the whole queue."""
    batch = make_running(LINK, images=40, items_a_page={"link": 3})
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for method in ("hashjoin", "mergejoin", "hashagg", "sort", "material"):
                cursor.execute(f"SET LOCAL enable_{method} = off")
    assert len(claim_page(make_worker(batch.project)).items) == 3
    assert Item.objects.filter(leased=1).count() == 3


def test_nobody_is_asked_twice_about_one_item() -> None:
    """After a first yes, a coverage item needs a second worker."""
    batch = make_at_stage("coverage")
    first, second = make_worker(batch.project), make_worker(batch.project)
    answer_page(first, stage="coverage")
    advance_pending(now=NOW)
    assert claim_maybe(first, stage="coverage") is None
    assert len(claim_page(second, stage="coverage").items) == 1


def test_who_drew_a_box_never_judges_it() -> None:
    batch = make_at_stage("drawing")
    drawer, other = make_worker(batch.project), make_worker(batch.project)
    answer_page(drawer, stage="drawing")
    advance_pending(now=NOW)
    assert claim_maybe(drawer, stage="quality") is None
    assert claim_maybe(drawer) is None
    assert len(claim_page(other, stage="quality").items) == 1


def test_who_said_that_no_box_is_needed_is_not_asked_whether_one_is() -> None:
    batch = make_at_stage("drawing")
    drawer, other = make_worker(batch.project), make_worker(batch.project)
    answer_page(drawer, stage="drawing", answering=lambda *_: {"box": None})
    advance_pending(now=NOW)
    assert claim_maybe(drawer, stage="requirement") is None
    assert len(claim_page(other, stage="requirement").items) == 1


def test_without_a_stage_a_full_page_late_in_the_pipeline_comes_first() -> None:
    project = make_project()
    for _ in range(2):
        make_image(project, [["dog"]])
    for _ in range(5):
        make_image(project, [["man"]])
    make_batch(project)
    stages = [claim_page(make_worker(project)).stage for _ in range(2)]
    assert stages == ["drawing", "requirement"], "five of five drawings, then two of ten requirements"


def test_without_a_stage_the_batchs_priorities_come_before_anything_else() -> None:
    project = make_project()
    make_image(project, [["dog"]])
    make_image(project, [["man"]])
    make_batch(project, priorities={"requirement": 1})
    assert claim_page(make_worker(project)).stage == "requirement"


def test_a_stage_without_work_for_this_worker_does_not_hide_one_with_work() -> None:
    batch = make_at_stage("drawing", images=2, items_a_page={"drawing": 1})
    worker = make_worker(batch.project)
    answer_page(worker, stage="drawing")
    advance_pending(now=NOW)
    assert claim_page(worker).stage == "drawing", "quality comes first, but all of it is the worker's own"


def test_work_of_other_projects_is_not_given() -> None:
    make_running(LINK)
    assert claim_maybe(make_worker(make_project())) is None


def test_batches_are_worked_off_in_turn() -> None:
    project = make_project()
    batches = []
    for name in ("first", "second"):
        make_image(project, LINK)
        batches.append(make_batch(project, name=name))
    assert [claim_page(make_worker(project)).batch for _ in batches] == batches


def test_an_item_released_by_its_lease_is_given_to_others() -> None:
    batch = make_running(LINK)
    first = claim_page(make_worker(batch.project))
    other = make_worker(batch.project)
    assert claim_maybe(other, now=LATER) is None
    assert expire_leases(now=LATER) == 1
    assert claim_page(other, now=LATER).items == first.items


def test_a_lease_that_ran_out_unnoticed_is_the_workers_again_for_a_full_term() -> None:
    batch = make_running(LINK)
    worker = make_worker(batch.project)
    page = claim_page(worker)
    again = claim_maybe(worker, now=LATER)
    assert again and not again.created and again.assignment == page
    assert Assignment.objects.get().expires_at == LATER + timedelta(seconds=900)
    assert expire_leases(now=LATER + timedelta(seconds=1)) == 0


def test_a_blocked_worker_gets_nothing() -> None:
    batch = make_running(LINK)
    worker = make_worker(batch.project)
    Worker.objects.filter(pk=worker.pk).update(blocked=True)
    with pytest.raises(WorkerBlockedError):
        claim_maybe(worker)
    with pytest.raises(WorkerBlockedError):
        claim(worker_id=0, stage=None, now=NOW)


def test_a_platforms_key_names_a_page_of_its_own() -> None:
    batch = make_running(LINK, images=20)
    worker = make_worker(batch.project)
    pages = {key: claim(worker_id=worker.pk, stage="link", now=NOW, key=key) for key in ("a", "b")}
    again = claim(worker_id=worker.pk, stage="link", now=NOW, key="a")
    assert pages["a"] and pages["b"] and again
    assert again.assignment == pages["a"].assignment and not again.created
    assert set(pages["a"].assignment.items).isdisjoint(pages["b"].assignment.items)


@pytest.mark.parametrize("stage", ["link", "drawing"])
def test_a_key_is_never_used_twice(stage: str) -> None:
    batch = make_running(LINK, images=20)
    worker = make_worker(batch.project)
    held = claim(worker_id=worker.pk, stage="link", now=NOW, key="a")
    assert held
    if stage == "link":
        submit_page(held.assignment)
    with pytest.raises(ClaimError, match="key 'a' already"):
        claim(worker_id=worker.pk, stage=stage, now=NOW, key="a")


def test_the_key_of_a_page_that_ran_out_brings_it_back_to_be_submitted() -> None:
    batch = make_running(LINK, images=20)
    worker = make_worker(batch.project)
    held = claim(worker_id=worker.pk, stage="link", now=NOW, key="a")
    assert held
    expire_leases(now=held.assignment.expires_at + timedelta(seconds=1))
    again = claim(worker_id=worker.pk, stage="link", now=NOW, key="a")
    assert again and again.assignment == held.assignment and not again.created
    assert submit_page(again.assignment).accepted == len(held.assignment.items)


def test_keys_do_not_let_a_worker_hoard_pages() -> None:
    batch = make_running(LINK, images=8, items_a_page={"link": 1})
    worker = make_worker(batch.project)
    for number in range(PAGES_AT_ONCE):
        assert claim(worker_id=worker.pk, stage="link", now=NOW, key=f"key-{number}")
    with pytest.raises(TooManyPagesError, match="You hold 6 pages") as refused:
        claim(worker_id=worker.pk, stage="link", now=NOW, key="another")
    assert refused.value.held == PAGES_AT_ONCE


def test_pages_with_keys_are_not_in_the_way_of_the_page_that_a_stage_gives() -> None:
    """A page that came with a receipt is held, too, and its worker may never have seen it."""
    batch = make_running(LINK, images=8, items_a_page={"link": 1})
    worker = make_worker(batch.project)
    own = claim(worker_id=worker.pk, stage="link", now=NOW)
    assert own
    for number in range(PAGES_AT_ONCE):
        assert claim(worker_id=worker.pk, stage="link", now=NOW, key=f"key-{number}")
    submit_page(own.assignment)
    follows = claim_next(worker_id=worker.pk, stage="link", now=NOW)
    again = claim(worker_id=worker.pk, stage="link", now=NOW)
    assert follows and again and follows["id"] == str(again.assignment.pk)


def test_a_place_gets_a_page_of_the_batch_it_was_published_for() -> None:
    before = make_running(LINK)
    make_image(before.project, LINK)
    batch = make_batch(before.project, name="published")
    make_image(before.project, LINK)
    make_batch(before.project, name="after")
    place = Place(batch.pk, reward=5, currency="USD", confirmed=True, participation_id=1)
    worker = make_worker(before.project)
    page = claim(worker_id=worker.pk, stage="link", now=NOW, key="place", at=place)
    assert page is not None and page.assignment.batch == batch


def test_a_page_of_a_place_pays_what_the_place_was_published_with() -> None:
    """The batch's reward may have changed since."""
    batch = make_running(LINK, images=2, items_a_page={"link": 1}, reward={"link": 7})
    place = Place(batch.pk, reward=5, currency="USD", confirmed=True, participation_id=1)
    for at, reward in ((place, 5), (None, 7)):
        page = claim(worker_id=make_worker(batch.project).pk, stage="link", now=NOW, key="place", at=at)
        assert page is not None and (page.assignment.reward, page.assignment.currency) == (reward, "USD")
