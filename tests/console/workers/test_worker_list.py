"""The list of workers by their kept figures, in pages by keyset."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Project, Standing, Worker
from console.workers import worker_list as listing
from tests.factories import NOW, make_project, make_worker
from workflows.analysis.domain.kept_counts import WorkerStage
from workflows.analysis.models import WorkerCounts

pytestmark = pytest.mark.django_db


def test_every_table_of_figures_says_what_it_counts(viewer: Client) -> None:
    """*Judgments* stood over numbers without answers to verification questions, and over lists with them."""
    one, other = (make_worker(project) for project in [make_project("pets")] * 2)
    for worker in (one, other):
        stages = {"link": WorkerStage(judgments=12, questions=3, right=3).to_json()}
        WorkerCounts.objects.create(worker=worker, project=worker.project, stages=stages, counted_at=NOW)
    for address in (
        reverse("workers:list"),
        reverse("workers:worker", args=[one.pk]),
        f"{reverse('workers:compare')}?worker={one.pk}&worker={other.pk}",
    ):
        page = viewer.get(address).content.decode()
        assert "Answers to verification questions are only under “Questions right”." in page, address


URL = "/admin/review/worker/"


def _worker(project: Project, name: str, judgments: int, **figures: Any) -> Worker:
    worker = make_worker(project, name)
    WorkerCounts.objects.create(
        worker=worker, project=project, judgments=judgments, counted_at=NOW, **figures
    )
    return worker


@pytest.fixture
def crowd() -> Project:
    """Make four workers with figures, and one who is new."""
    project = make_project()
    _worker(project, "ann", 5, agreement=0.5, median_seconds=9, last_at=NOW)
    _worker(project, "bob", 7, agreement=0.5, median_seconds=3, last_at=NOW + timedelta(hours=1))
    _worker(project, "cat", 7, agreement=0.9, median_seconds=5, last_at=NOW)
    blocked = _worker(project, "dan", 0, earned={"USD": 1250}, questions=8, right=6)
    Worker.objects.filter(pk=blocked.pk).update(blocked=True)
    make_worker(project, "eve")
    _worker(make_project(), "of another project", 99, agreement=0.1, median_seconds=1, last_at=NOW)
    return project


def _names(client: Client, query: str) -> list[str]:
    """Return the names on all pages, one page after the other."""
    reply, names = client.get(URL + query), []
    while True:
        found = reply.context["found"]
        names += [row.worker.external_id for row in found.rows]
        if not found.more:
            return names
        reply = client.get(URL + found.more)


@pytest.mark.parametrize(
    ("order", "names"),
    [
        ("", ["bob", "cat", "ann", "eve", "dan"]),
        ("newest", ["eve", "dan", "cat", "bob", "ann"]),
        ("judgments", ["cat", "bob", "ann", "dan"]),
        ("agreement", ["ann", "bob", "cat"]),
        ("speed", ["bob", "cat", "ann"]),
        ("nonsense", ["bob", "cat", "ann", "eve", "dan"]),
    ],
)
@pytest.mark.parametrize("rows", [30, 1])
def test_every_order_shows_everybody_once(
    viewer: Client, crowd: Project, monkeypatch: pytest.MonkeyPatch, order: str, names: list[str], rows: int
) -> None:
    monkeypatch.setattr(listing, "ROWS", rows)
    assert _names(viewer, f"?project={crowd.pk}&order={order}") == names


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("&name=ca", ["cat"]),
        ("&blocked=yes", ["dan"]),
        ("&blocked=no&order=judgments", ["cat", "bob", "ann"]),
        ("&standing=lost", ["ann"]),
        ("&standing=lost&order=speed", ["ann"]),
        ("&standing=trusted", []),
        ("&before=nonsense&name=cat", ["cat"]),
        ("&before=nonsense~1&name=cat", ["cat"]),
        ("&blocked=no", ["bob", "cat", "ann", "eve"]),
        ("&before=x~1&order=judgments&name=cat", ["cat"]),
    ],
)
def test_it_is_filtered(viewer: Client, crowd: Project, query: str, names: list[str]) -> None:
    ann = Worker.objects.get(external_id="ann")
    Standing.objects.create(worker=ann, stage="drawing", state="lost", changed_at=NOW)
    assert _names(viewer, f"?project={crowd.pk}{query}") == names


@pytest.mark.parametrize("rows", [30, 3, 1])
def test_who_works_comes_first_in_all_projects_together(
    viewer: Client, crowd: Project, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    monkeypatch.setattr(listing, "ROWS", rows)
    assert _names(viewer, "?") == ["bob", "of another project", "cat", "ann", "eve", "dan"]


def test_the_page_says_its_order(viewer: Client, crowd: Project) -> None:
    text = viewer.get(URL).content.decode()
    assert "Workers with the latest judgment come first" in text and "Lately active first" in text
    assert "Workers with the latest judgment" not in viewer.get(f"{URL}?order=newest").content.decode()


def test_what_was_not_counted_yet_is_a_dash(viewer: Client, crowd: Project) -> None:
    text = viewer.get(f"{URL}?project={crowd.pk}").content.decode()
    assert "12.50 USD" in text and "75.0%" in text
    row = text.split(">eve<")[1].split("</tr>")[0]
    assert row.count("–") == 6


def test_it_takes_as_many_queries_for_many_as_for_few(
    viewer: Client, crowd: Project, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(9):
        viewer.get(f"{URL}?project={crowd.pk}&order=judgments")
    with django_assert_max_num_queries(11):
        viewer.get(URL)
