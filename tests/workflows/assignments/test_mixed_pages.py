"""docs/protocol.md, "Quality control": what workers get with each regime."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.answers import Stage
from annotation.domain.page_entries import merge_entries
from annotation.image_names import image_of
from annotation.models import (
    Assignment,
    Batch,
    Case,
    EntranceImage,
    Exposure,
    ImageWork,
    Item,
    Standing,
    VerificationQuestion,
    Worker,
)
from tests.factories import (
    NOW,
    claim_maybe,
    claim_page,
    forget_page,
    make_controlled,
    make_questions,
    make_worker,
    submit_page,
)
from tests.workflows.pipeline.invariants import check_promises
from workflows.assignments.claim import NotAdmittedError, claim
from workflows.assignments.leases import expire_leases, return_page
from workflows.assignments.page_view import shown_page

pytestmark = pytest.mark.django_db

STAGES = list(Stage)
SIZE = {"link": 10, "verification": 5, "requirement": 10, "drawing": 5, "quality": 10, "coverage": 10}


def enter(worker: Worker, stage: str = "link") -> None:
    """Answer the entrance questions rightly."""
    while not Standing.objects.filter(worker=worker, stage=stage, state="trusted").exists():
        submit_page(claim_page(worker, stage=stage))


@pytest.mark.parametrize("stage", STAGES)
def test_the_first_thirty_items_of_a_worker_are_verification_questions(stage: str) -> None:
    """ "The first 30 items a screened worker gets are all verification questions." """
    batch = make_controlled(stage, "trusted", images=12)
    worker = make_worker(batch.project)
    for number in range(30 // SIZE[stage]):
        entering = claim_page(worker, stage=stage)
        assert entering.items == [] and len(entering.checks) == SIZE[stage], f"page {number}"
        submit_page(entering)
    after = claim_page(worker, stage=stage)
    assert len(after.items) >= SIZE[stage] - 1
    assert Exposure.objects.filter(worker=worker, entrance=True).count() == 30
    check_promises(batch.project)


@pytest.mark.parametrize("stage", STAGES)
def test_a_page_with_questions_looks_like_one_without(stage: str) -> None:
    batch = make_controlled(stage, "verification", images=12)
    shown = shown_page(claim_page(make_worker(batch.project), stage=stage), now=NOW)
    held = Assignment.objects.get(pk=shown["id"])
    assert held.checks and held.items
    shapes = {str(_shape(entry)) for entry in shown["items"]}
    assert len(shapes) == 1
    assert [image_of(entry["question"]["image"]["id"]) for entry in shown["items"]] == held.images


def _shape(data: Any) -> Any:
    if isinstance(data, dict):
        return [(key, _shape(value)) for key, value in data.items()]
    if isinstance(data, list):
        return [_shape(value) for value in data]
    return type(data).__name__


def test_trusted_workers_get_two_per_cent_and_the_others_twenty() -> None:
    """ "From then on 2%"; "20% verification questions in every page"."""
    batch = make_controlled("link", "verification", images=60, questions=100)
    worker = make_worker(batch.project)
    for _ in range(6):
        held = claim_page(worker, stage="link")
        assert (len(held.items), len(held.checks)) == (8, 2)
        submit_page(held)
    batch = make_controlled("link", "trusted", images=60, control={"trusted_share": 0.25, "entrance": 10})
    worker = make_worker(batch.project)
    enter(worker)
    counts = [len(_claimed(worker, Random(seed)).checks) for seed in range(20)]
    assert set(counts) == {2, 3} and 40 < sum(counts) < 60


def _claimed(worker: Worker, rng: Random) -> Assignment:
    found = claim(worker_id=worker.pk, stage="link", now=NOW, rng=rng)
    assert found
    return_page(worker_id=worker.pk, assignment_id=found.assignment.pk)
    forget_page(found.assignment)
    # as if they had not been shown
    Exposure.objects.filter(worker=worker, entrance=False).delete()
    return found.assignment


def test_items_are_of_as_many_images_as_there_are() -> None:
    batch = make_controlled("link", "verification", images=30)
    for _ in range(3):
        held = claim_page(make_worker(batch.project), stage="link")
        assert len(set(held.images)) == 10
    assert Item.objects.filter(leased=1).count() == 24


def test_a_question_is_shown_to_a_worker_once_whatever_becomes_of_the_page() -> None:
    """ "A worker never sees one twice" (issue 4): returned and expired pages have shown theirs, too."""
    batch = make_controlled("link", "verification", images=40, questions=20)
    worker = make_worker(batch.project)
    shown: list[int] = []
    for number in range(10):
        held = claim_page(worker, stage="link")
        shown += [question for _, question in held.checks]
        if number % 3 == 0:
            return_page(worker_id=worker.pk, assignment_id=held.pk)
            forget_page(held)
        elif number % 3 == 1:
            expire_leases(now=held.expires_at + timedelta(seconds=1))
            forget_page(held)
        else:
            submit_page(held)
    assert len(shown) == len(set(shown)) == 20
    assert set(VerificationQuestion.objects.values_list("exposures", flat=True)) == {1}
    assert claim_maybe(worker, stage="link") is None, "items do not fill the page once questions run out"
    assert Case.objects.get().detail["unanswered"] == 14, "seven pages of two were given back or left"


def test_the_one_item_of_a_page_may_be_a_question() -> None:
    batch = make_controlled(
        "link", "verification", images=10, items_a_page={"link": 1}, control={"verification_share": 0.5}
    )
    worker = make_worker(batch.project)
    pages = [_claimed(worker, Random(seed)) for seed in range(20)]
    assert {len(held.images) for held in pages} == {1}
    assert 4 < sum(len(held.checks) for held in pages) < 16
    submit_page(claim_page(worker, stage="link"))


def test_nobody_enters_where_no_work_waits() -> None:
    batch = make_controlled("link", "trusted", images=1)
    Item.objects.update(leased=1)
    assert claim_maybe(make_worker(batch.project), stage="link") is None
    assert not Exposure.objects.exists()


def test_keys_do_not_get_more_entrance_pages_than_it_takes() -> None:
    batch = make_controlled("link", "trusted", questions=80)
    worker = make_worker(batch.project)
    pages = [claim(worker_id=worker.pk, stage="link", now=NOW, key=str(n)) for n in range(3)]
    assert all(held and not held.assignment.items for held in pages)
    assert claim(worker_id=worker.pk, stage="link", now=NOW, key="more") is None
    assert Exposure.objects.count() == 30


@pytest.mark.parametrize("busy", [True, False])
def test_a_question_waits_while_its_image_is_annotated(busy: bool) -> None:
    batch = make_controlled("link", "verification", questions=10)
    other = Batch.objects.create(project=batch.project, name="other", state="paused")
    for image in set(VerificationQuestion.objects.values_list("image_id", flat=True)):
        ImageWork.objects.create(batch=other, image_id=image, state="linking" if busy else "done")
    found = claim_maybe(make_worker(batch.project), stage="link")
    assert (found is None) == busy


@pytest.mark.parametrize("what", ["retired", "training", "other stage", "other project"])
def test_only_active_gold_questions_of_the_stage_are_mixed_in(what: str) -> None:
    batch = make_controlled("link", "verification", questions=10)
    questions = VerificationQuestion.objects.all()
    match what:
        case "retired":
            questions.update(state="retired")
        case "training":
            questions.update(role="training")
        case "other stage":
            questions.update(stage="coverage")
        case "other project":
            questions.delete()
            make_questions(make_controlled("link", "open", questions=0).project, "link", images=9)
    assert claim_maybe(make_worker(batch.project), stage="link") is None


def test_images_known_from_the_entrance_are_not_used_again() -> None:
    """A worker who enters knows that those images have questions."""
    batch = make_controlled("link", "trusted", questions=300, control={"trusted_share": 0.5})
    worker = make_worker(batch.project)
    enter(worker)
    known = set(Exposure.objects.values_list("question__image_id", flat=True))
    assert len(known) == 6, "thirty questions, five an image"
    held = claim_page(worker, stage="link")
    assert held.checks and known.isdisjoint(held.images)


@pytest.mark.both_databases
def test_images_of_anybodys_entrance_are_on_no_page_with_items() -> None:
    """Otherwise a colleague who entered would know what is a question (issue 13: with certainty)."""
    batch = make_controlled("link", "trusted", images=60, questions=400, control={"trusted_share": 0.5})
    workers = [make_worker(batch.project) for _ in range(6)]
    for worker in workers:
        enter(worker)
    entered = set(Exposure.objects.values_list("question__image_id", flat=True))
    assert entered == set(EntranceImage.objects.values_list("image_id", flat=True))
    assert 20 <= len(entered) <= 22, "a quarter of the eighty images, and what the last page took"
    for worker in workers[:5]:
        for _ in range(2):
            held = claim_page(worker, stage="link")
            assert len(held.checks) == 5 and entered.isdisjoint(held.images)
            submit_page(held)


def test_few_questions_are_enough_for_everybodys_entrance() -> None:
    """Whoever comes later is asked what was asked before, so that the others are left."""
    batch = make_controlled("link", "trusted", images=60, questions=40)
    for _ in range(4):
        enter(make_worker(batch.project))
    assert EntranceImage.objects.count() == 6, "thirty questions, five an image"


def test_nobody_can_use_up_the_questions_of_others_at_the_entrance() -> None:
    batch = make_controlled("link", "trusted", images=60, questions=80)
    careless, other = make_worker(batch.project), make_worker(batch.project)
    for _ in range(8):
        held = claim_page(careless, stage="link")
        return_page(worker_id=careless.pk, assignment_id=held.pk)
        forget_page(held)
    assert claim_maybe(careless, stage="link") is None, "this worker has seen all questions"
    assert EntranceImage.objects.count() == 6
    enter(other)
    assert claim_page(other, stage="link").items
    assert EntranceImage.objects.count() == 6


@pytest.mark.parametrize("by_whom", ["the worker", "the worker, who gave it back", "others"])
def test_questions_of_images_that_a_worker_annotated_are_for_others(by_whom: str) -> None:
    """Otherwise the questions would give themselves away: their image comes again when it is done."""
    batch = make_controlled("link", "verification", images=20, questions=0)
    worker, other = make_worker(batch.project), make_worker(batch.project)
    batch.settings["regime"]["link"] = "open"
    batch.save()
    if by_whom == "the worker, who gave it back":
        back = claim_page(worker, stage="link")
        return_page(worker_id=worker.pk, assignment_id=back.pk)
        forget_page(back)
        Item.objects.exclude(pk__in=back.items).update(leased=1)
    submit_page(claim_page(worker if by_whom == "the worker" else other, stage="link"))
    Item.objects.update(leased=0)
    done = Item.objects.filter(judged=1).values_list("work", flat=True)
    works = list(ImageWork.objects.filter(pk__in=done))
    ImageWork.objects.filter(pk__in=done).update(state="done")
    questions = make_questions(batch.project, "link", images=len(works))
    for question, work in zip(questions, works, strict=True):
        VerificationQuestion.objects.filter(pk=question.pk).update(image=work.image_id)
    batch.settings["regime"]["link"] = "verification"
    batch.save()
    assert (claim_maybe(worker, stage="link") is None) == (by_whom != "others")


def test_who_lost_trust_gets_no_new_work_of_the_stage() -> None:
    """ "Below either: no longer trusted, no new work of that stage." """
    batch = make_controlled("link", "trusted")
    worker = make_worker(batch.project)
    for _ in range(3):
        submit_page(claim_page(worker, stage="link"), answering=lambda *_: {"same": False})
    with pytest.raises(NotAdmittedError) as caught:
        claim_maybe(worker, stage="link")
    assert (caught.value.standing, caught.value.retry_in) == ("closed", None)
    assert claim_maybe(worker) is None, "any work is all but this"
    assert claim_maybe(make_worker(batch.project), stage="link"), "others go on"


def test_a_claim_costs_the_same_with_and_without_questions() -> None:
    batch = make_controlled("link", "verification", images=60, control={"verification_share": 0.05})
    worker = make_worker(batch.project)
    costs: dict[int, set[int]] = {0: set(), 1: set()}
    for seed in range(12):
        with CaptureQueriesContext(connection) as captured:
            found = claim(worker_id=worker.pk, stage="link", now=NOW, rng=Random(seed))
        assert found
        held = found.assignment
        with CaptureQueriesContext(connection) as shown:
            shown_page(held, now=NOW)
        costs[len(held.checks)].add(len(captured) * 100 + len(shown))
        return_page(worker_id=worker.pk, assignment_id=held.pk)
        forget_page(held)
    assert costs[0] == costs[1] and len(costs[0]) == 1
    (cost,) = costs[0]
    assert cost // 100 <= 21, "statements a claim"


@pytest.mark.parametrize("stage", ["link", "drawing"])
def test_a_submission_costs_the_same_with_and_without_questions(stage: str) -> None:
    batch = make_controlled(stage, "verification", images=120, control={"verification_share": 0.05})
    worker = make_worker(batch.project)
    costs: dict[int, set[int]] = {0: set(), 1: set()}
    submit_page(claim_page(worker, stage=stage))  # the first page makes the worker's standing
    for seed in range(9):
        found = claim(worker_id=worker.pk, stage=stage, now=NOW, rng=Random(seed))
        assert found
        with CaptureQueriesContext(connection) as captured:
            submit_page(found.assignment)
        costs[len(found.assignment.checks)].add(len(captured))
    assert costs[0] == costs[1] and len(costs[0]) == 1


def test_pages_say_what_is_where() -> None:
    batch = make_controlled("link", "verification")
    held = claim_page(make_worker(batch.project), stage="link")
    images = {("item", pk): image for pk, image in Item.objects.values_list("pk", "work__image_id")}
    images |= {
        ("question", pk): image for pk, image in VerificationQuestion.objects.values_list("pk", "image_id")
    }
    assert held.images == [images[entry] for entry in merge_entries(held.items, held.checks)]
