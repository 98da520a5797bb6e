"""A small site with rows in every table that results rest on, sealed as the tasks do it."""

from __future__ import annotations

from datetime import date, timedelta

from annotation.models import (
    Abstention,
    Assignment,
    Batch,
    Box,
    Case,
    Chain,
    Decision,
    Exposure,
    Image,
    InstructionsVersion,
    Item,
    JudgeRecord,
    Judgment,
    ModelAnswer,
    ModelVersion,
    Project,
    QualificationTry,
    SuggestionStop,
    TypesVersion,
    Worker,
)
from annotation.row_changes import change_rows
from tests.factories import NOW, claim_maybe, make_controlled, make_running, make_worker, submit_page
from tests.suggesting_models import make_scored_set, make_set
from tests.workflows.gold import make_known
from workflows.core.audit_log import AUDIT, record_action
from workflows.core.record_seals import seal_records
from workflows.core.seals import seal_log
from workflows.crowd.direct.page_earnings import post_earnings
from workflows.money.domain.payroll import Period
from workflows.money.ledger_rows import LEDGER
from workflows.money.payroll import mark_paid
from workflows.pipeline.advance import advance_pending
from workflows.priors.models import PriorVersion
from workflows.quality.standings import reassess_stale
from workflows.review.models import AnnotationQueue, SpotCheck, SpotCheckVerdict
from workflows.review.set_aside import reject_pages, set_aside_worker
from workflows.workers.enrolment import block_worker
from workflows.workers.notes import note_worker

LATER = NOW + timedelta(days=40)


def make_scene() -> Batch:
    """Return a finished batch. Other projects beside it have trust, models that help, and known answers."""
    batch = _finished()
    _trusted()
    project = batch.project
    _helped(project)
    make_known(project)
    _written(project)
    _decided(batch)
    seal_scene()
    return batch


def seal_scene() -> None:
    """Seal all that there is, as the tasks do."""
    while seal_records(clock=lambda: LATER):
        pass
    for log in (AUDIT, LEDGER):
        seal_log(log, clock=lambda: LATER)


def _finished() -> Batch:
    batch = make_running([["man", "dog"], ["man"]], images=2, reward=dict.fromkeys(("link", "drawing"), 125))
    project = batch.project
    for _ in range(60):
        found = claim_maybe(make_worker(project))
        if found is None:
            break
        submit_page(found.assignment)
        advance_pending(now=NOW)
    assert Batch.objects.get().state == Batch.State.FINISHED
    post_earnings(clock=lambda: NOW)
    mark_paid(project=project, period=Period(date(2026, 3, 1), date(2026, 3, 1)), by="ada", now=LATER)
    return batch


def _trusted() -> None:
    batch = make_controlled("link", "trusted", images=8, questions=30)
    worker = make_worker(batch.project)
    for _ in range(3):
        found = claim_maybe(worker, stage="link")
        if found is None:
            break
        submit_page(found.assignment)
    reassess_stale(now=NOW)
    question = Exposure.objects.order_by("pk")[0].question
    change_rows(type(question).objects.filter(pk=question.pk), state="retired", retired="doubtful")
    QualificationTry.objects.create(
        worker=worker, stage="link", number=1, state="passed", pass_mark=0.8, batch=batch, started_at=NOW
    )
    page = Assignment.objects.filter(batch=batch, state="submitted").first()
    item = Item.objects.filter(batch=batch, state="open").first()
    assert page is not None and item is not None
    Abstention.objects.create(
        kind="unsure", item=item, work=item.work, worker=worker, assignment=page, after=1, created_at=NOW
    )


def _helped(project: Project) -> None:
    make_set(project)
    make_scored_set(project, lambda a, b: 0.5)
    model = ModelVersion.objects.get(name="matcher", project=project)
    item = Item.objects.filter(batch__project=project, stage="quality").order_by("pk")[0]
    JudgeRecord.objects.create(model=model, stage="check", content={"p": 0.9}, answers=50, created_at=NOW)
    ModelAnswer.objects.create(model=model, item=item, answer={"good": True}, created_at=NOW)
    case = Case.objects.create(project=project, reason="suggestions", detail={"n": 1}, opened_at=NOW)
    worker = Worker.objects.filter(project=project).order_by("pk")[0]
    SuggestionStop.objects.create(reason="worker", worker=worker, case=case, figures={}, created_at=NOW)


def _written(project: Project) -> None:
    worker = Worker.objects.filter(project=project).order_by("pk")[0]
    about = {"project": project, "number": 1, "by": "ada", "created_at": NOW}
    InstructionsVersion.objects.create(stage="link", content={"text": "Look."}, **about)
    TypesVersion.objects.create(content={"own": []}, **about)
    PriorVersion.objects.create(content={"bias": 0.5}, report={"n": 3}, **about)
    note_worker(worker=worker, by="ada", text="careful", now=NOW)
    image = Image.objects.filter(project=project).order_by("pk")[0]
    check = SpotCheck.objects.create(
        project=project,
        seed=1,
        units=[["chain", 1, 1, image.pk]],
        totals={"chain": 1},
        by="ada",
        created_at=NOW,
    )
    SpotCheckVerdict.objects.create(spot_check=check, place=0, right=True, by="ada", created_at=NOW)
    AnnotationQueue.objects.create(
        project=project, purpose="gold", images=[image.pk], by="ada", created_at=NOW
    )
    for name in ("login", "batch.launch"):
        record_action(by="ada", action=name, now=NOW, project=project, kind="batch", object="main")


def _decided(batch: Batch) -> None:
    """Block a worker, set aside what another one answered, reject a page, and close cases."""
    change_rows(Batch.objects.filter(pk=batch.pk), state="running")
    other = make_running([["man", "dog"], ["man", "dog"]], images=2, items_a_page={"link": 1})
    first, second, third = (make_worker(other.project) for _ in range(3))
    pages = []
    for worker in (first, second, third):
        found = claim_maybe(worker)
        assert found is not None
        submit_page(found.assignment)
        pages.append(found.assignment.pk)
    advance_pending(now=NOW)
    block_worker(worker_id=first.pk, by="ada", note="", now=NOW)
    aside = set_aside_worker(
        worker_id=first.pk, stage="link", by="ada", note="", now=NOW, unsupported_only=False
    )
    assert aside is not None
    assert reject_pages(assignment_ids=[pages[1]], by="ada", now=NOW) is not None
    advance_pending(now=NOW)
    change_rows(Batch.objects.filter(pk=batch.pk), state="finished")
    assert Judgment.objects.exists() and Box.objects.exists() and Chain.objects.exists()
    assert Decision.objects.count() == 3
