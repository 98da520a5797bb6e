"""The page that shows proposed verification questions, to approve or refuse them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone

from annotation.domain.protocols import ALL_STAGES
from annotation.models import Project, VerificationQuestion
from annotation.transactions import write_transaction
from console.common.access import viewing
from console.common.labels import QUESTION_ROLES, STAGES
from console.common.pages import acted, read_number, user_name
from console.common.queue_position import page
from console.questions.gallery import gallery
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.questions.approve import MAX_AT_ONCE, decide_proposals
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.make_missing import to_approve

APPROVE, REFUSE = "approve", "refuse"


@viewing
def proposals(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the most doubtful proposals first. A POST approves some and refuses others."""
    project = get_object_or_404(Project, pk=pk)
    if request.method == "POST":
        _decide(request, project)
        return redirect(request.get_full_path())
    stage, role = request.GET.get("stage", ""), request.GET.get("role", "")
    batch = project.batches.filter(pk=read_number(request.GET, "batch") or 0).first()
    only = batch is not None or request.GET.get("missing") == "1"
    settings = settings_of(batch) if batch else BatchSettings()
    found = gallery(
        project,
        missing=to_approve(project, settings) if only else None,
        stage=stage if stage in ALL_STAGES else "",
        role=role if role in VerificationQuestion.Role.values else "",
    )
    context = {
        "project": project,
        "found": found,
        "stage": stage,
        "role": role,
        "only": only,
        "batch": batch,
        "roles": list(QUESTION_ROLES.items()),
        "stages": list(STAGES.items()),
        "place": "questions",
        "crumb": "Proposed questions",
    }
    return page(request, "questions/gallery", context, title="Proposed verification questions")


def _decide(request: HttpRequest, project: Project) -> None:
    approve, refuse = _marked(request.POST, APPROVE), _marked(request.POST, REFUSE)
    if not (approve or refuse):
        messages.info(request, "Nothing was decided: approve or refuse some questions first.")
        return
    try:
        with write_transaction():
            done = decide_proposals(
                project_id=project.pk,
                approve=approve,
                refuse=refuse,
                by=user_name(request),
                now=timezone.now(),
            )
            if done.approved or done.refused:
                acted(
                    request,
                    "questions.decide",
                    project=project,
                    approved=done.approved,
                    refused=done.refused,
                )
    except QuestionError as error:
        messages.error(request, str(error))
        return
    messages.success(request, f"{done.approved} approved, {done.refused} refused.")
    if missing := len(approve) + len(refuse) - done.approved - done.refused:
        messages.info(
            request,
            f"{missing} left as they were: another researcher decided about them, or their image is being "
            "annotated again.",
        )


def _marked(data: QueryDict, wanted: str) -> list[int]:
    """Return the questions (ids) with this answer among the fields `q-<id>`."""
    names = [name for name, value in data.items() if value == wanted and name.startswith("q-")]
    ids = [name.removeprefix("q-") for name in names[: MAX_AT_ONCE + 1]]
    return [int(one) for one in ids if one.isdecimal() and len(one) < 19]
