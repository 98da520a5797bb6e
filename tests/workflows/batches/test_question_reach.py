"""What is promised about verification questions comes true: pages are claimed until none is left."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from annotation.domain.answers import Stage
from annotation.models import Batch, Case, Item, Worker
from tests.factories import (
    NOW,
    claim_maybe,
    make_batch,
    make_controlled,
    make_image,
    make_project,
    make_questions,
    make_worker,
    submit_page,
)
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.domain.question_reach import Needed, Reach, people_for, question_reach
from workflows.batches.domain.team import people_needed
from workflows.batches.launch_checks import readiness_of
from workflows.batches.lifecycle import BatchError, move_batch
from workflows.batches.people import others_can_join
from workflows.batches.question_reach import UsedUp, images_for, used_up, workers_with
from workflows.crowd.invitations.models import Invitation
from workflows.questions.exposure import questions_left, stock_of

pytestmark = pytest.mark.django_db

OPEN = dict.fromkeys(map(str, Stage), "open")


def reach_now(batch: Batch, answers: int, people: list[Worker]) -> Reach:
    stock = stock_of(batch.project_id)
    left = questions_left(project_id=batch.project_id, workers=[one.pk for one in people], stock=stock)
    found = question_reach(
        stock.by_image,
        settings_of(batch),
        {"link": Needed(answers, answers, answers)},
        reserved=stock.reserved,
        images=batch.works.count(),
        people=[{stage: one.on_pages for stage, one in of.items()} for of in left.values()],
        open_to_others=False,
    )
    assert found is not None
    return found


def work_on(worker: Worker) -> tuple[int, int]:
    """Answer links until there is no page. Return how many pages with items there were, and their items."""
    pages = items = 0
    while (held := claim_maybe(worker, stage="link")) is not None:
        submit_page(held.assignment)
        pages += bool(held.assignment.items)
        items += len(held.assignment.items)
    return pages, items


@pytest.mark.parametrize(
    ("regime", "control"),
    [
        ("verification", {}),
        ("trusted", {"entrance": 6, "trusted_share": 0.2}),
        ("trusted", {"entrance": 15, "trusted_share": 0.1}),
    ],
)
def test_each_worker_does_as_many_pages_as_promised(regime: str, control: dict[str, Any]) -> None:
    batch = make_controlled("link", regime, images=250, questions=30, control=control)
    first, second = make_worker(batch.project), make_worker(batch.project)
    promised = reach_now(batch, 250, [first, second]).stages["link"].pages_each
    assert 10 <= promised <= 15
    did = [work_on(worker)[0] for worker in (first, second)]
    assert did == pytest.approx([promised, promised], abs=1)
    for worker in (first, second):
        after = reach_now(batch, 250, [worker])
        assert after.stages["link"].share == 0 and after.hopeless, "they are asked nothing more"


def test_a_batch_stops_where_it_was_said_and_goes_on_as_was_said() -> None:
    batch = make_controlled("link", "verification", images=200, questions=30)
    worker = make_worker(batch.project)
    before = reach_now(batch, 200, [worker])
    assert (before.stages["link"].workers, before.dry_after, before.hopeless) == (2, 120, True)
    assert used_up(batch) is None
    assert work_on(worker) == (15, before.dry_after)
    found = used_up(batch)
    assert found is not None and found.left[0]["link"] == 0
    assert found == UsedUp(stage="link", answers=80, workers=1, asked_all=1, left=found.left)
    assert images_for(batch, found) >= before.more_images

    make_questions(batch.project, "link", images=before.more_images, each=5)
    assert used_up(batch) is None, "the case is still open, but there is something to ask"
    assert work_on(worker)[1] == 80
    assert not Item.objects.waiting().filter(batch=batch, stage="link").exists()


def test_a_new_worker_goes_on_where_others_have_used_up_their_questions() -> None:
    batch = make_controlled("link", "verification", images=200, questions=30)
    first = make_worker(batch.project)
    work_on(first)
    assert used_up(batch) is not None
    second = make_worker(batch.project)
    half = used_up(batch)
    assert half is not None and (half.asked_all, half.workers) == (1, 2)
    make_worker(batch.project)
    assert used_up(batch) is None, "most can be asked more"
    assert work_on(second)[1] == 80


def test_workers_at_the_entrance_can_use_up_their_questions_too() -> None:
    batch = make_controlled("link", "trusted", images=20, questions=25)
    worker = make_worker(batch.project)
    work_on(worker)
    found = used_up(batch)
    assert found is not None and (found.answers, found.asked_all) == (20, 1)


def test_a_platforms_workers_are_those_who_came() -> None:
    batch = make_controlled("link", "verification", images=200, questions=30)
    worker = make_worker(batch.project)
    work_on(worker)
    Worker.objects.update(provider="mturk")
    batch.settings = {**batch.settings, "crowd": {**batch.settings["crowd"], "provider": "mturk"}}
    make_worker(batch.project)
    found = used_up(batch)
    assert found is not None and (found.workers, found.asked_all) == (1, 1)
    assert others_can_join(batch)
    Case.objects.update(closed_at=NOW)
    assert used_up(batch) is None, "nobody has asked for a page since"


def draft(people: int, gold: int = 10, **settings: Any) -> Batch:
    """Make a draft of 30 images with several links each. Ten questions are enough for ten links."""
    project = make_project()
    for _ in range(30):
        make_image(project, [["man", "dog"], ["man", "dog"], ["man", "dog"], ["man", "dog"]])
    make_questions(project, "link", images=gold)
    for _ in range(people):
        make_worker(project)
    return make_batch(
        project,
        launch=False,
        regime={**OPEN, "link": "verification"},
        control={"set_questions": 10, "verification_share": 0.5},
        screening={"test": False},
        **settings,
    )


def test_a_batch_that_cannot_end_with_its_people_is_not_launched() -> None:
    batch = draft(people=2)
    ready = readiness_of(batch)
    assert ready.reach is not None and ready.reach.hopeless and not ready.ready and not ready.shortages
    with pytest.raises(
        BatchError, match=r"cannot end with the 2 people .* about 2 of about \d+ pages of link"
    ):
        move_batch(batch=batch, action="launch")
    more = ready.reach.more_images
    make_questions(batch.project, "link", images=more)
    after = readiness_of(batch).reach
    assert after is not None and after.enough
    assert move_batch(batch=batch, action="launch").state == Batch.State.RUNNING


def test_more_people_are_not_asked_for_where_nobody_would_get_a_page() -> None:
    batch = draft(people=0, items_a_page={"link": 80})
    with pytest.raises(BatchError, match="nobody would get a page of link"):
        move_batch(batch=batch, action="launch")


def test_nobody_is_held_up_where_more_people_can_come() -> None:
    batch = draft(people=0)
    ready = readiness_of(batch)
    assert ready.reach is not None and not ready.reach.enough and ready.ready, "it says so, and no more"
    batch = draft(people=2)
    Invitation.objects.create(project=batch.project, label="class", digest="d", created_at=NOW)
    assert readiness_of(batch).ready
    Invitation.objects.update(expires_at=datetime(2001, 1, 1, tzinfo=UTC))
    assert not readiness_of(batch).ready
    Invitation.objects.update(expires_at=datetime(2999, 1, 1, tzinfo=UTC))
    assert readiness_of(batch).ready
    Invitation.objects.update(uses=3, used=3)
    assert not readiness_of(batch).ready


def test_the_people_of_a_forecast_do_not_depend_on_missing_questions() -> None:
    """A launch with three people probably cost 52 dollars, and 104 once its questions were made."""
    asked = parse_settings({"regime": "trusted"})
    free = parse_settings({"regime": "open"})
    many = people_for(max(people_needed(asked).values()))
    assert [workers_with(asked, invited, None) for invited in (0, 3, 50, None)] == [many, many, 50, many]
    assert [workers_with(free, invited, None) for invited in (3, 50)] == [3, 50]
