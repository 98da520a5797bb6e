"""Batches, who works in them, what they are asked, and what they answer."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest

from annotation.models import Batch, Item, Judgment, Worker
from console.admin.cursor import CursorChangeList
from console.admin.records import RecordAdmin, link
from console.common.labels import STAGES, say_answer
from workflows.analysis.counts.selectors import kept_of_batches


class _WithFigures(CursorChangeList):
    """Batches with their kept figures."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        rows: list[Any] = list(self.result_list)
        figures = kept_of_batches([batch.pk for batch in rows])
        for batch in rows:
            batch.kept = figures[batch.pk]


@admin.register(Batch)
class BatchAdmin(RecordAdmin):
    list_display = ("name", "project", "state", "images", "done", "as_of", "created_at", "page")
    list_filter = ("state", "project")
    list_select_related = ("project",)
    search_help_text = "id or name"

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[CursorChangeList]:
        return _WithFigures

    def named(self, name: str) -> Q:
        return Q(name=name)

    @admin.display(description="images")
    def images(self, batch: Any) -> int | None:
        return batch.kept.items.wanted if batch.kept.items else None

    @admin.display(description="of these done")
    def done(self, batch: Any) -> int | None:
        return batch.kept.items.images_done if batch.kept.items else None

    @admin.display(description="as of")
    def as_of(self, batch: Any) -> Any:
        return batch.kept.counted_at

    @admin.display(description="dashboard")
    def page(self, batch: Batch) -> str:
        return link("dashboards:batch", batch.pk)


@admin.register(Worker)
class WorkerAdmin(RecordAdmin):
    list_display = ("external_id", "provider", "project", "blocked", "created_at", "page")
    list_filter = ("project", "blocked")
    list_select_related = ("project",)
    search_help_text = "id, or the provider's name for the worker"

    def named(self, name: str) -> Q:
        return Q(external_id=name)

    @admin.display(description="review")
    def page(self, worker: Worker) -> str:
        return link("workers:worker", worker.pk)


@admin.register(Item)
class ItemAdmin(RecordAdmin):
    list_display = ("id", "stage", "state", "needed", "judged", "leased", "unread", "queued_at", "page")
    list_select_related = ("batch",)

    @admin.display(description="review")
    def page(self, item: Item) -> str:
        return link("review:chain", item.chain_id) if item.chain_id else link("review:work", item.work_id)


@admin.register(Judgment)
class JudgmentAdmin(RecordAdmin):
    list_display = ("id", "stage", "says", "seconds", "who", "counts", "created_at")
    list_select_related = ("item", "question", "worker")
    search_help_text = "id, or the provider's name for the worker"

    def named(self, name: str) -> Q:
        workers = Worker.objects.filter(external_id=name).values_list("pk", flat=True)
        return Q(worker__in=list(workers[:1000]))

    @admin.display(description="stage")
    def stage(self, judgment: Judgment) -> str:
        return STAGES[_stage(judgment)]

    @admin.display(description="answer")
    def says(self, judgment: Judgment) -> str:
        return say_answer(_stage(judgment), judgment.answer)

    @admin.display(description="worker")
    def who(self, judgment: Judgment) -> str:
        return link("workers:worker", judgment.worker_id, words=judgment.worker.external_id)

    @admin.display(description="counts", boolean=True)
    def counts(self, judgment: Judgment) -> bool:
        return judgment.item_id is not None and judgment.set_aside_id is None


def _stage(judgment: Judgment) -> str:
    subject = judgment.item or judgment.question
    assert subject is not None, "constraint judgment_of_one"
    return subject.stage
