"""What comes of judgments, and what researchers decide about it."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html

from annotation.models import Case, Chain, Decision, VerificationQuestion
from console.admin.records import RecordAdmin, link
from console.common.case_list import address


@admin.register(Chain)
class ChainAdmin(RecordAdmin):
    list_display = (
        *("representative", "image", "types", "state", "boxes_accepted", "boxes_rejected", "reason"),
        "page",
    )
    list_select_related = ("representative", "work__image")

    @admin.display(description="image")
    def image(self, chain: Chain) -> str:
        return chain.work.image.name

    @admin.display(description="review")
    def page(self, chain: Chain) -> str:
        return link("review:chain", chain.pk)


class ReviewAdmin(RecordAdmin):
    """Rows that link to a page of the review."""

    place = "review:queue"

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        return redirect(self.place) if not request.GET else super().changelist_view(request, extra_context)


@admin.register(Case)
class CaseAdmin(ReviewAdmin):
    list_display = ("reason", "project", "stage", "opened_at", "closed_at", "page")
    list_filter = ("project",)
    list_select_related = ("project",)

    @admin.display(description="review")
    def page(self, case: Case) -> str:
        return format_html('<a href="{}">Open</a>', address(case))


@admin.register(VerificationQuestion)
class VerificationQuestionAdmin(ReviewAdmin):
    place = "questions:list"
    list_display = ("stage", "project", "role", "state", "asked", "right", "page")
    list_filter = ("project",)
    list_select_related = ("project",)

    @admin.display(description="review")
    def page(self, question: VerificationQuestion) -> str:
        return link("questions:question", question.pk)


@admin.register(Decision)
class DecisionAdmin(RecordAdmin):
    """What was decided about annotation, when and why. Other acts are in the audit log."""

    list_display = ("kind", "by", "note", "questions", "project", "stage", "created_at")
    list_filter = ("project",)
    list_select_related = ("project",)

    @admin.display(description="questions")
    def questions(self, decision: Decision) -> str:
        """Return the objects it is about, or the first and how many more."""
        ids = decision.content.get("questions", [])
        if not ids:
            return ""
        more = f" and {len(ids) - 1:,} more" if len(ids) > 1 else ""
        return format_html(
            '<a href="{}">{}</a>{}', reverse("questions:question", args=[ids[0]]), ids[0], more
        )
