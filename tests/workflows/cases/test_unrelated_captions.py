"""Captions of other photographs: each has one case, whoever says it and however the item is answered."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from annotation.domain.answers import JointStage, Stage
from annotation.models import (
    Abstention,
    Assignment,
    Caption,
    Case,
    ImageWork,
    Item,
    Judgment,
    VerificationQuestion,
)
from tests.factories import (
    LATER,
    NOW,
    claim_page,
    make_at_stage,
    make_controlled,
    make_running,
    make_worker,
    replies,
)
from tests.workflows.threads import at_once
from workflows.assignments.replies import Reply, digest_of
from workflows.assignments.submit import OtherAnswersError, SubmissionError, submit
from workflows.cases.review_queue import close_case
from workflows.review.annotate import image_version
from workflows.review.captions import change_caption, undo_change

pytestmark = pytest.mark.django_db


def _say(
    page: Assignment, answer: dict[str, Any] | None = None, *, unrelated: tuple[int, ...] = (0,)
) -> None:
    given = [replace(one, unrelated=unrelated, answer=answer or one.answer) for one in replies(page)]
    submit(worker_id=page.worker_id, assignment_id=page.pk, replies=given, now=NOW)


def _page(stage: str = "requirement", **settings: Any) -> Assignment:
    return claim_page(make_worker(make_at_stage(stage, **settings).project), stage=stage)


def _two_pages() -> list[Assignment]:
    """Pages of two workers, each with a mention of the same caption."""
    batch = make_running([["man", "dog"], ["man", "dog"]], items_a_page={"link": 1})
    return [claim_page(make_worker(batch.project), stage="link") for _ in range(2)]


def _withdraw(*, unrelated: bool) -> int:
    caption = Caption.objects.in_use().get(index=0)
    return change_caption(
        caption_id=caption.pk,
        wording=None,
        by="ada",
        note="another photograph",
        now=NOW,
        version=image_version(caption.image_id),
        unrelated=unrelated,
    ).pk


@pytest.mark.both_databases
def test_two_workers_open_one_case_which_names_the_caption() -> None:
    first, second = _two_pages()
    _say(first)
    _say(second)
    case = Case.objects.get()
    assert (case.reason, case.caption, case.work, case.worker) == (
        "unrelated",
        Caption.objects.get(index=0),
        ImageWork.objects.get(),
        first.worker,
    )
    assert [one.unrelated for one in Judgment.objects.filter(assignment__in=(first, second))] == [[0], [0]]


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_open_one_case() -> None:
    first, second = _two_pages()
    at_once([partial(_say, first), partial(_say, second)])
    assert Case.objects.filter(reason="unrelated").count() == 1


def test_the_item_is_answered_all_the_same() -> None:
    page = _page()
    _say(page)
    page.refresh_from_db()
    assert page.receipt is not None and page.receipt["accepted"] == 1


def test_who_cannot_tell_may_say_it_too() -> None:
    page = _page(unsure_share=0.5)
    _say(page, {"unsure": True})
    assert Abstention.objects.get().unrelated == [0]
    assert Case.objects.filter(reason="unrelated").count() == 1


def test_a_comment_beside_it_has_a_case_of_its_own() -> None:
    page = _page()
    given = [replace(one, unrelated=(0,), comment="a dog, no man") for one in replies(page)]
    submit(worker_id=page.worker_id, assignment_id=page.pk, replies=given, now=NOW)
    assert sorted(Case.objects.values_list("reason", flat=True)) == ["comment", "unrelated"]


def test_a_verification_question_names_the_caption_of_its_image() -> None:
    batch = make_controlled("quality", "verification")
    page = claim_page(make_worker(batch.project), stage="quality")
    assert page.checks
    _say(page)
    images = set(Case.objects.filter(reason="unrelated").values_list("caption__image", flat=True))
    asked = VerificationQuestion.objects.filter(pk__in=[pk for _, pk in page.checks])
    assert images >= set(asked.values_list("image", flat=True))


@pytest.mark.parametrize("stage", [*Stage, *JointStage])
def test_every_stage_that_shows_mentions_takes_it(stage: str) -> None:
    page = _page(stage)
    _say(page)
    assert Case.objects.get(reason="unrelated").stage == stage


def test_a_late_answer_opens_the_case_too() -> None:
    page = _page("quality")
    Item.objects.filter(pk__in=page.items).update(state=Item.State.DONE)
    page.state = Assignment.State.EXPIRED
    page.save()
    _say(page)
    page.refresh_from_db()
    assert page.late is not None and page.late[0]["unrelated"] == [0]
    assert Case.objects.filter(reason="unrelated").count() == 1


def test_a_caption_that_is_not_shown_is_an_error_of_the_field() -> None:
    page = _page()
    with pytest.raises(SubmissionError) as raised:
        _say(page, unrelated=(0, 9))
    assert [pointer for pointer, _ in raised.value.errors] == ["/answers/0/unrelated"]
    assert not Judgment.objects.filter(assignment=page).exists()


def test_a_caption_that_was_withdrawn_meanwhile_is_no_error_and_opens_no_case() -> None:
    page = _page()
    Caption.objects.filter(index=0).update(superseded=True)
    _say(page)
    assert not Case.objects.exists()


def test_a_case_that_was_closed_does_not_open_again() -> None:
    first, second = _two_pages()
    _say(first)
    assert close_case(case_id=Case.objects.get().pk, by="ada", note="it is this one", now=LATER)
    _say(second)
    assert Case.objects.get().closed_at == LATER


@pytest.mark.both_databases
@pytest.mark.parametrize("unrelated", [True, False])
def test_withdrawing_the_caption_closes_the_case_and_undoing_it_opens_it(unrelated: bool) -> None:
    page = _page()
    _say(page)
    decision = _withdraw(unrelated=unrelated)
    case, caption = Case.objects.get(), Caption.objects.get(index=0)
    assert (case.decision_id, caption.superseded, caption.unrelated) == (decision, True, unrelated)
    undone = undo_change(decision_id=decision, by="ada", note="", now=LATER)
    case, caption = Case.objects.get(), Caption.objects.get(index=0)
    assert (case.closed_at, caption.superseded, caption.unrelated) == (None, False, False)
    assert undone.content["undoes"] == decision


def test_the_digest_tells_flags_apart_and_is_as_before_without_them() -> None:
    plain = Reply(1, {"good": True})
    assert digest_of([plain]) == digest_of([replace(plain, unrelated=[])])
    assert digest_of([replace(plain, unrelated=(1, 0))]) == digest_of([replace(plain, unrelated=[0, 1])])
    assert len({digest_of([replace(plain, unrelated=one)]) for one in ((), (0,), (1,), (0, 1))}) == 4


def test_a_page_sent_again_with_another_flag_has_other_answers() -> None:
    page = _page()
    _say(page)
    _say(page)
    with pytest.raises(OtherAnswersError):
        _say(page, unrelated=())
