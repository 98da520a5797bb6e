"""The tabs of a project stay on the pages of its review, its questions and its workers."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client, RequestFactory
from django.urls import reverse

from annotation.models import Chain, Judgment
from console.navigation import sidebar
from tests.console.review.review_rows import make_finished, make_question

pytestmark = pytest.mark.django_db


def tabs(client: Client, address: str) -> str:
    """Return the navigation above the page."""
    page = client.get(address)
    assert page.status_code == 200, address
    _, _, rest = page.content.decode().partition('<nav class="places"')
    return rest.partition("</nav>")[0]


def pages_of(chain: Chain) -> dict[str, str]:
    """Return pages about the project, with the tab that each is under."""
    worker = Judgment.objects.filter(item__chain=chain)[0].worker_id
    question = make_question(chain)
    project = f"?project={chain.work.batch.project_id}"
    return {
        reverse("review:queue") + project: "Review",
        reverse("review:chain", args=[chain.pk]): "Review",
        reverse("review:work", args=[chain.work_id]): "Review",
        reverse("questions:list") + project: "Questions",
        reverse("questions:question", args=[question.pk]): "Questions",
        reverse("questions:write") + project: "Questions",
        reverse("workers:list") + project: "Workers",
        reverse("workers:worker", args=[worker]): "Workers",
        reverse("workers:judgments", args=[worker]): "Workers",
        reverse("workers:set-aside", args=[worker]) + "?stage=link": "Workers",
    }


def test_a_page_about_a_project_has_its_tabs_and_marks_its_own(reviewer: Client) -> None:
    chain = make_finished()
    name = chain.work.batch.project.name
    for address, tab in pages_of(chain).items():
        shown = tabs(reviewer, address)
        assert f'aria-label="{name}"' in shown, address
        assert f'aria-current="page">{tab}</a>' in shown, address


def test_a_list_of_all_projects_has_the_reviews_own(reviewer: Client) -> None:
    for name in ("review:queue", "questions:list", "workers:list"):
        assert 'aria-label="Review"' in tabs(reviewer, reverse(name))
    assert 'aria-label="Review"' in tabs(reviewer, reverse("review:queue") + "?project=999999")


def test_the_sidebar_marks_projects_on_a_page_of_one_project(rf: RequestFactory, admin_user: User) -> None:
    for name in ("review:spot-checks", "questions:gallery", "statistics:project"):
        assert current(rf, admin_user, reverse(name, args=[1])) == ["Projects"], name
    assert current(rf, admin_user, reverse("review:queue")) == ["Review queue"]


def current(rf: RequestFactory, user: User, address: str) -> list[str]:
    """Return the marked entries of the sidebar at an address."""
    request = rf.get(address)
    request.user = user
    return [item["title"] for group in sidebar(request) for item in group["items"] if item["active"]]
