"""Where a page stands in the review queue, for the pages that a case leads to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from annotation.models import Case
from console.common import case_list, pages
from console.common.assets import EDITOR, built
from console.common.labels import REASONS
from workflows.cases.review_queue import why_not_closed
from workflows.cases.worker_cases import about_worker


def page(
    request: HttpRequest, template: str, context: dict[str, Any], *, title: str, status: int = 200
) -> HttpResponse:
    """Render a page from a template that extends `console/queue_base.html`.

    `crumbs` in the context are (name, address) pairs on the way to it. With a `project` in the context, the
    page keeps the project's tabs.
    """
    context = {"editor": built(EDITOR), **context}
    return pages.page(request, f"{template}.html", context, title=title, status=status)


def around(request: HttpRequest, cases: Sequence[Case]) -> dict[str, Any]:
    """Where somebody is in the queue who came to this page with a case; `cases` are the page's open ones."""
    wanted, pk = case_list.read_filter(request), case_list.read_case(request.GET)
    case = next((one for one in cases if one.pk == pk), None) or _rest(pk, cases)
    group = [one for one in cases if case and (one.reason, one.worker_id) == (case.reason, case.worker_id)]
    several = case is not None and about_worker(case) and len(group) > 1
    if several:  # in the queue, it has the id of the first stage that the filter shows
        case = next((one for one in group if not wanted.stages or one.stage in wanted.stages), case)
    pk = case.pk if case else pk
    return {
        "queue": reverse("review:queue") + wanted.query(),
        "case": case,
        "case_short": case is not None and case_list.is_shortage(case),
        "case_says": case_list.say_case(case) if case else "",
        "case_reason": REASONS[case.reason][0].lower() if case else "",
        "case_stages": case_list.stages_of(group) if several else [],
        # The page of a chain has its own form, which says what closes its last case.
        "may_close": case is None or case.chain_id is not None or not why_not_closed(case),
        "here": wanted.query(**({"case": pk} if pk else {})),
        "neighbours": case_list.neighbours(pk, wanted),
        "beside": case_list.beside(pk, wanted, now=timezone.now()),
    }


def _rest(pk: int | None, cases: Sequence[Case]) -> Case | None:
    """Return what is left of a case about a worker if the stage that the user came with is decided."""
    came = Case.objects.filter(pk=pk, reason__in=Case.ABOUT_WORKERS).first() if pk and cases else None
    about = (came.reason, came.worker_id) if came else None
    return next((one for one in cases if (one.reason, one.worker_id) == about), None)
