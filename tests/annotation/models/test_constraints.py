"""What must not happen twice is refused by the database itself, whatever a service overlooks."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, models
from django.db.models import F

from annotation.models import Assignment, Batch, Exposure, Item, Judgment
from tests.factories import answer_page, claim_page, make_controlled, make_running, make_worker

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

PAIR = [["man"], ["man"]]


def insert_again(row: models.Model, **changed: object) -> None:
    """Insert a copy of the row under another key, past all services."""
    kept = {field.attname: getattr(row, field.attname) for field in type(row)._meta.concrete_fields}
    kept["id"] = uuid4() if isinstance(row.pk, UUID) else None
    type(row)._default_manager.bulk_create([type(row)(**{**kept, **changed})])


def test_a_worker_judges_an_item_once() -> None:
    batch = make_running(PAIR)
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


def test_a_worker_is_shown_a_verification_question_once() -> None:
    batch = make_controlled("link", "trusted")
    claim_page(make_worker(batch.project), stage="link")
    with pytest.raises(IntegrityError):
        insert_again(Exposure.objects.all()[0])


def test_a_worker_holds_one_page_of_a_stage() -> None:
    batch = make_running(PAIR)
    page = claim_page(make_worker(batch.project), stage="link")
    insert_again(page, state=Assignment.State.RETURNED)
    with pytest.raises(IntegrityError):
        insert_again(page)


def test_a_pair_of_mentions_is_one_item() -> None:
    make_running(PAIR)
    with pytest.raises(IntegrityError):
        insert_again(Item.objects.get())


def test_an_image_is_annotated_by_one_batch_at_a_time() -> None:
    work = make_running(PAIR).works.get()
    other, third = (Batch.objects.create(project=work.batch.project, name=name) for name in ("b", "c"))
    insert_again(work, batch_id=other.pk, active=False)
    with pytest.raises(IntegrityError):
        insert_again(work, batch_id=third.pk)


def test_no_more_workers_lease_an_item_than_it_needs_judgments() -> None:
    make_running(PAIR)
    Item.objects.update(leased=F("needed"))
    with pytest.raises(IntegrityError):
        Item.objects.update(leased=F("needed") + 1)
