"""What a deleted project holds is erased, and money, workers and the audit log stay."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import IntegrityError, transaction

from annotation import models as annotation_models
from annotation.models import (
    Assignment,
    Batch,
    Case,
    Decision,
    Image,
    Item,
    JudgeRecord,
    Judgment,
    Mention,
    ModelAnswer,
    PairScores,
    Project,
    Suggestion,
    SuggestionSet,
    SuggestionStop,
    TypesVersion,
    Worker,
)
from tests.factories import (
    NOW,
    answer_page,
    claim_maybe,
    make_controlled,
    make_image,
    make_project,
    make_running,
    make_worker,
)
from workflows.batches.lifecycle import move_batch
from workflows.cases.review_queue import open_case
from workflows.core.audit_log import record_action
from workflows.core.models import AuditEntry, Erasure
from workflows.jobs.models import Job, Snapshot
from workflows.judges.versions import add_model
from workflows.money.ledger import reserve
from workflows.money.models import LedgerEntry
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.models import Transition
from workflows.priors.models import PriorVersion
from workflows.projects import erasure
from workflows.projects.erasure import content_of, erase_deleted_projects
from workflows.projects.lifecycle import delete_project
from workflows.review.annotate import image_version
from workflows.review.captions import change_caption
from workflows.review.models import SpotCheck, SpotCheckVerdict
from workflows.review.set_aside import set_aside_worker
from workflows.review.spot_checks import give_verdict

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

KEPT = {
    *("Project", "Worker", "Batch", "Assignment", "Standing", "QualificationTry"),
    "InstructionsVersion",
}
"""Models of `annotation` whose rows stay: money, pay and pages refer to them."""


def filled() -> Batch:
    """Return an ended batch of a project with rows in nearly every table."""
    batch = make_controlled("link", "verification", images=2, questions=10)
    project = batch.project
    for _ in range(2):
        if claim_maybe(worker := make_worker(project)):
            answer_page(worker)
            advance_pending(now=NOW)
    if claim_maybe(worker := make_worker(project)):
        answer_page(worker, answering=lambda *_: {"unusable": True})
    image = Image.objects.filter(project=project).order_by("pk")[0]
    open_case(project_id=project.pk, reason="flag", now=NOW, work_id=image.works.get().pk)
    judged = Judgment.objects.filter(item__isnull=False).order_by("pk")[0]
    set_aside_worker(
        worker_id=judged.worker_id, stage="link", by="ada", note="", now=NOW, unsupported_only=False
    )
    # An image that no batch has can have decisions, too.
    free = make_image(project, [["man"]])
    change_caption(
        caption_id=free.captions.get().pk,
        wording=None,
        by="ada",
        note="",
        now=NOW,
        version=image_version(free.pk),
    )
    PriorVersion.objects.create(project=project, number=1, content={}, report={}, by="ada", created_at=NOW)
    TypesVersion.objects.create(project=project, number=1, content={"types": []}, by="ada", created_at=NOW)
    check = SpotCheck.objects.create(
        project=project, seed=1, units=[["chain", 1, 1, 1]], totals={}, by="ada", created_at=NOW
    )
    give_verdict(spot_check=check, place=0, right=True, reason="", note="", by="ada", now=NOW)
    model, _ = add_model(project=project, name="judge", version="1", now=NOW)
    record = JudgeRecord.objects.create(model=model, stage="check", content={}, answers=0, created_at=NOW)
    item, question = Item.objects.filter(batch=batch)[0], project.questions.all()[0]
    ModelAnswer.objects.create(model=model, item=item, answer={}, weights={}, record=record, created_at=NOW)
    ModelAnswer.objects.create(model=model, question=question, answer={}, created_at=NOW)
    suggestions = SuggestionSet.objects.create(
        project=project, number=1, model=model, settings={}, report={}, by="ada", created_at=NOW
    )
    for mention in Mention.objects.filter(image__project=project)[:2]:
        Suggestion.objects.create(set=suggestions, mention=mention, boxes=[[1, 1, 9, 9, 0.5]])
    case = Case.objects.create(project=project, reason="suggestions", opened_at=NOW)
    again = Decision.objects.create(project=project, kind="resume", by="ada", created_at=NOW)
    SuggestionStop.objects.create(
        batch=batch, reason="crowd", figures={}, case=case, resumed=again, created_at=NOW
    )
    PairScores.objects.create(set=suggestions, image=mention.image, scores=[[1, 2, 0.5]])
    reserve(batch_id=batch.pk, token="t", amount=5, currency="USD", now=NOW)
    record_action(by="ada", action="batch.launch", now=NOW, project=project)
    move_batch(batch=batch, action="cancel")
    return batch


def gone(project: Project) -> None:
    delete_project(project_id=project.pk, typed=project.name, now=NOW)


def rows_left(project: Project) -> dict[str, int]:
    """Return how many rows each model of `annotation` has that belong to the project, if any."""
    paths = {
        "Image": "project", "Caption": "image__project", "Mention": "image__project",
        "GoldChain": "image__project", "ImageWork": "batch__project", "Item": "batch__project",
        "Judgment": "worker__project", "Abstention": "worker__project",
        "VerificationQuestion": "project", "Exposure": "worker__project",
        "EntranceImage": "image__project", "Decision": "project", "Case": "project",
        "Chain": "work__batch__project", "Box": "chain__work__batch__project",
        "ModelVersion": "project", "ModelAnswer": "model__project", "JudgeRecord": "model__project",
        "TypesVersion": "project", "SuggestionSet": "project", "Suggestion": "set__project",
        "SuggestionStop": "case__project",
        "PairScores": "set__project", "RowChange": "project",
    }  # fmt: skip
    models = {model.__name__ for model in apps.get_app_config("annotation").get_models()}
    assert set(paths) | KEPT == models, "a model is neither kept nor erased"
    found = {
        name: getattr(annotation_models, name).objects.filter(**{path: project}).count()
        for name, path in paths.items()
    }
    return {name: count for name, count in found.items() if count}


def test_everything_but_money_workers_and_the_log_is_erased(media: Path) -> None:
    batch = filled()
    project = batch.project
    stays = make_running([["dog"], ["dog"]])
    answer_page(make_worker(stays.project))
    advance_pending(now=NOW)
    others = rows_left(stays.project)
    pages, workers = Assignment.objects.count(), Worker.objects.count()
    assert {"Image", "Judgment", "Decision", "Case", "VerificationQuestion", "Item"} <= set(
        rows_left(project)
    )
    assert Transition.objects.filter(work__batch=batch).exists()
    held = content_of(project)
    gone(project)
    assert erase_deleted_projects(now=NOW) == held.images
    assert rows_left(project) == {}
    assert not Transition.objects.filter(work__batch=batch).exists()
    assert not PriorVersion.objects.exists()
    assert not SpotCheck.objects.exists() and not SpotCheckVerdict.objects.exists()
    assert rows_left(stays.project) == others
    assert (Assignment.objects.count(), Worker.objects.count()) == (pages, workers)
    assert LedgerEntry.objects.filter(batch=batch).exists()
    assert AuditEntry.objects.filter(project=project).exists()
    call_command("verify_ledger")
    call_command("verify_audit")
    assert Project.everything.get(pk=project.pk).erased_at == NOW
    assert erase_deleted_projects(now=NOW) == 0


def test_its_photographs_and_exported_versions_leave_the_storage(media: Path) -> None:
    project = make_project()
    image = make_image(project, [["man"]])
    photograph = default_storage.save("p/1.jpg", ContentFile(b"a photograph"))
    archive, digests = (default_storage.save(name, ContentFile(b"data")) for name in ("v.zip", "v.digests"))
    Image.objects.filter(pk=image.pk).update(file=photograph)
    job = Job.objects.create(project=project, kind="export", state="done", created_at=NOW)
    Snapshot.objects.create(
        project=project, version=1, job=job, format="jsonl", file=archive, size=4, sha256="", manifest={},
        digests={"file": digests}, created_at=NOW,
    )  # fmt: skip
    gone(project)
    erase_deleted_projects(now=NOW)
    assert not any(map(default_storage.exists, (photograph, archive, digests)))
    assert not Snapshot.objects.exists() and Job.objects.exists()


def test_an_erasure_that_was_killed_goes_on(monkeypatch: pytest.MonkeyPatch, media: Path) -> None:
    project = make_project()
    for _ in range(4):
        make_image(project, [["man"]])
    gone(project)
    monkeypatch.setattr(erasure, "IMAGES_AT_ONCE", 2)
    erased: list[int] = []
    erase = erasure._erase_images

    def die_at_second(images: list[int], **more: object) -> None:
        if erased:
            raise KeyboardInterrupt
        erased.extend(images)
        erase(images, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(erasure, "_erase_images", die_at_second)
    with pytest.raises(KeyboardInterrupt):
        erase_deleted_projects(now=NOW)
    assert rows_left(project)["Image"] == 2
    monkeypatch.setattr(erasure, "_erase_images", erase)
    assert erase_deleted_projects(now=NOW) == 2
    assert rows_left(project) == {}


def test_evidence_can_be_deleted_only_where_an_erasure_is_marked() -> None:
    batch = make_running([["man"], ["man"]])
    answer_page(make_worker(batch.project))
    judgments = Judgment.objects.all()
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        judgments._raw_delete(judgments.db)
    with transaction.atomic():
        mark = Erasure.objects.create(began_at=NOW)
        judgments._raw_delete(judgments.db)
        mark.delete()
    assert not Judgment.objects.exists() and not Erasure.objects.exists()


def test_money_and_the_log_are_never_deleted_even_then() -> None:
    record_action(by="ada", action="batch.launch", now=NOW)
    rows = AuditEntry.objects.all()
    Erasure.objects.create(began_at=NOW)
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        rows._raw_delete(rows.db)


def test_nothing_of_a_project_that_was_not_deleted_is_erased() -> None:
    batch = filled()
    before = rows_left(batch.project)
    assert erase_deleted_projects(now=NOW) == 0
    assert rows_left(batch.project) == before
    assert Case.objects.exists() and Decision.objects.exists()
