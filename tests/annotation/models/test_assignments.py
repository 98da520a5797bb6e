"""What must not happen twice is refused by the database itself, whatever a service overlooks."""

from __future__ import annotations

import pytest
from django.db import IntegrityError

from annotation.models import Assignment, Judgment
from tests.annotation.models.raw_rows import insert_again
from tests.factories import answer_page, claim_page, make_controlled, make_running, make_worker

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_a_worker_judges_an_item_once() -> None:
    batch = make_running([["man"], ["man"]])
    answer_page(make_worker(batch.project))
    judgment = Judgment.objects.get()
    insert_again(judgment, worker_id=make_worker(batch.project).pk)
    with pytest.raises(IntegrityError):
        insert_again(judgment)


def test_a_worker_is_asked_a_verification_question_once() -> None:
    batch = make_controlled("link", "trusted")
    worker = make_worker(batch.project)
    answer_page(worker)
    judgment = Judgment.objects.all()[0]
    assert judgment.question_id is not None
    with pytest.raises(IntegrityError):
        insert_again(judgment)


def test_a_worker_holds_one_page_of_a_stage() -> None:
    batch = make_running([["man"], ["man"]])
    page = claim_page(make_worker(batch.project), stage="link")
    insert_again(page, state=Assignment.State.RETURNED)
    with pytest.raises(IntegrityError):
        insert_again(page)
