"""What the pages of the review have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from annotation.models import Case, Project
from console.common import pages
from console.review import case_list
from console.review.assets import EDITOR, built
from console.review.labels import say_error
from workflows.cases.review_queue import why_not_closed


def page(
    request: HttpRequest, template: str, context: dict[str, Any], *, title: str, status: int = 200
) -> HttpResponse:
    """Render a page of the review. `crumbs` in the context are (name, address) pairs on the way to it.

    With a `project` in the context, the page keeps the project's tabs.
    """
    return pages.page(
        request, f"review/{template}.html", {"editor": built(EDITOR), **context}, title=title, status=status
    )


def project_named(pk: int | None) -> Project | None:
    """Return the project that a list is filtered by, so that its page shows the project's tabs; or None."""
    return Project.objects.filter(pk=pk).first() if pk is not None else None


def around(request: HttpRequest, cases: Sequence[Case]) -> dict[str, Any]:
    """Where somebody is in the queue who came to this page with a case; `cases` are the page's open ones."""
    wanted, pk = case_list.read_filter(request.GET), case_list.read_case(request.GET)
    case = next((one for one in cases if one.pk == pk), None)
    return {
        "queue": reverse("review:queue") + wanted.query(),
        "case": case,
        "case_says": case_list.say_case(case) if case else "",
        # The page of a chain has its own form, which says what closes its last case.
        "may_close": case is None or case.chain_id is not None or not why_not_closed(case),
        "here": wanted.query(**({"case": pk} if pk else {})),
        "neighbours": case_list.neighbours(pk, wanted),
        "beside": case_list.beside(pk, wanted, now=timezone.now()),
    }


def say_errors(form: forms.Form) -> str:
    """Return the errors of a form that is not shown again, in a line."""
    return " ".join(
        f"{form.fields[name].label if name in form.fields else ''}: {' '.join(map(str, errors))}"
        for name, errors in form.errors.items()
    )


def add_error(form: forms.Form, field: str, message: str) -> None:
    """Show a service's error at the field it names, or above the form."""
    name = field.split(".")[0].split("[")[0]
    form.add_error(name if name in form.fields else None, say_error(field, message))
