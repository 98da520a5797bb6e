"""No worker earns trust by boxes that a model suggested and that stayed as they were."""

from __future__ import annotations

import pytest

from annotation.domain.suggested import LAST_BIT
from annotation.models import Assignment, Batch, Box, Judgment
from tests.entities_fast import ONE
from tests.factories import NOW, claim_page, make_controlled, make_worker, submit_page
from tests.suggesting_models import make_set
from tests.workflows.quality.answered_pages import enter, standing
from workflows.assignments.claim import claim
from workflows.assignments.leases import return_page
from workflows.pipeline.advance import advance_pending
from workflows.quality.standings import mark_stale, refresh_standings

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

CONTROL = {"entrance": 5, "recent": 5, "trusted_share": 0}
MOVED = [10, 20, 110, 221]


def suggesting(**control: object) -> Batch:
    """Return a running batch in which workers are trusted by their boxes, and see suggestions."""
    batch = make_controlled("boxes", "trusted", images=12, control={**CONTROL, **control})
    made = make_set(batch.project)
    Batch.objects.update(settings={**batch.settings, "suggestions": {"set": made.number, "without": 0}})
    return batch


def answer_with(page: Assignment, box: list[int], *, right: bool) -> None:
    """Answer all questions of a page with this box, and say whether that is right."""
    submit_page(page, answering=lambda *_: {"boxes": [{"box": box}]})
    Judgment.objects.filter(assignment=page, question__isnull=False).update(regraded=right)
    mark_stale(worker_ids=[page.worker_id])
    refresh_standings(worker_id=page.worker_id, now=NOW)


def test_every_second_page_of_an_entrance_shows_no_suggestions() -> None:
    batch = suggesting(entrance=15)
    size = batch.settings["items_a_page"]["boxes"]
    worker = make_worker(batch.project)
    shown = []
    for _ in range(4):
        page = claim_page(worker, stage="boxes")
        assert page.items == []
        assert len(page.checks) == size
        shown.append(not page.unaided)
        answer_with(page, ONE, right=True)
    assert shown == [True, False, True, False]
    assert standing(worker)[1:3] == (2 * size, 2 * size)


def test_a_page_of_an_entrance_that_comes_again_shows_what_it_showed() -> None:
    batch = suggesting(entrance=15)
    worker = make_worker(batch.project)
    answer_with(claim_page(worker, stage="boxes"), ONE, right=True)
    page = claim_page(worker, stage="boxes")
    assert return_page(worker_id=worker.pk, assignment_id=page.pk)
    again = claim_page(worker, stage="boxes")
    assert (again.pk, again.unaided) == (page.pk, True)


def test_pages_with_items_show_suggestions_whatever_the_entrance_was() -> None:
    batch = suggesting()
    worker = make_worker(batch.project)
    enter(worker, "boxes")
    for _ in range(2):
        page = claim_page(worker, stage="boxes")
        assert (bool(page.items), page.unaided) == (True, False)
        submit_page(page)


@pytest.mark.parametrize(("drawn", "state"), [(True, "trusted"), (False, "lost")])
def test_accepting_everything_earns_no_trust_at_the_entrance(drawn: bool, state: str) -> None:
    """A model that is always right tells nothing of a worker: only what they draw themselves does."""
    batch = suggesting()
    worker = make_worker(batch.project)
    answer_with(claim_page(worker, stage="boxes"), ONE, right=True)
    assert standing(worker)[:3] == ("entering", 0, 0)
    page = claim_page(worker, stage="boxes")
    answer_with(page, MOVED, right=drawn)
    asked = len(page.checks)
    assert standing(worker)[:3] == (state, asked, asked if drawn else 0)


def test_a_bad_suggestion_that_is_accepted_is_a_matter_of_the_limits() -> None:
    """If only wrong ones counted, a worker who is right in 80% of all questions would have 67%."""
    batch = suggesting()
    worker = make_worker(batch.project)
    answer_with(claim_page(worker, stage="boxes"), ONE, right=False)
    assert standing(worker)[:3] == ("entering", 0, 0)


def test_correcting_a_question_lets_nobody_out_of_trust() -> None:
    """An answer with an unmoved box counts neither before nor after it is graded again."""
    batch = suggesting()
    worker = make_worker(batch.project)
    first = claim_page(worker, stage="boxes")
    answer_with(first, ONE, right=False)
    answer_with(claim_page(worker, stage="boxes"), MOVED, right=True)
    before = standing(worker)[:3]
    Judgment.objects.filter(assignment=first).update(regraded=True)
    mark_stale(worker_ids=[worker.pk])
    refresh_standings(worker_id=worker.pk, now=NOW)
    assert standing(worker)[:3] == before == ("trusted", 5, 5)


def test_who_gives_pages_back_gets_no_more_with_suggestions_by_that() -> None:
    batch = suggesting(entrance=25)
    worker = make_worker(batch.project)
    pages = [
        claim(worker_id=worker.pk, stage="boxes", now=NOW, key=key).assignment  # type: ignore[union-attr]
        for key in "abcd"
    ]
    assert [page.unaided for page in pages] == [False, True, False, True]
    for page in pages:
        if page.unaided:
            assert return_page(worker_id=worker.pk, assignment_id=page.pk)
        else:
            answer_with(page, ONE, right=True)
    again = [claim(worker_id=worker.pk, stage="boxes", now=NOW, key=key) for key in "ef"]
    assert [found and found.assignment.unaided for found in again] == [True, True]


def test_who_draws_one_box_a_question_earns_nothing_by_unmoved_suggestions_either() -> None:
    for box, counts in ((ONE, 0), (MOVED, 1)):
        batch = make_controlled("drawing", "trusted", images=12, control=CONTROL)
        made = make_set(batch.project)
        Batch.objects.filter(pk=batch.pk).update(
            settings={**batch.settings, "suggestions": {"set": made.number, "without": 0}}
        )
        drawer = make_worker(batch.project)
        enter(drawer, "drawing")
        page = claim_page(drawer, stage="drawing")
        submit_page(page, answering=lambda *_: {"box": box})  # noqa: B023
        advance_pending(now=NOW)
        assert Box.objects.filter(judgment__worker=drawer).update(state="accepted") == len(page.items) > 0
        mark_stale(worker_ids=[drawer.pk])
        refresh_standings(worker_id=drawer.pk, now=NOW)
        assert standing(drawer)[:3] == (
            "trusted",
            5 + counts * len(page.items),
            5 + counts * len(page.items),
        )


def judged(batch: Batch, *boxes: list[int], state: str = "accepted") -> tuple[str, int, int]:
    """Return the standing of a worker who drew these boxes in each item of a page, once they are judged."""
    drawer = make_worker(batch.project)
    enter(drawer, "boxes")
    page = claim_page(drawer, stage="boxes")
    submit_page(page, answering=lambda *_: {"boxes": [{"box": box} for box in boxes]})
    advance_pending(now=NOW)
    assert Box.objects.update(state=state) == len(page.items) * len(boxes)
    mark_stale(worker_ids=[drawer.pk])
    refresh_standings(worker_id=drawer.pk, now=NOW)
    trusted, asked, right = standing(drawer)[:3]
    return trusted, asked, right


@pytest.mark.parametrize("state", ["accepted", "rejected"])
def test_unmoved_suggestions_say_nothing_of_a_worker(state: str) -> None:
    assert judged(suggesting(), ONE, [200, 20, 300, 220], state=state) == ("trusted", 5, 5)


def test_boxes_that_were_moved_or_drawn_count_as_before() -> None:
    batch = suggesting()
    _, asked, right = judged(batch, ONE, MOVED, [400, 0, 500, 90])
    items = Judgment.objects.filter(item__isnull=False).count()
    assert items and (asked, right) == (5 + 2 * items, 5 + 2 * items)


def test_a_batch_without_suggestions_counts_all() -> None:
    batch = make_controlled("boxes", "trusted", images=12, control=CONTROL)
    _, asked, _ = judged(batch, ONE, MOVED)
    assert asked == 5 + 2 * Judgment.objects.filter(item__isnull=False).count()


def test_a_copy_behind_many_boxes_is_found_and_takes_the_other_late_ones_with_it() -> None:
    many = [[column * 9, 300, column * 9 + 8, 310] for column in range(LAST_BIT)]
    batch = suggesting()
    _, asked, _ = judged(batch, *many, [400, 0, 500, 90], ONE)
    items = Judgment.objects.filter(item__isnull=False).count()
    assert asked == 5 + LAST_BIT * items


def test_the_same_holds_where_pages_are_judged_in_each_batch() -> None:
    batch = make_controlled("boxes", "verification", images=12, questions=30)
    made = make_set(batch.project)
    Batch.objects.update(settings={**batch.settings, "suggestions": {"set": made.number, "without": 0}})
    drawer = make_worker(batch.project)
    submit_page(claim_page(drawer, stage="boxes"))  # the first suggestion as it is
    advance_pending(now=NOW)
    before = standing(drawer)[:3]
    assert Box.objects.update(state="rejected")
    mark_stale(worker_ids=[drawer.pk])
    refresh_standings(worker_id=drawer.pk, now=NOW)
    assert standing(drawer)[:3] == before


@pytest.mark.parametrize(
    ("right", "box", "counts"), [(True, MOVED, (1, 1)), (True, ONE, (0, 0)), (False, ONE, (0, 0))]
)
def test_after_the_entrance_a_question_that_is_answered_by_a_copy_does_not_count(
    right: bool, box: list[int], counts: tuple[int, int]
) -> None:
    batch = suggesting(trusted_share=0.5)
    worker = make_worker(batch.project)
    enter(worker, "boxes")
    page = claim_page(worker, stage="boxes")
    answer_with(page, box, right=right)
    number, (asked, good) = len(page.checks), counts
    assert number and standing(worker)[1:3] == (5 + asked * number, 5 + good * number)
