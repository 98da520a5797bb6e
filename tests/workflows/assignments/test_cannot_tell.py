"""docs/protocol.md, "Questions that cannot be told": what *cannot tell* does."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from annotation.models import (
    Abstention,
    Assignment,
    Batch,
    Box,
    Case,
    Chain,
    ImageWork,
    Item,
    Judgment,
    Worker,
)
from tests.factories import (
    LATER,
    NOW,
    answer_page,
    claim_maybe,
    claim_page,
    make_at_stage,
    make_batch,
    make_controlled,
    make_image,
    make_project,
    make_running,
    make_worker,
    replies,
    submit_page,
)
from tests.workflows.pipeline.invariants import check_promises, check_rules
from tests.workflows.quality.answered_pages import enter, standing
from workflows.assignments.leases import expire_leases
from workflows.assignments.page_view import shown_page
from workflows.assignments.replies import Reply
from workflows.assignments.submit import Receipt, SubmissionError, submit
from workflows.batches.people import answers_for_somebody_new
from workflows.cases.review_queue import CaseError, close_case
from workflows.pipeline.advance import advance_pending
from workflows.quality.standings import reassess_stale
from workflows.review.decide import decide_chain, let_go_on, version_of
from workflows.review.image_withdrawals import bring_back_image, withdraw_image
from workflows.review.set_aside import reinstate, set_aside_worker

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

LINK = [["man"], ["man"]]
UNSURE = {"unsure": True}


def say_unsure(worker: Worker, *places: int, page: Assignment | None = None) -> Receipt:
    """Claim a page and say at these places, or everywhere, that one cannot tell; answer the others."""
    page = page or claim_page(worker)
    answers = [
        Reply(reply.item, UNSURE if not places or reply.item in places else reply.answer, seconds=2.0)
        for reply in replies(page)
    ]
    receipt = submit(worker_id=worker.pk, assignment_id=page.pk, replies=answers, now=NOW)
    advance_pending(now=NOW)
    return receipt


def check(batch: Batch) -> None:
    check_promises(batch.project)
    check_rules(batch.project)


def test_the_item_is_asked_of_somebody_else_and_the_page_is_paid_whole() -> None:
    batch = make_running(LINK, images=3, reward={"link": 7}, unsure_share=0.1)
    first, second = make_worker(batch.project), make_worker(batch.project)
    page = claim_page(first)
    receipt = say_unsure(first, 2, page=page)
    assert receipt == Receipt(accepted=3, acknowledged=0, replayed=False, reward=7, currency="USD")
    said = Abstention.objects.get()
    assert (said.item_id, said.worker, said.kind, said.seconds) == (page.items[1], first, "unsure", 2.0)
    assert Judgment.objects.count() == 2
    again = claim_maybe(first, stage="link")
    assert again is None or page.items[1] not in again.assignment.items
    assert page.items[1] in claim_page(second, stage="link").items
    assert not Case.objects.exists()
    check(batch)


@pytest.mark.parametrize("stage", ["verification", "requirement", "quality", "coverage"])
def test_two_who_cannot_tell_leave_the_chain_to_a_researcher(stage: str) -> None:
    batch = make_at_stage(stage, unsure_share=0.5)
    if stage == "coverage":  # one vote more than the item has would decide
        answer_page(make_worker(batch.project), stage=stage)
        advance_pending(now=NOW)
    before = Judgment.objects.count()
    for _ in range(2):
        assert Chain.objects.get().state == stage
        say_unsure(make_worker(batch.project))
    chain = Chain.objects.get()
    assert (chain.state, chain.reason) == ("review", "cannot-tell")
    assert not Item.objects.filter(state="open").exists()
    case = Case.objects.get()
    assert (case.reason, case.chain) == ("unsure", chain)
    with pytest.raises(CaseError):
        close_case(case_id=case.pk, by="ada", note="", now=NOW)
    assert Judgment.objects.count() == before
    check(batch)

    back = "drawing" if stage == "quality" else stage
    boxes = Box.objects.filter(chain=chain, state="accepted")
    assert boxes.count() == (stage == "coverage")
    decide_chain(
        chain_id=chain.pk,
        by="ada",
        note="look again",
        now=NOW,
        state=back,
        boxes=[box.rectangle for box in boxes],
        version=version_of(chain.work),
    )
    check(batch)
    # It is another question now, so the same workers may be asked.
    answer_page(Abstention.objects.latest("pk").worker)
    advance_pending(now=NOW)
    assert Chain.objects.get().state != "review"
    check(batch)


def test_two_who_cannot_tell_about_a_link_let_the_image_rest() -> None:
    batch = make_running(LINK, unsure_share=0.5)
    for _ in range(2):
        assert ImageWork.objects.get().state == "linking"
        say_unsure(make_worker(batch.project))
    work = ImageWork.objects.get()
    batch.refresh_from_db()
    assert (work.state, batch.state) == ("resting", "finished")
    case = Case.objects.get()
    assert (case.reason, case.work, case.stage) == ("unsure", work, "link")
    with pytest.raises(CaseError):
        close_case(case_id=case.pk, by="ada", note="", now=NOW)
    check(batch)

    let_go_on(work_id=work.pk, by="ada", note="", now=NOW)
    assert not Case.objects.filter(closed_at=None).exists()
    check(batch)
    assert answers_for_somebody_new(batch) == 0, "both can be asked again"
    page = claim_page(Abstention.objects.earliest("pk").worker)
    expire_leases(now=LATER)
    assert submit_page(page, now=LATER).accepted == 1, "a late answer counts as that of anybody else"
    advance_pending(now=LATER)
    assert ImageWork.objects.get().state == "boxing"
    check(batch)


@pytest.mark.parametrize("stage", ["link", "coverage"])
def test_answers_that_are_set_aside_with_judgments_do_not_count(stage: str) -> None:
    batch = make_at_stage(stage, unsure_share=0.5)
    for _ in range(2):
        say_unsure(make_worker(batch.project))
    careless = Abstention.objects.latest("pk")
    decision = set_aside_worker(worker_id=careless.worker_id, stage=stage, by="ada", note="", now=NOW)
    assert decision is not None and decision.content["reports"] == [careless.pk]
    advance_pending(now=NOW)
    assert Item.objects.get(state="open").stage == stage
    assert not Case.objects.filter(closed_at=None).exists()
    check(batch)

    reinstate(decision_id=decision.pk, by="ada", note="", now=NOW)
    advance_pending(now=NOW)
    assert not Item.objects.filter(state="open").exists()
    assert Case.objects.get(closed_at=None).reason == "unsure"
    check(batch)


def open_reasons() -> set[str]:
    return set(Case.objects.filter(closed_at=None).values_list("reason", flat=True))


def set_all_aside(kind: str) -> None:
    for worker in set(Abstention.objects.filter(kind=kind).values_list("worker", flat=True)):
        assert set_aside_worker(worker_id=worker, stage="link", by="ada", note="", now=NOW)
    advance_pending(now=NOW)


def test_an_image_that_rests_for_two_reasons_has_a_case_until_both_are_over() -> None:
    project = make_project()
    image = make_image(project, [["man", "man"], ["man", "man"]])
    make_image(project, [["dog"]])  # so that the batch goes on
    batch = make_batch(project, unsure_share=0.5, items_a_page={"link": 1})
    works = ImageWork.objects.filter(image=image)
    held = [claim_page(make_worker(project), stage="link") for _ in range(2)]
    while works.get().state == "linking":
        worker = make_worker(project)
        say_unsure(worker, page=claim_page(worker, stage="link"))
    assert open_reasons() == {"unsure"}
    for page in held:
        unusable = [Reply(reply.item, {"unusable": True}) for reply in replies(page)]
        with patch("workflows.assignments.abstentions.is_broken", return_value=False):
            submit(worker_id=page.worker_id, assignment_id=page.pk, replies=unusable, now=NOW)
        advance_pending(now=NOW)
    assert open_reasons() == {"unsure", "photograph"}

    withdraw_image(image_id=image.pk, by="ada", note="", now=NOW)
    bring_back_image(image_id=image.pk, by="ada", note="", now=NOW)
    assert open_reasons() == {"unsure", "photograph"}

    set_all_aside("unsure")
    assert (works.get().state, open_reasons()) == ("resting", {"photograph"})
    check(batch)
    set_all_aside("unusable")
    assert (works.get().state, open_reasons()) == ("linking", set())
    check(batch)


def test_a_chain_that_a_researcher_keeps_in_review_keeps_its_case() -> None:
    batch = make_at_stage("requirement", unsure_share=0.5)
    for _ in range(2):
        say_unsure(make_worker(batch.project))
    chain = Chain.objects.get()
    version = version_of(chain.work)
    decide_chain(chain_id=chain.pk, by="ada", note="", now=NOW, state="review", boxes=[], version=version)
    case = Case.objects.get()
    let_go_on(work_id=chain.work_id, by="ada", note="", now=NOW)
    chain.refresh_from_db()
    case.refresh_from_db()
    assert (chain.state, case.closed_at) == ("review", None)

    # While the image rests for its photograph, the case of a chain that is settled can be closed.
    ImageWork.objects.update(state="resting")
    Chain.objects.update(state="done")
    assert close_case(case_id=case.pk, by="ada", note="", now=NOW)


def test_only_the_case_of_the_chain_that_is_asked_again_is_closed() -> None:
    batch = make_running([["dog"], ["ball"]], unsure_share=0.5, items_a_page={"requirement": 1})
    while Chain.objects.exclude(state="review").exists():
        say_unsure(make_worker(batch.project))
    before = Case.objects.filter(reason="unsure", closed_at=None)
    assert before.count() == 2
    said = Abstention.objects.latest("pk")
    assert set_aside_worker(worker_id=said.worker_id, stage="requirement", by="ada", note="", now=NOW)
    (left,) = before
    assert said.item is not None and left.chain_id != said.item.chain_id
    advance_pending(now=NOW)
    assert {chain.state for chain in Chain.objects.all()} == {"requirement", "review"}
    check(batch)


def test_reports_that_did_not_count_when_the_image_went_on_do_not_count_later() -> None:
    batch = make_running(LINK, unsure_share=0.5)
    workers = [make_worker(batch.project) for _ in range(3)]
    say_unsure(workers[0])
    aside = set_aside_worker(worker_id=workers[0].pk, stage="link", by="ada", note="", now=NOW)
    advance_pending(now=NOW)
    for worker in workers[1:]:
        say_unsure(worker)
    assert aside is not None
    let_go_on(work_id=ImageWork.objects.get().pk, by="ada", note="", now=NOW)
    reinstate(decision_id=aside.pk, by="ada", note="", now=NOW)
    advance_pending(now=NOW)
    say_unsure(make_worker(batch.project))
    assert ImageWork.objects.get().state == "linking", "one says so since the researcher decided"
    check(batch)


def test_an_item_that_the_only_worker_cannot_tell_waits_for_somebody_new() -> None:
    batch = make_running(LINK, unsure_share=0.5)
    worker = make_worker(batch.project)
    assert answers_for_somebody_new(batch) == 0
    say_unsure(worker)
    assert claim_maybe(worker) is None
    assert answers_for_somebody_new(batch) == 1
    make_worker(batch.project)
    assert answers_for_somebody_new(batch) == 0


def test_it_is_refused_where_and_when_the_page_does_not_offer_it() -> None:
    """Not by default, not in drawing, and at no more items of a page than it says."""
    batches = (
        make_running(LINK),
        make_at_stage("drawing", unsure_share=0.5),
        make_running(LINK, images=3, unsure_share=0.4),
    )
    pages = [claim_page(make_worker(batch.project)) for batch in batches]
    offered = [shown_page(page, now=NOW)["unsure"] for page in pages]
    assert offered == [0, 0, 2]
    for page, most in zip(pages, offered, strict=True):
        with pytest.raises(SubmissionError) as refused:
            say_unsure(page.worker, page=page)
        assert refused.value.errors[0][0] == f"/answers/{most}/answer/unsure"
        page.refresh_from_db()
        assert page.state == "live"
    assert say_unsure(pages[-1].worker, 1, 3, page=pages[-1]).accepted == 3


def test_it_is_a_wrong_answer_to_a_verification_question_and_no_answer_to_an_item() -> None:
    batch = make_controlled("link", "trusted", images=3, unsure_share=0.5)
    worker, other = make_worker(batch.project), make_worker(batch.project)
    first = claim_page(worker, stage="link")  # nothing but questions
    say_unsure(worker, 1, page=first)
    question = first.checks[0][1]
    assert Judgment.objects.get(question=question).correct is False
    enter(worker, "link")
    enter(other, "link")
    before = standing(worker)
    assert before[1] - before[2] == 1
    page = claim_page(worker, stage="link")
    place = next(n for n in range(len(page.images)) if n not in {at for at, _ in page.checks})
    say_unsure(worker, place + 1, page=page)
    item = Abstention.objects.get().item
    assert item is not None
    while Item.objects.filter(pk=item.pk, state="open").exists():
        answer_page(other, stage="link")
        advance_pending(now=NOW)
    reassess_stale(now=NOW)
    asked = len(page.checks)
    assert standing(worker)[1:3] == (before[1] + asked, before[2] + asked), "hard items are what it is for"
