"""Fills the database of `benchmarks.console`: the corpus, and what people leave behind besides it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import cycle, islice
from typing import Any

from django.contrib.auth.models import Group, User
from django.core.management.color import no_style
from django.db import connection
from django.db.models import F
from django.utils import timezone

from annotation.domain.answers import Stage
from annotation.models import (
    Assignment,
    Batch,
    Box,
    Caption,
    Case,
    Chain,
    Decision,
    Exposure,
    Image,
    ImageWork,
    Item,
    Judgment,
    Mention,
    Project,
    Standing,
    VerificationQuestion,
    Worker,
)
from annotation.planner import analyze
from benchmarks.console.corpus import WorkedCorpus
from benchmarks.console.crowd import CROWD, fill_crowd, made_rows
from benchmarks.made_up_corpus import CAPTIONS_EACH, COLUMNS, HEIGHT, IMAGES, NOUNS, WIDTH, Tables, insert
from workflows.analysis.counts.refresh import count_due
from workflows.analysis.models import KeptCounts, WorkerCounts
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.batches.cost_forecast import SAMPLE
from workflows.batches.lifecycle import create_batch
from workflows.core.models import AuditEntry
from workflows.jobs.models import Job, Snapshot
from workflows.money.earned_days import recount_earned
from workflows.money.models import Budget, Earned, LedgerEntry, LedgerLine
from workflows.pipeline.models import Transition
from workflows.review.spot_checks import draw_spot_check, give_verdict
from workflows.workers.models import WorkerNote

BULK = (Image, Caption, Mention, ImageWork, Assignment, Chain, Item, Judgment, Box, Transition)
AT_ONCE = 1000
ALL = {
    "workers": 2_100, "questions": 9_000, "answers": 46_000, "cases": 4_000, "decisions": 6_000,
    "jobs": 400, "snapshots": 60, "entries": 60_000, "batches": 60, "notes": 900,
    "publications": 200_000, "earned": 100_000,
}  # fmt: skip
"""How many rows of each kind there are besides a corpus of the full size."""
OUTCOME = {"images": 100, "captions": 500}
MIN_ROWS = {"batches": 2}
"""The least number of rows for a small corpus. Kinds that are not named here have at least a dozen."""
MENTIONS_EACH = 3
LATER = timedelta(minutes=1)
"""The time from a page's submission until its pay is owed."""
PAID = 2
"""One earning in so many has been paid."""


def fill(images: int) -> Project:
    """Make a project with so many images, and a draft of as many in another project.

    The database must be empty. Returns the first project, whose figures are counted.
    """
    now = timezone.now()
    most = {name: max(MIN_ROWS.get(name, 12), number * images // IMAGES) for name, number in ALL.items()}
    most["workers"] -= most["workers"] % 3
    project = Project.objects.create(name="bench-console")
    checked = parse_settings({"reward": dict.fromkeys(map(str, Stage), 12), "crowd": CROWD})
    settings = checked.to_json()
    batch = Batch.objects.create(project=project, name="main", state="running", settings=settings)
    workers = _bulk(Worker(project=project, external_id=f"worker-{n}") for n in range(most["workers"]))
    first = {"project": project.pk, "batch": batch.pk, "worker": workers[0].pk}
    sqlite = connection.vendor == "sqlite"
    corpus = WorkedCorpus(images, first, workers=len(workers), now=now, sqlite=sqlite)
    for place, tables in enumerate(corpus.chunks()):
        if not place:
            _remark(tables, min(most["cases"], 900))
        insert([(model, getattr(tables, model.__name__.lower())) for model in BULK])
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(BULK)):
            cursor.execute(statement)
    for name in range(most["batches"]):
        Batch.objects.create(project=project, name=f"old-{name}", state="cancelled", settings=settings)
    fill_control(project, batch, workers, most, now)
    _review(project, workers, most, now)
    _spot_check(project, now)
    fill_operations(project, most, now)
    fill_crowd(batch, workers, most["publications"], now)
    fill_earned(batch, most["earned"])
    make_draft(images, checked)
    analyze(*BULK, Worker, VerificationQuestion, Case, Decision, AuditEntry, Standing)
    count_due(clock=timezone.now, project_id=project.pk, force=True)
    analyze(KeptCounts, WorkerCounts)
    User.objects.create(username="manager", is_staff=True).groups.add(Group.objects.get(name="manager"))
    return project


def _remark(tables: Tables, count: int) -> None:
    """Give so many judgments a comment, before they are written: nobody can change them afterwards."""
    comment = COLUMNS["judgment"].split().index("comment")
    for place, row in enumerate(tables.judgment[:count]):
        tables.judgment[place] = (*row[:comment], "The picture is dark.", *row[comment + 1 :])


def _bulk(rows: Iterator[Any]) -> list[Any]:
    made: list[Any] = []
    while some := list(islice(rows, AT_ONCE)):
        made += type(some[0]).objects.bulk_create(some)
    return made


def fill_control(
    project: Project, batch: Batch, workers: list[Worker], most: dict[str, int], now: datetime
) -> None:
    """Make verification questions, answers to them, standings, and pages that workers hold."""
    stages = [str(stage) for stage in Stage]
    images = list(Image.objects.order_by("-pk").values_list("pk", flat=True)[: most["questions"]])
    mention = dict(Mention.objects.filter(image__in=images[:500]).values_list("image", "pk"))
    some = next(iter(mention.values()))
    questions = _bulk(
        VerificationQuestion(
            project=project,
            image_id=image,
            stage=stage,
            source="written",
            kind="made",
            mentions=[mention.get(image, some)] * (2 if stage in ("link", "verification") else 1),
            box=[10, 20, 110, 220] if stage == "quality" else None,
            answer={"boxes": [[10, 20, 110, 220]]} if stage == "drawing" else _answer(stage),
            content=f"made-{n}",
            created_at=now,
        )
        for n, (image, stage) in enumerate(zip(cycle(images), islice(cycle(stages), most["questions"])))
    )
    rng = random.Random(3)
    pairs = list({(rng.choice(workers).pk, rng.choice(questions).pk) for _ in range(most["answers"])})
    stage_of = {question.pk: question.stage for question in questions}
    held = {}
    for worker in workers:
        for stage in stages:
            held[worker.pk, stage] = Assignment(
                worker=worker, batch=batch, stage=stage, state="submitted", items=[], reward=12,
                currency="USD", created_at=now, expires_at=now, submitted_at=now,
            )  # fmt: skip
    _bulk(iter(held.values()))
    _bulk(
        Judgment(
            question_id=question,
            worker_id=worker,
            assignment=held[worker, stage_of[question]],
            answer=_answer(stage_of[question]),
            correct=rng.random() < 0.9,
            seconds=4,
            created_at=now,
        )
        for worker, question in pairs
    )
    _bulk(Exposure(question_id=question, worker_id=worker, created_at=now) for worker, question in pairs)
    _bulk(
        Standing(
            worker=worker, stage=stage, state=rng.choice(("trusted", "trusted", "lost")), asked=30, right=27,
            recent_asked=30, recent_right=27, changed_at=now,
        )
        for worker in workers for stage in stages
    )  # fmt: skip
    _bulk(
        Assignment(
            worker=worker, batch=batch, stage="drawing", items=[], reward=12, currency="USD", created_at=now,
            expires_at=now + timedelta(hours=1),
        )
        for worker in workers[:200]
    )  # fmt: skip


def _answer(stage: str) -> dict[str, Any]:
    answers: dict[str, dict[str, Any]] = {
        "link": {"same": True}, "verification": {"same": True}, "requirement": {"requirement": "box"},
        "drawing": {"box": [10, 20, 110, 220]}, "quality": {"good": True}, "coverage": {"complete": True},
    }  # fmt: skip
    return answers[stage]


def _review(project: Project, workers: list[Worker], most: dict[str, int], now: datetime) -> None:
    """Make the review queue, decisions, remarks and notes."""
    chains = list(Chain.objects.order_by("pk").values_list("pk", "work")[: most["cases"] * 3])
    reasons = ("cycle", "flag", "sample", "cycle")
    _bulk(
        Case(
            project=project, reason=reason, work_id=work, chain_id=chain, opened_at=now,
            closed_at=now if n % 5 == 0 else None,
        )
        for n, ((chain, work), reason) in enumerate(
            zip(chains[::3][: most["cases"]], cycle(reasons))
        )
    )  # fmt: skip
    _bulk(
        Case(project=project, reason="pace", worker=worker, stage=stage, opened_at=now, detail={"flags": []})
        for stage in ("link", "drawing", "quality")
        for worker in workers[: most["cases"] // 20]
    )
    _bulk(
        Decision(
            project=project, kind="chain", by="manager", chain_id=chain, work_id=work, created_at=now,
            content={"state": "done", "boxes": [], "flag": ""},
        )
        for chain, work in chains[1::3][: most["decisions"] // 2]
    )  # fmt: skip
    _bulk(
        Decision(project=project, kind="close", by="manager", worker=worker, stage="link", created_at=now)
        for worker in islice(cycle(workers), most["decisions"] // 2)
    )
    _bulk(
        WorkerNote(worker=worker, by="manager", text="Asked what a chunk is.", created_at=now)
        for worker in islice(cycle(workers), most["notes"])
    )


def _spot_check(project: Project, now: datetime) -> None:
    """Draw units of finished images, and judge the first of them."""
    sizes = {"mention": 200, "chain": 200, "box": 200}
    drawn = draw_spot_check(project=project, sizes=sizes, seed=1, by="manager", now=now)
    give_verdict(spot_check=drawn, place=0, right=True, reason="", note="", by="manager", now=now)


def fill_operations(project: Project, most: dict[str, int], now: datetime) -> None:
    """Make jobs, versions of the data set, and entries of the audit log."""
    jobs = _bulk(
        Job(
            project=project,
            kind=kind,
            state="done",
            by="manager",
            created_at=now,
            ended_at=now,
            outcome=OUTCOME,
        )
        for kind in islice(cycle(("export", "import")), most["jobs"])
    )
    exports = [job for job in jobs if job.kind == "export"][: most["snapshots"]]
    _bulk(
        Snapshot(
            project=project, version=n, job=job, format="flickr30k-entities", file="snapshots/x.zip", size=9,
            sha256="0" * 64, manifest={}, by="manager", created_at=now,
        )
        for n, job in enumerate(exports, start=1)
    )  # fmt: skip
    actions = ("chain.decide", "batch.settings", "worker.note", "login")
    _bulk(
        AuditEntry(
            by="manager", action=action, project=project, kind="chain", object_id=str(n), created_at=now
        )
        for n, action in enumerate(islice(cycle(actions), most["entries"]))
    )


def make_draft(images: int, settings: BatchSettings) -> Batch:
    """Make a second project with so many free images, and a draft of all of them.

    Only the images that a forecast looks at have captions and mentions. As in the other project, no image has
    a picture.
    """
    project = Project.objects.create(name="bench-draft")
    _bulk(Image(project=project, name=f"{n:010}.jpg", width=WIDTH, height=HEIGHT) for n in range(images))
    # By their ids, since only images with captions are free.
    ids = Image.objects.filter(project=project).order_by("name").values_list("pk", flat=True)
    batch = create_batch(project=project, name="draft", settings=settings, images=ids)
    looked_at = batch.works.order_by("pk").values_list("image_id", flat=True)[:SAMPLE]
    draw = random.Random(5)
    phrases = {(image, index): _phrases(draw) for image in looked_at for index in range(CAPTIONS_EACH)}
    captions = Caption.objects.bulk_create(
        Caption(image_id=image, index=index, text=text, tokens=text)
        for (image, index), found in phrases.items()
        for text in [" and ".join(f"a {head}" for _, head in found)]
    )
    Mention.objects.bulk_create(
        Mention(
            image_id=caption.image_id, caption=caption, start=3 * place, end=3 * place + 2,
            text=f"a {head}", head=head, types=kind,
        )
        for caption in captions
        for place, (kind, head) in enumerate(phrases[caption.image_id, caption.index])
    )  # fmt: skip
    return batch


def _phrases(draw: random.Random) -> list[tuple[str, str]]:
    """Draw the types and head nouns of a caption's phrases."""
    types, weights = list(NOUNS), [chains for chains, _ in NOUNS.values()]
    return [(kind, draw.choice(NOUNS[kind][1])) for kind in draw.choices(types, weights, k=MENTIONS_EACH)]


def fill_earned(batch: Batch, number: int) -> None:
    """Owe at most so many submitted pages of the batch, as `earning` does, and count what is kept of them."""
    pages = list(
        Assignment.objects.filter(batch=batch, state="submitted", worker__provider="direct")
        .order_by("submitted_at", "pk")
        .only("worker", "reward", "currency", "submitted_at")[:number]
    )
    _move(batch, pages, "earn", "rewards", "payable")
    _move(batch, pages[::PAID], "payroll", "payable", "funds")
    Budget.objects.filter(batch=batch).update(spent=F("spent") + sum(page.reward for page in pages))
    analyze(Assignment, LedgerEntry, LedgerLine)
    recount_earned(batch_id=batch.pk)
    analyze(Earned)


def _move(batch: Batch, pages: list[Assignment], kind: str, debit: str, credit: str) -> None:
    def entry(page: Assignment) -> Any:
        assert page.submitted_at is not None
        return LedgerEntry(
            batch=batch, kind=kind, token=f"{kind}:page:{page.pk}", under=f"page:{page.pk}",
            currency=page.currency, assignment=page, worker_id=page.worker_id,
            created_at=page.submitted_at + (LATER if kind == "earn" else 2 * LATER),
        )  # fmt: skip

    entries = made_rows(LedgerEntry, (entry(page) for page in pages))
    made_rows(
        LedgerLine,
        (
            LedgerLine(entry=one, account=account, amount=amount)
            for one, page in zip(entries, pages, strict=True)
            for account, amount in ((debit, page.reward), (credit, -page.reward))
        ),
    )
