"""A first look for researchers: batches can be moved, the rest is to be read.

State follows from judgments, so no row is edited by hand; the actions call the same services as commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin, messages
from django.db.models import Count, Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html

from annotation.models import (
    Batch,
    Case,
    Chain,
    Decision,
    Image,
    ImageWork,
    Project,
    VerificationQuestion,
    Worker,
)
from console.audit import admin as _attempts  # noqa: F401  (registers its list)
from console.review.queue import address
from workflows.services.batches import BatchError, move
from workflows.tasks import hint_open

if TYPE_CHECKING:
    _Admin = admin.ModelAdmin[Model]
else:
    _Admin = admin.ModelAdmin


admin.site.site_header = admin.site.site_title = "Groundcrew"
admin.site.index_title = "Research console"


class ReadOnlyAdmin(_Admin):
    """Rows to look at. A list still counts its filtered rows; the console to come pages by cursor."""

    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Project)
class ProjectAdmin(ReadOnlyAdmin):
    list_display = ("name", "created_at")
    search_fields = ("name",)


@admin.register(Batch)
class BatchAdmin(ReadOnlyAdmin):
    list_display = ("name", "project", "state", "images", "done", "created_at")
    list_filter = ("state", "project")
    list_select_related = ("project",)
    actions = ("launch", "pause", "resume", "cancel")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        done = Count("works", filter=Q(works__state=ImageWork.State.DONE))
        batches = super().get_queryset(request)
        counted: QuerySet[Model] = batches.annotate(images_count=Count("works"), done_count=done)
        return counted

    @admin.display(description="images")
    def images(self, batch: Model) -> int:
        return int(getattr(batch, "images_count"))  # noqa: B009  (annotated above, unknown to the model)

    @admin.display(description="of these done")
    def done(self, batch: Model) -> int:
        return int(getattr(batch, "done_count"))  # noqa: B009  (annotated above, unknown to the model)

    def has_move_permission(self, request: HttpRequest) -> bool:
        """Moving a batch takes the right to change batches, though no form offers to edit one."""
        return request.user.has_perm("annotation.change_batch")

    @admin.action(description="Launch (opens the first items)", permissions=["move"])
    def launch(self, request: HttpRequest, queryset: QuerySet[Batch]) -> None:
        self._move(request, queryset, "launch")

    @admin.action(description="Pause (pages in hand can still be submitted)", permissions=["move"])
    def pause(self, request: HttpRequest, queryset: QuerySet[Batch]) -> None:
        self._move(request, queryset, "pause")

    @admin.action(description="Resume", permissions=["move"])
    def resume(self, request: HttpRequest, queryset: QuerySet[Batch]) -> None:
        self._move(request, queryset, "resume")

    @admin.action(description="Cancel for good (judgments are kept)", permissions=["move"])
    def cancel(self, request: HttpRequest, queryset: QuerySet[Batch]) -> None:
        self._move(request, queryset, "cancel")

    def _move(self, request: HttpRequest, batches: QuerySet[Batch], action: str) -> None:
        for batch in batches:
            try:
                moved = move(batch=batch, action=action)
            except BatchError as error:
                self.message_user(request, str(error), messages.ERROR)
                continue
            if moved.state == Batch.State.RUNNING:
                hint_open(moved.pk)
            self.message_user(request, f"batch {moved.name} is {moved.state}")


@admin.register(Image)
class ImageAdmin(ReadOnlyAdmin):
    list_display = ("name", "project", "width", "height", "split")
    list_filter = ("project",)
    list_select_related = ("project",)
    search_fields = ("name",)


@admin.register(Worker)
class WorkerAdmin(ReadOnlyAdmin):
    list_display = ("external_id", "provider", "project", "blocked", "created_at", "review")
    list_filter = ("project", "provider", "blocked")
    list_select_related = ("project",)
    search_fields = ("external_id",)

    @admin.display(description="review")
    def review(self, worker: Worker) -> str:
        return _link("review:worker", worker.pk)


@admin.register(Chain)
class ChainAdmin(ReadOnlyAdmin):
    list_display = (
        *("representative", "image", "types", "state", "boxes_accepted", "boxes_rejected", "reason"),
        "review",
    )
    list_filter = ("state",)
    list_select_related = ("representative", "work__image")
    ordering = ("-pk",)

    @admin.display(description="image")
    def image(self, chain: Chain) -> str:
        return chain.work.image.name

    @admin.display(description="review")
    def review(self, chain: Chain) -> str:
        return _link("review:chain", chain.pk)


def _link(name: str, pk: int) -> str:
    """To the page of the review console, where something can be done about the row."""
    return format_html('<a href="{}">Open</a>', reverse(name, args=[pk]))


class ReviewAdmin(ReadOnlyAdmin):
    """On the index, leads to a page of the review console; the rows themselves stay to be looked up."""

    place = "review:queue"

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        return redirect(self.place) if not request.GET else super().changelist_view(request, extra_context)


@admin.register(Case)
class CaseAdmin(ReviewAdmin):
    list_display = ("reason", "project", "stage", "opened_at", "closed_at", "review")
    list_filter = ("reason", "project")
    list_select_related = ("project",)

    @admin.display(description="review")
    def review(self, case: Case) -> str:
        return format_html('<a href="{}">Open</a>', address(case))


@admin.register(VerificationQuestion)
class VerificationQuestionAdmin(ReviewAdmin):
    place = "review:questions"
    list_display = ("stage", "project", "role", "state", "asked", "right", "review")
    list_filter = ("stage", "state", "project")
    list_select_related = ("project",)

    @admin.display(description="review")
    def review(self, question: VerificationQuestion) -> str:
        return _link("review:question", question.pk)


@admin.register(Decision)
class DecisionAdmin(ReadOnlyAdmin):
    """The audit log: who decided what, when and why."""

    list_display = ("kind", "by", "note", "questions", "project", "stage", "created_at")
    list_filter = ("kind", "project")
    list_select_related = ("project",)
    ordering = ("-pk",)

    @admin.display(description="questions")
    def questions(self, decision: Decision) -> str:
        """Those it is about, or the first and how many."""
        ids = decision.content.get("questions", [])
        if not ids:
            return ""
        more = f" and {len(ids) - 1:,} more" if len(ids) > 1 else ""
        return format_html('<a href="{}">{}</a>{}', reverse("review:question", args=[ids[0]]), ids[0], more)
