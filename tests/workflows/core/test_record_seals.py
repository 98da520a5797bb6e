"""The corpus, settings, answers and decisions are sealed, and what no recorded change explains is found."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import QuerySet

from annotation.models import Batch, Caption, Image, Judgment, Mention, RowChange, Worker
from annotation.row_changes import change_rows
from tests.factories import NOW, answer_page, make_batch, make_image, make_project, make_running, make_worker
from tests.unguarded import unguarded
from workflows.batches.lifecycle import delete_batch, move_batch
from workflows.core import record_seals
from workflows.core.domain import records
from workflows.core.models import Seal
from workflows.core.record_seals import RecordsCheck, seal_records, verify_records
from workflows.pipeline.advance import advance_pending

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def seal() -> int:
    return len(seal_records(clock=lambda: NOW))


@pytest.fixture
def batch() -> Batch:
    batch = make_running([["man", "dog"], ["man", "dog"]])
    answer_page(make_worker(batch.project))
    advance_pending(now=NOW)
    return batch


def tamper(rows: QuerySet[Any], **values: Any) -> None:
    with unguarded():
        QuerySet(rows.model, query=rows.query).update(**values)


def mistakes() -> list[str]:
    return verify_records().mistakes


def test_what_was_made_is_sealed_once(batch: Batch) -> None:
    assert verify_records() == RecordsCheck(newer=verify_records().newer)
    assert seal() > 5
    assert seal() == 0
    found = verify_records()
    assert (found.mistakes, found.remarks, found.newer) == ([], [], 0)
    assert found.newest == Seal.objects.latest("number").hash
    make_worker(batch.project)
    assert verify_records().newer == 1


def test_many_rows_get_several_seals_and_several_runs(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_seals, "ROWS_PER_SEAL", 2)
    monkeypatch.setattr(record_seals, "MAX_SEALS", 3)
    monkeypatch.setattr(records, "ROWS_PER_DIGEST", 1)
    assert [seal(), seal()] == [3, 3]
    while seal():
        pass
    assert (mistakes(), verify_records().newer) == ([], 0)
    mention = Mention.objects.order_by("pk")[1]
    tamper(Mention.objects.filter(pk=mention.pk), text="cat")
    assert mistakes() == [f"annotation.Mention {mention.pk}: not as sealed"]


def test_a_row_that_was_changed_removed_or_inserted_is_named(batch: Batch) -> None:
    seal()
    caption = Caption.objects.order_by("pk")[0]
    tamper(Caption.objects.filter(pk=caption.pk), text="a cat")
    (line,) = mistakes()
    assert line.startswith(f"annotation.Caption {caption.pk} to ")
    assert line.endswith(f"of project {batch.project_id}: not as sealed")
    tamper(Caption.objects.filter(pk=caption.pk), text=caption.text)
    assert mistakes() == []
    judgment = Judgment.objects.order_by("pk")[0]
    with unguarded():
        QuerySet(Judgment).filter(pk=judgment.pk).update(id=-4)
    below, missing = mistakes()
    assert below == "annotation.Judgment -4: inserted by hand, since the database counts from 1"
    assert " rows were sealed, and " in missing


def test_what_our_code_changes_is_no_mistake(batch: Batch) -> None:
    seal()
    move_batch(batch=batch, action="pause")
    assert mistakes() == []
    seal()
    move_batch(batch=batch, action="resume")
    change_rows(Image.objects.filter(works__batch=batch), split="test")
    seal()
    assert mistakes() == []
    tamper(Image.objects.filter(works__batch=batch), split="train")
    image = Image.objects.get(works__batch=batch)
    assert mistakes() == [f"annotation.Image {image.pk}: changed since its last recorded change"]
    change_rows(Image.objects.filter(works__batch=batch), split="val")
    assert mistakes() == [f"annotation.Image {image.pk}: its recorded changes do not follow each other"]


def test_a_change_before_the_first_seal_is_not_taken_back(batch: Batch) -> None:
    change_rows(Batch.objects.filter(pk=batch.pk), state="paused")
    assert mistakes() == []
    tamper(Batch.objects.filter(pk=batch.pk), state="running")
    assert mistakes() == [f"annotation.Batch {batch.pk}: changed since its last recorded change"]
    tamper(Batch.objects.filter(pk=batch.pk), state="paused")
    seal()
    change_rows(Batch.objects.filter(pk=batch.pk), state="running")
    assert mistakes() == []


def test_a_draft_that_was_deleted_is_no_mistake() -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    before = make_batch(project, name="before", launch=False)
    delete_batch(batch=before)
    draft = make_batch(project, launch=False)
    seal()
    delete_batch(batch=draft)
    assert mistakes() == []
    seal()
    assert mistakes() == []
    tamper(RowChange.objects.filter(key=draft.pk), key=draft.pk + 1)
    assert any(line.startswith("annotation.Batch") for line in mistakes())


def test_a_project_that_a_manager_deleted_is_left_out(batch: Batch) -> None:
    seal()
    worker = Worker.objects.get()
    tamper(type(batch.project).objects.filter(pk=batch.project_id), deleted_at=NOW)
    assert mistakes() == [f"project {batch.project.name} is deleted, and the audit log does not say so"]
    tamper(type(batch.project).everything.filter(pk=batch.project_id), deleted_at=None)
    assert worker.pk


def test_a_chain_of_seals_is_checked(batch: Batch) -> None:
    seal()
    kept = verify_records().newest
    assert verify_records(expect=kept).mistakes == []
    tamper(Seal.objects.filter(log="records", number=2), digests="")
    assert "seal 2 was changed, or does not follow the one before" in mistakes()
    with unguarded():
        QuerySet(Seal).filter(log="records").delete()
    tamper(Caption.objects.all(), text="rewritten")
    seal()
    assert mistakes() == [], "within the database, nothing tells it"
    (line,) = verify_records(expect=kept).mistakes
    assert line.startswith(f"no seal has the hash {kept}")
