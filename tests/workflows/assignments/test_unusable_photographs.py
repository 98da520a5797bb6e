"""docs/protocol.md, "Photographs that cannot be used": what *photograph unusable* does."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from django.db.models import Q

from annotation.models import (
    Abstention,
    Assignment,
    Batch,
    Case,
    Decision,
    Image,
    ImageWork,
    Item,
    Judgment,
    VerificationQuestion,
    Worker,
)
from tests.factories import (
    LATER,
    NOW,
    answer_page,
    claim_maybe,
    claim_page,
    make_controlled,
    make_running,
    make_worker,
    replies,
    submit_page,
    willing,
)
from tests.workflows.pipeline.invariants import check_promises, check_rules
from tests.workflows.quality.answered_pages import enter, standing
from workflows.assignments.leases import expire_leases
from workflows.assignments.replies import Reply
from workflows.assignments.submit import Receipt, submit
from workflows.batches.people import answers_for_somebody_new
from workflows.cases.review_queue import CaseError, close_case, open_case
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.quality.evidence import wrong_reports
from workflows.quality.standings import reassess_stale
from workflows.review.decide import let_go_on
from workflows.review.image_withdrawals import bring_back_image, withdraw_image
from workflows.review.set_aside import reinstate, reject_pages, set_aside_worker, set_aside_workers

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

LINK = [["man"], ["man"]]
UNUSABLE = {"unusable": True}


@pytest.fixture(autouse=True)
def broken_files() -> Iterator[set[str]]:
    """Let the server find no photograph broken but those whose file names are put in here."""
    files: set[str] = set()
    with patch("workflows.assignments.abstentions.is_broken", side_effect=files.__contains__):
        yield files


def report(worker: Worker, *places: int, page: Assignment | None = None) -> Receipt:
    """Claim a page and call the photographs at these places unusable; answer the others."""
    page = page or claim_page(worker)
    answers = [
        Reply(reply.item, UNUSABLE if not places or reply.item in places else reply.answer, seconds=2.0)
        for reply in replies(page)
    ]
    return submit(worker_id=worker.pk, assignment_id=page.pk, replies=answers, now=NOW)


def work_of(batch: Batch) -> ImageWork:
    return ImageWork.objects.get(batch=batch)


def rest(batch: Batch) -> ImageWork:
    """Have two workers call the only photograph of the batch unusable."""
    for _ in range(2):
        report(make_worker(batch.project))
        advance_pending(now=NOW)
    return work_of(batch)


def test_the_item_is_asked_of_somebody_else_and_the_page_is_paid_whole() -> None:
    batch = make_running(LINK, images=3, reward={"link": 7})
    first, second = make_worker(batch.project), make_worker(batch.project)
    page = claim_page(first)
    receipt = report(first, 2, page=page)
    assert receipt == Receipt(accepted=3, acknowledged=0, replayed=False, reward=7, currency="USD")
    assert Judgment.objects.count() == 2
    said = Abstention.objects.get()
    assert (said.item_id, said.worker, said.kind, said.seconds) == (page.items[1], first, "unusable", 2.0)
    advance_pending(now=NOW)
    check_promises(batch.project)
    check_rules(batch.project)
    asked = claim_maybe(second, stage="link")
    assert asked is not None and page.items[1] in asked.assignment.items
    again = claim_maybe(first, stage="link")
    assert again is None or page.items[1] not in again.assignment.items
    assert not Case.objects.exists()


def test_an_item_that_the_only_worker_could_not_see_waits_for_somebody_new() -> None:
    batch = make_running(LINK)
    report(make_worker(batch.project))
    assert answers_for_somebody_new(batch) == 1


def test_the_same_page_again_gets_the_same_receipt_and_says_nothing_twice() -> None:
    batch = make_running(LINK)
    worker = make_worker(batch.project)
    page = claim_page(worker)
    once = report(worker, page=page)
    again = report(worker, page=page)
    assert (again.accepted, again.replayed) == (once.accepted, True)
    assert Abstention.objects.count() == 1


def test_two_workers_make_the_image_rest_with_a_case() -> None:
    batch = make_running(LINK, images=1)
    report(make_worker(batch.project))
    advance_pending(now=NOW)
    assert work_of(batch).state == "linking"
    report(make_worker(batch.project))
    advance_pending(now=NOW)
    assert work_of(batch).state == "resting"
    assert not Item.objects.filter(batch=batch, state=Item.State.OPEN).exists()
    case = Case.objects.get()
    assert (case.reason, case.work) == ("photograph", work_of(batch))
    assert claim_maybe(make_worker(batch.project)) is None
    check_promises(batch.project)
    check_rules(batch.project)
    advance_pending(now=NOW)
    assert Case.objects.count() == 1


def test_one_worker_is_enough_if_the_server_finds_the_file_broken(broken_files: set[str]) -> None:
    batch = make_running(LINK)
    broken_files.add(str(work_of(batch).image.file))
    report(make_worker(batch.project))
    advance_pending(now=NOW)
    assert work_of(batch).state == "resting"


def test_a_worker_who_cannot_see_an_image_is_not_asked_more_about_it() -> None:
    batch = make_running([["man"], ["dog"]])
    worker = make_worker(batch.project)
    drawn = claim_page(worker)  # one chain's item
    others = Item.objects.filter(work=work_of(batch), state="open").exclude(pk__in=drawn.items)
    report(worker, page=drawn)
    advance_pending(now=NOW)
    if others.exists():
        assert claim_maybe(worker) is None
    other = make_worker(batch.project)
    for _ in range(2):
        if claim_maybe(other) is not None:
            answer_page(other)
        advance_pending(now=NOW)
    check_promises(batch.project)
    check_rules(batch.project)


def test_the_batch_finishes_while_images_rest_and_goes_on_when_they_do() -> None:
    batch = make_running(LINK)
    work = rest(batch)
    batch.refresh_from_db()
    assert batch.state == "finished"
    assert ImageWork.objects.get(pk=work.pk).active
    with pytest.raises(CaseError):
        close_case(case_id=Case.objects.get().pk, by="ada", note="", now=NOW)
    let_go_on(work_id=work.pk, by="ada", note="", now=NOW)
    batch.refresh_from_db()
    assert (batch.state, work_of(batch).state) == ("running", "linking")
    assert not Case.objects.filter(closed_at=None).exists()
    check_rules(batch.project)
    # Those who reported it may answer it now.
    reporter = Abstention.objects.earliest("pk").worker
    answer_page(reporter)
    advance_pending(now=NOW)
    assert work_of(batch).state == "boxing"
    with pytest.raises(DecisionError):
        let_go_on(work_id=work.pk, by="ada", note="", now=NOW)


def test_it_rests_again_if_two_more_say_so() -> None:
    batch = make_running(LINK)
    work = rest(batch)
    let_go_on(work_id=work.pk, by="ada", note="", now=NOW)
    assert rest(batch).state == "resting"
    assert Case.objects.filter(closed_at=None).count() == 1


def test_the_image_can_be_withdrawn_and_brought_back() -> None:
    batch = make_running(LINK)
    work = rest(batch)
    withdraw_image(image_id=work.image_id, by="ada", note="gone", now=NOW)
    assert not Case.objects.filter(closed_at=None).exists()
    assert not work_of(batch).active
    bring_back_image(image_id=work.image_id, by="ada", note="", now=NOW)
    check_rules(batch.project)


@pytest.mark.parametrize("how", ["one worker", "several workers"])
def test_reports_that_are_set_aside_with_judgments_do_not_count(how: str) -> None:
    batch = make_running(LINK)
    rest(batch)
    careless = Abstention.objects.earliest("pk")
    if how == "one worker":
        decision = set_aside_worker(
            worker_id=careless.worker_id, stage="link", by="ada", note="", now=NOW, batch_id=batch.pk
        )
    else:
        (decision,) = set_aside_workers(
            workers=[careless.worker_id], stages=["link", "drawing"], by="ada", note="", now=NOW
        )
    assert decision is not None and decision.content["reports"] == [careless.pk]
    advance_pending(now=NOW)
    batch.refresh_from_db()
    assert (batch.state, work_of(batch).state) == ("running", "linking")
    assert not Case.objects.filter(closed_at=None).exists()
    check_rules(batch.project)
    again = set_aside_worker(worker_id=careless.worker_id, stage="link", by="ada", note="", now=NOW)
    assert again is None, "nothing of theirs counts any more"

    reinstate(decision_id=decision.pk, by="ada", note="", now=NOW)
    advance_pending(now=NOW)
    assert work_of(batch).state == "resting"
    assert Case.objects.filter(closed_at=None).count() == 1
    check_rules(batch.project)


def test_a_report_on_a_rejected_page_does_not_count() -> None:
    batch = make_running(LINK)
    rest(batch)
    page = Abstention.objects.earliest("pk").assignment_id
    decision = reject_pages(assignment_ids=[page], by="ada", now=NOW)
    assert decision is not None
    advance_pending(now=NOW)
    assert work_of(batch).state == "linking"
    check_rules(batch.project)


def test_what_the_server_found_broken_counts_whoever_said_so(broken_files: set[str]) -> None:
    batch = make_running(LINK)
    broken_files.add(str(work_of(batch).image.file))
    worker = make_worker(batch.project)
    report(worker)
    advance_pending(now=NOW)
    assert set_aside_worker(worker_id=worker.pk, stage="link", by="ada", note="", now=NOW) is None
    assert work_of(batch).state == "resting"


def test_answers_to_pages_in_hand_still_count_while_the_image_rests() -> None:
    batch = make_running([["man", "man"], ["man", "man"]], items_a_page={"link": 1})
    pages = {}
    while (found := claim_maybe(worker := make_worker(batch.project))) is not None:
        pages[worker] = found.assignment
    *holders, last = pages
    if len(holders) < 2:
        pytest.fail("the image must have several open items")
    report(holders[0], page=pages[holders[0]])
    report(last, page=pages[last])
    advance_pending(now=NOW)
    assert work_of(batch).state == "resting"
    for worker in holders[1:]:
        submit_page(pages[worker])
    advance_pending(now=NOW)
    assert work_of(batch).state == "resting"
    check_promises(batch.project)
    check_rules(batch.project)
    let_go_on(work_id=work_of(batch).pk, by="ada", note="", now=NOW)
    check_promises(batch.project)
    check_rules(batch.project)


def test_a_report_that_comes_late_counts_if_the_item_is_still_needed() -> None:
    batch = make_running(LINK)
    worker, other = make_worker(batch.project), make_worker(batch.project)
    page = claim_page(worker)
    expire_leases(now=LATER)
    page.refresh_from_db()
    submit_late = report(worker, page=page)
    assert submit_late.accepted == 1
    assert Abstention.objects.count() == 1
    claim_page(other)
    check_promises(batch.project)


@pytest.mark.parametrize("stage", ["link", "drawing"])
def test_a_report_about_a_photograph_that_others_see_counts_as_a_wrong_answer(stage: str) -> None:
    batch = make_controlled(stage, "trusted", images=3)
    worker, other = make_worker(batch.project), make_worker(batch.project)
    for one in (worker, other):
        enter(one, stage)
    before = standing(worker)
    page = claim_page(worker, stage=stage)
    asked = len(page.checks)
    items = [place for place in range(1, len(page.images) + 1) if not is_check(page, place)]
    report(worker, *items, page=page)
    advance_pending(now=NOW)
    assert standing(worker)[1:3] == (before[1] + asked, before[2] + asked), "nobody has answered them yet"
    wrong = len(page.items)
    for _ in range(10):
        if claim_maybe(other, stage=stage) is None:
            break
        answer_page(other, stage=stage)
        advance_pending(now=NOW)
    assert not Item.objects.filter(pk__in=page.items, state="open").exists()
    reassess_stale(now=NOW)
    assert standing(worker)[1:3] == (before[1] + asked + wrong, before[2] + asked)


def test_only_who_called_a_photograph_unusable_with_others_is_forgiven() -> None:
    """An image may also rest, and go on, because nobody can tell the answer to a question."""
    batch = make_running(LINK)
    worker = make_worker(batch.project)
    report(worker)
    Item.objects.update(state="done")
    wrong = wrong_reports(worker_id=worker.pk, stage="link", after=-1)
    assert wrong.count() == 1
    work = work_of(batch)
    for reason, expected in (("unsure", 1), ("photograph", 0)):
        ImageWork.objects.update(state="resting")
        open_case(project_id=batch.project_id, reason=reason, now=NOW, work_id=work.pk)
        assert wrong.count() == expected
        decision = Decision.objects.create(project=batch.project, kind="usable", created_at=NOW)
        Case.objects.filter(reason=reason).update(closed_at=NOW, decision=decision)
        ImageWork.objects.update(state="done")
        assert wrong.count() == expected


def is_check(page: Assignment, place: int) -> bool:
    return any(at == place - 1 for at, _ in page.checks)


def test_a_question_whose_photograph_is_fine_is_answered_wrongly() -> None:
    batch = make_controlled("link", "trusted", images=3)
    worker = make_worker(batch.project)
    page = claim_page(worker, stage="link")  # nothing but questions
    report(worker, page=page)
    judgments = Judgment.objects.filter(assignment=page)
    assert {one.correct for one in judgments} == {False}
    assert not Abstention.objects.exists()
    page.refresh_from_db()
    assert (page.asked, page.right) == (len(page.checks), 0)
    assert standing(worker)[1:3] == (len(page.checks), 0)


def test_a_question_whose_photograph_is_broken_counts_for_nobody_and_is_retired(
    broken_files: set[str],
) -> None:
    batch = make_controlled("link", "trusted", images=3)
    worker = make_worker(batch.project)
    page = claim_page(worker, stage="link")
    question = VerificationQuestion.objects.select_related("image").get(pk=page.checks[0][1])
    broken_files.add(str(question.image.file))
    there = VerificationQuestion.objects.filter(image=question.image)
    places = [at + 1 for at, pk in page.checks if there.filter(pk=pk).exists()]
    report(worker, *places, page=page)
    page.refresh_from_db()
    assert page.asked == page.right == len(page.checks) - len(places)
    assert standing(worker)[1:3] == (page.asked, page.right)
    question.refresh_from_db()
    assert (question.state, question.retired) == ("retired", "photograph broken")
    assert Case.objects.filter(Q(reason="question"), question=question).exists()


def test_a_submission_looks_at_photographs_for_some_seconds_and_at_those_of_questions_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    batch = make_controlled("link", "verification", images=20)
    page = claim_page(make_worker(batch.project), stage="link")
    of_questions = list(dict.fromkeys(page.images[at] for at, _ in page.checks))
    clock = iter([0.0] + [1.0] * len(of_questions) + [6.0] * len(page.images))
    monkeypatch.setattr("workflows.assignments.abstentions.monotonic", lambda: next(clock))
    with patch("workflows.assignments.abstentions.is_broken", return_value=False) as looked:
        report(page.worker, page=page)
    files = dict(Image.objects.filter(pk__in=of_questions).values_list("pk", "file"))
    assert [call.args[0] for call in looked.call_args_list] == [files[image] for image in of_questions]
    assert 0 < len(of_questions) < len(page.images)
    assert set(Abstention.objects.values_list("broken", flat=True)) == {False}


def test_the_worker_is_paid_for_a_page_of_nothing_but_unusable_photographs() -> None:
    batch = make_running(LINK, images=3, reward={"link": 5})
    page = claim_page(make_worker(batch.project))
    receipt = report(page.worker, page=page)
    page.refresh_from_db()
    assert (receipt.reward, page.owed, page.state) == (5, True, "submitted")


def test_willing_workers_are_not_slowed_down() -> None:
    """One report changes nothing about what else is asked of the image."""
    batch = make_running(LINK)
    report(make_worker(batch.project))
    advance_pending(now=NOW)
    for _ in range(40):
        worker = make_worker(batch.project)
        if claim_maybe(worker) is None:
            break
        answer_page(worker, answering=willing)
        advance_pending(now=NOW)
    assert work_of(batch).state == "done"
    check_rules(batch.project)
