"""A small project in the middle of its annotation, which `benchmarks.scale` multiplies.

Its pages were claimed, answered and advanced by the services themselves, so that the state of each image is
what follows from its judgments. Money, verification questions, cases and a platform's rows come with it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import cycle, islice

from django.contrib.auth.models import Group, User
from django.utils import timezone

from annotation.domain.answers import Stage
from annotation.models import Assignment, Batch, Case, Decision, Image, ImageWork, Item, Project, Worker
from annotation.planner import analyze
from benchmarks.console.crowd import CROWD, fill_crowd
from benchmarks.console.fill import fill_control, fill_operations
from benchmarks.corpus import make_project
from benchmarks.dispatch.annotators import answer
from benchmarks.scale.copies import leave_room
from workflows.assignments.claim import claim
from workflows.assignments.page_view import shown_page
from workflows.assignments.replies import Reply
from workflows.assignments.submit import submit
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import create_batch, move_batch
from workflows.crowd.direct.page_earnings import post_earnings
from workflows.pipeline.advance import advance_pending, open_queued
from workflows.workers.enrolment import enrol_worker
from workflows.workers.models import WorkerNote

PROJECT = "bench-scale"
DAYS = 60
"""How long the work on a full-size corpus took."""
REWARD = 12
MENTIONS = 5
"""Of a caption. An image then has enough pairs of mentions for 31 open items and 63 judgments on average."""
FREE, DONE, BOXING = 0.1, 0.3, 0.15
"""Shares of the images that no batch has, that are done, and whose chains are on their way.

The other images have links to be answered.
"""
CHAIN_STAGES = tuple(str(stage) for stage in Stage if stage != Stage.LINK)
_PAGES_PER_ADVANCE = 40


def make_base(images: int, *, copies: int) -> Batch:
    """Make the project with so many images. `copies` will have the full size, and DAYS of work."""
    now = timezone.now()
    leave_room()
    project = make_project(PROJECT, images, mentions=MENTIONS)
    settings = parse_settings(
        {
            "strategy": "exhaustive",
            "regime": "open",
            "lease_seconds": 3600,
            "reward": dict.fromkeys(map(str, Stage), REWARD),
        }
    )
    chosen = Image.objects.filter(project=project).order_by("pk")[round(FREE * images) :]
    batch = create_batch(
        project=project, name="main", settings=settings, images=chosen.values_list("pk", flat=True)
    )
    move_batch(batch=batch, action="launch", without_pictures=True)
    begin = now - timedelta(days=DAYS) / copies
    open_queued(batch_id=batch.pk, now=begin)
    analyze(Item, ImageWork)
    workers = [enrol_worker(project=project, external_id=f"worker-{n}") for n in range(max(9, images // 15))]
    crew = _Crew(batch, workers, begin)
    crew.link(round(DONE * images))
    crew.box()
    crew.link(round(BOXING * images))
    crew.box(pages=images // 4)
    post_earnings(clock=lambda: crew.now)
    _add_the_rest(project, batch, workers, images, now)
    return batch


@dataclass
class _Crew:
    """Workers who answer page by page, in turns. The time is made up."""

    batch: Batch
    workers: Sequence[Worker]
    now: datetime
    rng: random.Random = field(default_factory=lambda: random.Random(6))
    turn: int = 0

    def link(self, images: int) -> None:
        """Answer links until so many more images have chains."""
        linking = ImageWork.objects.filter(batch=self.batch, state=ImageWork.State.LINKING)
        left = linking.count() - images
        while linking.count() > left:
            if not self._work((str(Stage.LINK),), 5):
                raise RuntimeError("no links are left before enough images have chains")

    def box(self, pages: int | None = None) -> None:
        """Answer all questions about chains, or so many pages of them."""
        left = pages
        while left is None or left > 0:
            done = self._work(
                CHAIN_STAGES, _PAGES_PER_ADVANCE if left is None else min(_PAGES_PER_ADVANCE, left)
            )
            if not done:
                return
            left = None if left is None else left - done

    def _work(self, stages: Sequence[str], pages: int) -> int:
        """Do at most so many pages, and read what was answered. Return how many were done."""
        done = 0
        waiting = set(Item.objects.waiting().order_by().values_list("stage", flat=True).distinct())
        for stage in [stage for stage in stages if stage in waiting]:
            for _ in range(min(len(self.workers), pages - done)):
                self.turn += 1
                done += self._page(self.workers[self.turn % len(self.workers)], stage)
        advance_pending(now=self.now)
        return done

    def _page(self, worker: Worker, stage: str) -> bool:
        found = claim(worker_id=worker.pk, stage=stage, now=self.now, rng=self.rng)
        if found is None:
            return False
        shown = shown_page(found.assignment, now=self.now)
        replies = [
            Reply(
                item=entry["item"],
                answer=answer(stage, entry["question"], self.rng),
                seconds=round(self.rng.lognormvariate(1.8, 0.7), 2),
            )
            for entry in shown["items"]
        ]
        self.now += timedelta(seconds=1)
        submit(worker_id=worker.pk, assignment_id=found.assignment.pk, replies=replies, now=self.now)
        return True


def _add_the_rest(
    project: Project, batch: Batch, workers: Sequence[Worker], images: int, now: datetime
) -> None:
    """Add what a researcher, quality control and a platform leave behind, in the shares of the full size."""
    most = {"questions": images // 4, "answers": images, "jobs": 24, "snapshots": 12, "entries": 2 * images}
    fill_control(project, batch, list(workers), most, now)
    # Nobody holds a page: a lease would have run out long before the copies are made.
    Assignment.objects.filter(state=Assignment.State.LIVE).update(state=Assignment.State.RETURNED)
    fill_operations(project, most, now)
    some = list(islice(cycle(workers), max(6, images // 10)))
    Case.objects.bulk_create(
        Case(project=project, reason="sample", work=work, chain=chain, opened_at=now)
        for work in batch.works.filter(state=ImageWork.State.DONE).order_by("pk")[: len(some)]
        for chain in work.chains.order_by("pk")[:1]
    )
    Decision.objects.bulk_create(
        Decision(project=project, kind="close", by="manager", worker=worker, stage="link", created_at=now)
        for worker in some
    )
    WorkerNote.objects.bulk_create(
        WorkerNote(worker=worker, by="manager", text="Asked what a chunk is.", created_at=now)
        for worker in some[:3]
    )
    crowd = parse_settings({"reward": dict.fromkeys(map(str, Stage), REWARD), "crowd": CROWD})
    platform = Batch.objects.create(
        project=project, name="platform", state=Batch.State.PAUSED, settings=crowd.to_json()
    )
    fill_crowd(platform, list(workers), 6 * images, now, unsettled=3, problems=2)
    manager = User.objects.create(username="manager", is_staff=True)
    manager.groups.add(Group.objects.get(name="manager"))
    assert not Item.objects.unread().exists() and not Item.objects.filter(leased__gt=0).exists()
