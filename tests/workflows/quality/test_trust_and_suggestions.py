"""No worker earns trust by boxes that a model suggested and that stayed as they were."""

from __future__ import annotations

import pytest

from annotation.domain.suggested import LAST_BIT
from annotation.models import Batch, Box, Judgment
from tests.entities_fast import ONE
from tests.factories import NOW, claim_page, make_controlled, make_worker, submit_page
from tests.suggesting_models import make_set
from tests.workflows.quality.answered_pages import enter, standing
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
    ("right", "box", "counts"), [(True, MOVED, (1, 1)), (True, ONE, (0, 0)), (False, ONE, (1, 0))]
)
def test_after_the_entrance_a_question_that_a_model_got_right_keeps_no_trust(
    right: bool, box: list[int], counts: tuple[int, int]
) -> None:
    batch = suggesting(trusted_share=0.5)
    worker = make_worker(batch.project)
    enter(worker, "boxes")
    page = claim_page(worker, stage="boxes")
    submit_page(page, answering=lambda *_: {"boxes": [{"box": box}]})
    answered = Judgment.objects.filter(assignment=page, question__isnull=False)
    number = answered.update(regraded=right)
    mark_stale(worker_ids=[worker.pk])
    refresh_standings(worker_id=worker.pk, now=NOW)
    asked, good = counts
    assert number and standing(worker)[1:3] == (5 + asked * number, 5 + good * number)
