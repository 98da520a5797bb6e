"""Verification questions: how workers fare with them, and which are asked."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse

from annotation.models import VerificationQuestion
from workflows.review import questions as selectors
from workflows.review.permissions import viewing
from workflows.review.queue import read_number
from workflows.review.views.common import around, page
from workflows.review.words import STAGES


@viewing
def questions(request: HttpRequest) -> HttpResponse:
    """All of them, by project, stage, role and state."""
    wanted = selectors.read_wanted(request.GET)
    found = selectors.question_list(wanted, before=read_number(request.GET, "before") or 0)
    words = {
        "project": wanted.project or "",
        "stage": wanted.stage,
        "role": wanted.role,
        "state": wanted.state,
        "before": found.more,
    }
    context = {
        "found": found,
        "wanted": wanted,
        "more": f"?{urlencode(words)}" if found.more else "",
        "stages": list(STAGES.items()),
        "roles": list(selectors.ROLES.items()),
        "states": VerificationQuestion.State.values,
        "place": "questions",
        "crumb": "Verification questions",
    }
    return page(request, "questions", context, title="Verification questions")


@viewing
def question(request: HttpRequest, pk: int) -> HttpResponse:
    """One question with its picture."""
    found = selectors.question_page(pk)
    if found is None:
        raise Http404
    context = {
        "found": found,
        "place": "questions",
        "crumb": f"Question {pk}",
        **around(request, found.open_cases),
    }
    return page(request, "question", context, title=f"Verification question {pk}")
