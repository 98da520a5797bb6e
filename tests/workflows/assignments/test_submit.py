from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from annotation.models import Assignment, Item, Judgment, Worker
from tests.factories import (
    LATER,
    NOW,
    answer_page,
    claim_page,
    make_at_stage,
    make_running,
    make_worker,
    replies,
    submit_page,
)
from tests.workflows.pipeline.invariants import check_promises
from workflows.assignments.leases import expire_leases, return_page
from workflows.assignments.replies import Reply
from workflows.assignments.submit import (
    NoSuchAssignmentError,
    OtherAnswersError,
    Receipt,
    SubmissionError,
    submit,
)
from workflows.workers.enrolment import WorkerBlockedError

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

LINK = [["man"], ["man"]]


def errors_of(page: Assignment, answers: list[Reply]) -> list[tuple[str, str]]:
    with pytest.raises(SubmissionError) as caught:
        submit(worker_id=page.worker_id, assignment_id=page.pk, replies=answers, now=NOW)
    assert not Judgment.objects.filter(assignment=page).exists(), "nothing half written"
    return caught.value.errors


def test_every_answer_becomes_a_judgment() -> None:
    batch = make_running(LINK, images=3)
    page = claim_page(make_worker(batch.project))
    answers = [
        replace(reply, seconds=1.5 * reply.item, comment="hm", chunk_flag=reply.item == 2)
        for reply in replies(page)
    ]
    receipt = submit(worker_id=page.worker_id, assignment_id=page.pk, replies=answers, now=NOW)
    assert receipt == Receipt(accepted=3, acknowledged=0, replayed=False, currency="USD")
    rows = Judgment.objects.order_by("pk").values_list(
        "item_id", "answer", "seconds", "comment", "chunk_flag"
    )
    assert list(rows) == [
        (item, {"same": True}, 1.5 * place, "hm", place == 2)
        for place, item in enumerate(page.items, start=1)
    ]
    assert Item.objects.filter(judged=1, leased=0, unread=True).count() == 3


def test_answers_may_come_in_any_order() -> None:
    batch = make_running(LINK, images=3)
    page = claim_page(make_worker(batch.project))
    answers = [Reply(item=n, answer={"same": n == 2}) for n in (3, 1, 2)]
    submit(worker_id=page.worker_id, assignment_id=page.pk, replies=answers, now=NOW)
    said = dict(Judgment.objects.values_list("item_id", "answer"))
    assert [said[item]["same"] for item in page.items] == [False, True, False]


def test_a_replay_gives_the_same_receipt_and_writes_nothing() -> None:
    batch = make_running(LINK, images=3)
    page = claim_page(make_worker(batch.project))
    first = submit_page(page)
    again = submit_page(page, now=LATER)
    assert again == replace(first, replayed=True)
    assert Judgment.objects.count() == 3
    assert set(Judgment.objects.values_list("answer__same", flat=True)) == {True}


@pytest.mark.both_databases
@pytest.mark.parametrize("confirmed", [True, False])
@pytest.mark.parametrize(
    "change",
    [{"answer": {"same": False}}, {"comment": "I see two."}, {"chunk_flag": True}],
    ids=lambda change: next(iter(change)),
)
def test_a_page_is_not_submitted_again_with_other_answers(confirmed: bool, change: dict[str, Any]) -> None:
    batch = make_running(LINK, images=3)
    page = claim_page(make_worker(batch.project))
    Assignment.objects.filter(pk=page.pk).update(confirmed=confirmed)
    same = [Reply(item=n, answer={"same": True}, seconds=2.0) for n in (1, 2, 3)]
    submission: dict[str, Any] = {"worker_id": page.worker_id, "assignment_id": page.pk}
    first = submit(**submission, replies=same, now=NOW)
    written = Judgment.objects.count()
    with pytest.raises(OtherAnswersError):
        submit(**submission, replies=[same[0], replace(same[1], **change), same[2]], now=LATER)
    turned = [replace(one, seconds=None) for one in reversed(same)]
    assert submit(**submission, replies=turned, now=LATER) == replace(first, replayed=True)
    assert Judgment.objects.count() == written


def test_a_receipt_of_before_says_nothing_of_the_answers() -> None:
    batch = make_running(LINK, images=3)
    page = claim_page(make_worker(batch.project))
    first = submit_page(page)
    Assignment.objects.update(receipt={"accepted": 3, "acknowledged": 0})
    again = submit_page(page, now=LATER, answering=lambda *_: {"same": False})
    assert again == replace(first, replayed=True)


def test_a_page_whose_lease_ran_out_is_accepted_where_its_items_still_need_it() -> None:
    batch = make_running(LINK, images=3)
    page = claim_page(make_worker(batch.project))
    expire_leases(now=LATER)
    assert submit_page(page, now=LATER) == Receipt(accepted=3, acknowledged=0, replayed=False, currency="USD")
    check_promises(batch.project)


def test_a_page_whose_items_others_answered_is_acknowledged() -> None:
    batch = make_running(LINK, images=3)
    page = claim_page(make_worker(batch.project))
    expire_leases(now=LATER)
    answer_page(make_worker(batch.project), now=LATER)
    assert submit_page(page, now=LATER) == Receipt(accepted=0, acknowledged=3, replayed=False, currency="USD")
    assert submit_page(page, now=LATER) == Receipt(accepted=0, acknowledged=3, replayed=True, currency="USD")
    assert Judgment.objects.count() == 3
    check_promises(batch.project)


def test_a_late_page_is_taken_in_part_where_only_a_part_is_needed() -> None:
    batch = make_running(LINK, images=3, items_a_page={"link": 3})
    page = claim_page(make_worker(batch.project))
    expire_leases(now=LATER)
    Item.objects.filter(pk=page.items[0]).update(needed=0)
    assert submit_page(page, now=LATER) == Receipt(accepted=2, acknowledged=1, replayed=False, currency="USD")
    # Answers that come too late are kept with the page, so that nobody's work is lost.
    page.refresh_from_db()
    assert page.late is not None
    assert [late["answer"] for late in page.late] == [{"same": True}]


def test_a_late_page_does_not_take_from_those_who_hold_its_items_now() -> None:
    batch = make_running(LINK, images=3)
    page = claim_page(make_worker(batch.project))
    expire_leases(now=LATER)
    holder = claim_page(make_worker(batch.project), now=LATER)
    assert submit_page(page, now=LATER).accepted == 0
    assert submit_page(holder, now=LATER).accepted == 3
    check_promises(batch.project)


def test_a_late_page_of_a_worker_who_holds_the_items_again_counts_once() -> None:
    batch = make_running(LINK, images=3)
    worker = make_worker(batch.project)
    late = claim_page(worker)
    expire_leases(now=LATER)
    held = claim_page(worker, now=LATER)
    assert held.pk != late.pk and held.items == late.items
    assert submit_page(late, now=LATER).accepted == 0
    assert submit_page(held, now=LATER).accepted == 3
    check_promises(batch.project)


def test_a_late_page_of_a_worker_who_answered_the_items_since_counts_once() -> None:
    batch = make_at_stage("coverage")
    worker = make_worker(batch.project)
    late = claim_page(worker)
    expire_leases(now=LATER)
    submit_page(claim_page(worker, now=LATER), now=LATER)
    Item.objects.filter(pk__in=late.items).update(needed=2)
    assert submit_page(late, now=LATER) == Receipt(accepted=0, acknowledged=1, replayed=False, currency="USD")


def test_a_returned_page_can_still_be_submitted_as_long_as_it_is_needed() -> None:
    batch = make_running(LINK)
    page = claim_page(make_worker(batch.project))
    return_page(worker_id=page.worker_id, assignment_id=page.pk)
    assert submit_page(page).accepted == 1
    assert Assignment.objects.get().state == Assignment.State.SUBMITTED
    check_promises(batch.project)


def test_a_page_of_another_worker_is_unknown() -> None:
    batch = make_running(LINK)
    page = claim_page(make_worker(batch.project))
    other = make_worker(batch.project)
    for worker, assignment in ((other.pk, page.pk), (page.worker_id, uuid4())):
        with pytest.raises(NoSuchAssignmentError):
            submit(worker_id=worker, assignment_id=assignment, replies=replies(page), now=NOW)
    assert not Judgment.objects.exists()


def test_work_done_before_a_worker_was_blocked_is_kept() -> None:
    batch = make_running(LINK)
    page = claim_page(make_worker(batch.project))
    Worker.objects.update(blocked=True)
    assert submit_page(page).accepted == len(page.items)
    assert Judgment.objects.count() == len(page.items)


def test_an_unknown_worker_cannot_submit() -> None:
    page = claim_page(make_worker(make_running(LINK).project))
    with pytest.raises(WorkerBlockedError):
        submit(worker_id=page.worker_id + 1, assignment_id=page.pk, replies=replies(page), now=NOW)
    assert not Judgment.objects.exists()


def test_a_page_is_submitted_whole_or_not_at_all() -> None:
    batch = make_running(LINK, images=3)
    page = claim_page(make_worker(batch.project))
    assert errors_of(page, replies(page)[:1]) == [("/answers", "items without an answer: 2, 3")]


def test_an_item_that_is_not_on_the_page_is_named() -> None:
    batch = make_running(LINK)
    page = claim_page(make_worker(batch.project))
    answers = [*replies(page), Reply(item=7, answer={"same": True})]
    assert errors_of(page, answers) == [("/answers/1/item", "this page has the items 1 to 1")]


def test_an_item_answered_twice_is_named() -> None:
    batch = make_running(LINK)
    page = claim_page(make_worker(batch.project))
    assert errors_of(page, replies(page) * 2) == [("/answers/1/item", "item 1 is answered twice")]


BAD: list[tuple[str, Any, str]] = [
    ("link", {}, "/same"),
    ("link", {"same": "yes"}, "/same"),
    ("link", {"same": True, "sure": True}, "/sure"),
    ("link", {"same": True, "a/b~c": 1}, "/a~1b~0c"),
    ("link", ["same"], ""),
    ("verification", {"same": 1}, "/same"),
    ("requirement", {"requirement": "maybe"}, "/requirement"),
    ("requirement", {"requirement": ["box"]}, "/requirement"),
    ("drawing", {"box": [1, 2, 3]}, "/box"),
    ("drawing", {"box": [50, 50, 10, 10]}, "/box"),
    ("drawing", {"box": [1, 2, "3", 4]}, "/box"),
    ("drawing", {"box": [10, 10, 12, 200]}, "/box"),
    ("drawing", {"box": [700, 10, 900, 200]}, "/box"),
    ("drawing", {}, "/box"),
    ("quality", {"good": None}, "/good"),
    ("coverage", {"good": True}, "/complete"),
]


@pytest.mark.parametrize(("stage", "answer", "field"), BAD)
def test_a_bad_answer_is_refused_naming_its_field(stage: str, answer: Any, field: str) -> None:
    batch = make_at_stage(stage)
    page = claim_page(make_worker(batch.project), stage=stage)
    errors = errors_of(page, [Reply(item=1, answer=answer)])
    assert [pointer for pointer, _ in errors] == [f"/answers/0/answer{field}"]


def test_every_bad_answer_of_a_page_is_named_at_once() -> None:
    batch = make_running(LINK, images=3)
    page = claim_page(make_worker(batch.project))
    answers = [Reply(item=n, answer={"same": None if n != 2 else True}) for n in (1, 2, 3)]
    assert [pointer for pointer, _ in errors_of(page, answers)] == [
        "/answers/0/answer/same",
        "/answers/2/answer/same",
    ]


def test_a_box_that_leaves_the_image_is_cut_at_its_edge() -> None:
    batch = make_at_stage("drawing")
    answer_page(make_worker(batch.project), answering=lambda *_: {"box": [-20, 10.4, 700.2, 100.5]})
    assert Judgment.objects.latest("pk").answer == {"box": [0, 10, 640, 101]}


def test_the_smallest_box_is_a_setting_of_the_batch() -> None:
    batch = make_at_stage("drawing", minimum_side=50)
    page = claim_page(make_worker(batch.project))
    errors = errors_of(page, [Reply(item=1, answer={"box": [0, 0, 49, 100]})])
    assert errors == [("/answers/0/answer/box", "is smaller than 50 pixels a side")]


def test_a_page_pays_what_it_promised_whatever_the_settings_become() -> None:
    batch = make_running(LINK, reward={"link": 5}, currency="EUR")
    page = claim_page(make_worker(batch.project))
    batch.settings |= {"reward": {"link": 1}, "currency": "USD"}
    batch.save()
    first, again = submit_page(page), submit_page(page)
    assert (first.reward, first.currency) == (again.reward, again.currency) == (5, "EUR")
    assert again.replayed


def test_a_page_that_came_too_late_is_paid_too() -> None:
    batch = make_running(LINK, reward={"link": 5})
    page = claim_page(make_worker(batch.project))
    expire_leases(now=LATER)
    answer_page(make_worker(batch.project), now=LATER)
    receipt = submit_page(page, now=LATER)
    assert (receipt.accepted, receipt.reward) == (0, 5)
