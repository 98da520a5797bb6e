"""An image can leave the data set and come back, while its judgments and its workers' pay stay."""

from __future__ import annotations

import pytest

from annotation.exporting.dataset import images_to_export
from annotation.models import (
    Assignment,
    Batch,
    Case,
    Chain,
    Decision,
    Image,
    ImageWork,
    Item,
    Judgment,
    VerificationQuestion,
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
    submit_page,
)
from tests.workflows.pipeline.invariants import check_promises, check_rules
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.lifecycle import BatchError, create_batch, move_batch
from workflows.cases.review_queue import open_case
from workflows.pipeline.advance import advance_pending, open_queued
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.questions.images import free_images
from workflows.review.image_withdrawals import WITHDRAWN_IMAGE, bring_back_image, withdraw_image

pytestmark = pytest.mark.django_db


def withdraw(image: Image) -> Decision | None:
    return withdraw_image(image_id=image.pk, by="ada", note="a stray photograph", now=NOW)


def bring_back(image: Image) -> Decision | None:
    return bring_back_image(image_id=image.pk, by="ada", note="", now=LATER)


def finish(batch: Batch) -> None:
    """Let new people answer until the batch asks nothing more."""
    while claim_maybe(worker := make_worker(batch.project)):
        answer_page(worker)
        advance_pending(now=NOW)


def status(batch: Batch) -> str:
    return Batch.objects.get(pk=batch.pk).state


def test_nobody_is_asked_about_a_withdrawn_image_and_the_batch_ends_without_it() -> None:
    batch = make_running([["man"], ["man"]], images=2)
    stray, kept = Image.objects.order_by("pk")
    decision = withdraw(stray)
    assert decision is not None and (decision.kind, decision.note) == ("withdraw", "a stray photograph")
    assert not Item.objects.filter(work__image=stray, state=Item.State.OPEN).exists()
    finish(batch)
    assert status(batch) == Batch.State.FINISHED
    assert set(Judgment.objects.values_list("item__work__image", flat=True)) == {kept.pk}
    assert list(images_to_export(batch.project, None)) == [kept.pk]
    check_rules(batch.project)
    check_promises(batch.project)


def test_a_withdrawal_ends_a_batch_that_waited_for_nothing_else() -> None:
    batch = make_running([["man"], ["man"]], images=2)
    first, second = ImageWork.objects.order_by("pk")
    ImageWork.objects.filter(pk=first.pk).update(state=ImageWork.State.DONE)
    withdraw(second.image)
    assert status(batch) == Batch.State.FINISHED


def test_a_second_withdrawal_changes_nothing() -> None:
    batch = make_running([["man"], ["man"]], images=2)
    image = Image.objects.order_by("pk")[0]
    assert withdraw(image) is not None
    before = Image.objects.get(pk=image.pk).withdrawn_at
    assert withdraw(image) is None
    assert Image.objects.get(pk=image.pk).withdrawn_at == before
    assert Decision.objects.filter(project=batch.project).count() == 1


def test_a_page_in_hand_is_still_taken_and_counts_when_the_image_comes_back() -> None:
    batch = make_running([["man"], ["man"]], images=3)
    worker = make_worker(batch.project)
    page = claim_page(worker)
    asked = Item.objects.get(pk=page.items[0])
    image = asked.work.image
    withdraw(image)
    submit_page(page)
    assert Judgment.objects.filter(worker=worker, item=asked).exists()
    assert Assignment.objects.get(pk=page.pk).state == Assignment.State.SUBMITTED
    advance_pending(now=NOW)
    check_promises(batch.project)
    bring_back(image)
    check_rules(batch.project)
    check_promises(batch.project)


def test_an_image_that_comes_back_goes_on_where_it_stood() -> None:
    batch = make_running([["man"], ["man"]], images=2)
    image = Image.objects.order_by("pk")[0]
    for _ in range(3):
        answer_page(make_worker(batch.project))
        advance_pending(now=NOW)
    before = list(Item.objects.filter(work__image=image, state="open").values_list("pk", "stage"))
    withdraw(image)
    decision = bring_back(image)
    assert decision is not None and decision.kind == "bring-back"
    assert list(Item.objects.filter(work__image=image, state="open").values_list("pk", "stage")) == before
    finish(batch)
    assert status(batch) == Batch.State.FINISHED
    assert not ImageWork.objects.exclude(state=ImageWork.State.DONE).exists()
    check_rules(batch.project)
    check_promises(batch.project)


def test_an_image_whose_batch_has_ended_meanwhile_is_free_for_another() -> None:
    batch = make_running([["man"], ["man"]])
    (image,) = Image.objects.all()
    withdraw(image)
    assert status(batch) == Batch.State.FINISHED
    bring_back(image)
    assert not ImageWork.objects.get().active
    assert image in free_images(batch.project)


def test_an_image_that_was_not_opened_yet_is_opened_after_it_came_back() -> None:
    project = make_project()
    image = make_image(project, [["man"], ["man"]])
    make_image(project, [["dog"], ["dog"]])
    batch = make_batch(project, launch=False)
    withdraw(image)
    move_batch(batch=batch, action="launch")
    assert open_queued(batch_id=batch.pk, now=NOW) == 1
    bring_back(image)
    # A draft's work was released, and the batch is running now.
    assert open_queued(batch_id=batch.pk, now=NOW) == 1
    assert Item.objects.filter(work__image=image, state="open").exists()


def test_an_image_that_was_done_is_exported_again_once_it_is_back() -> None:
    batch = make_running([["man"], ["man"]])
    finish(batch)
    (image,) = Image.objects.all()
    withdraw(image)
    assert not images_to_export(batch.project, None)
    assert image not in free_images(batch.project)
    bring_back(image)
    work = ImageWork.objects.get()
    assert (work.active, work.state) == (True, ImageWork.State.DONE)
    assert list(images_to_export(batch.project, None)) == [image.pk]


def test_bringing_back_an_image_in_use_changes_nothing() -> None:
    image = make_image(make_project(), [["man"]])
    assert bring_back(image) is None
    assert not Decision.objects.exists()


def test_an_unknown_image_is_an_error() -> None:
    with pytest.raises(DecisionError, match="there is no image 5"):
        withdraw_image(image_id=5, by="ada", note="", now=NOW)


def test_no_batch_takes_a_withdrawn_image() -> None:
    project = make_project()
    image, other = make_image(project, [["man"]]), make_image(project, [["dog"]])
    withdraw(image)
    assert list(free_images(project)) == [other]
    with pytest.raises(BatchError, match="were withdrawn"):
        create_batch(project=project, name="all", settings=BatchSettings(), images=[image.pk, other.pk])
    assert not Batch.objects.exists()


def test_questions_about_a_withdrawn_image_are_retired() -> None:
    batch = make_controlled("link", "trusted", images=2, questions=10)
    image = VerificationQuestion.objects.order_by("pk")[0].image
    decision = withdraw(image)
    about = VerificationQuestion.objects.filter(image=image)
    assert {(question.state, question.retired) for question in about} == {("retired", WITHDRAWN_IMAGE)}
    assert decision is not None
    assert decision.content["questions"] == list(about.order_by("pk").values_list("pk", flat=True))
    assert VerificationQuestion.objects.filter(project=batch.project, state="active").exists()


def test_cases_about_a_withdrawn_image_rest_until_it_is_back() -> None:
    batch = make_at_stage("drawing")
    chain = Chain.objects.get()
    open_case(project_id=batch.project_id, reason="flag", now=NOW, work_id=chain.work_id, chain_id=chain.pk)
    decision = withdraw(chain.work.image)
    case = Case.objects.get()
    assert (case.closed_at, case.decision) == (NOW, decision)
    batch.refresh_from_db()
    assert batch.state == Batch.State.FINISHED
    Batch.objects.update(state=Batch.State.PAUSED)
    bring_back(chain.work.image)
    case.refresh_from_db()
    assert (case.closed_at, case.decision) == (None, None)
