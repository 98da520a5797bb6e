"""Two workers side by side: how they are chosen, and what the page shows."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Item, Project, Standing, Worker
from console.workers import comparison
from tests.console.review.review_rows import SCRIPT
from tests.console.workers.distrusted import page_of
from tests.console.workers.test_worker_accuracy import give_answers
from tests.factories import NOW, answer_page, make_at_stage, make_controlled, make_project, make_worker
from workflows.analysis.models import WorkerCounts

pytestmark = pytest.mark.django_db


def _url(*workers: Worker | int, query: str = "") -> str:
    pks = [worker if isinstance(worker, int) else worker.pk for worker in workers]
    return f"{reverse('workers:compare')}?{'&'.join(f'worker={pk}' for pk in pks)}{query}"


def _who_differ(images: int = 1) -> tuple[Worker, Worker]:
    """Let two workers judge the coverage of so many images, each time differently."""
    batch = make_at_stage("coverage", images=images)
    one, other = make_worker(batch.project), make_worker(batch.project)
    Item.objects.filter(stage="coverage").update(needed=3)
    for worker, complete in ((one, True), (other, False)):
        while Item.objects.filter(stage="coverage").exclude(judgments__worker=worker).exists():
            answer_page(worker, stage="coverage", answering=lambda *_, said=complete: {"complete": said})
    return one, other


def test_the_figures_of_both_are_in_columns_by_stage(viewer: Client) -> None:
    project = make_project()
    one, other = make_worker(project, "ann"), make_worker(project, SCRIPT)
    Standing.objects.create(worker=one, stage="link", state="lost", changed_at=NOW)
    figures = {
        **{"pages": 3, "judgments": 1200, "questions": 8, "right": 6},
        **{"agreement": 0.9, "median_seconds": 2.5, "seconds": 5400},
    }
    for worker, stages in ((one, {"link": figures}), (other, {"drawing": figures})):
        WorkerCounts.objects.create(
            worker=worker, project=project, judgments=1200, questions=8, right=6, stages=stages,
            last_at=NOW, counted_at=NOW,
        )  # fmt: skip
    reply = viewer.get(_url(one, other))
    found = reply.context["found"]
    assert [part.title for part in found.parts] == ["All stages", "Coreference link", "Box drawing"]
    link = {line.says: (line.one, line.other) for line in found.parts[1].lines}
    assert link == {
        "Standing": ("lost", "–"),
        "Pages": ("3", "–"),
        "Judgments": ("1,200", "0"),
        "Questions right": ("75.0% (6 of 8)", "–"),
        "Agreement": ("90.0%", "–"),
        "Median": ("2.5 s", "–"),
        "Hours": ("1.50", "–"),
    }
    assert "Boxes accepted" in [line.says for line in found.parts[2].lines]
    text = reply.content.decode()
    assert "ann" in text and SCRIPT not in text
    assert "They have judged nothing in common" in text


def test_both_histories_are_in_one_chart_with_runs_of_one_length(viewer: Client) -> None:
    project = make_controlled("quality", "trusted", minimum_score={"quality": 0.7}).project
    one, other = make_worker(project, "ann"), make_worker(project, "bob")
    Standing.objects.create(worker=one, stage="quality", state="trusted", changed_at=NOW)
    give_answers(one, "quality", "y" * 130)
    give_answers(other, "quality", "y" * 20 + "n" * 20)
    (chart,) = viewer.get(_url(one, other)).context["found"].histories
    assert chart.header == ("answers", "ann", "bob", "minimum")
    assert chart.rows[:3] == (
        ("from 1", "100.0%", "100.0%", "70.0%"),
        ("from 21", "100.0%", "0.0%", "70.0%"),
        ("from 41", "100.0%", "–", "70.0%"),
    )


def test_workers_of_the_same_name_are_told_apart(viewer: Client) -> None:
    project = make_project()
    one = make_worker(project, "ann")
    other = Worker.objects.create(project=project, provider="mturk", external_id="ann", created_at=NOW)
    sides = viewer.get(_url(one, other)).context["found"].sides
    assert [side.name for side in sides] == ["ann (direct)", "ann (mturk)"]


def test_where_they_differ_leads_to_the_item(viewer: Client) -> None:
    one, other = _who_differ()
    reply = viewer.get(_url(one, other))
    found = reply.context["found"]
    (row,) = found.agreements
    assert (row.name, row.both, row.same, row.share) == ("box coverage", 1, 0, "0.0%")
    (difference,) = found.differences
    assert [tile.judgment.worker_id for tile in difference.tiles] == [one.pk, other.pk]
    assert difference.tiles[0].link in reply.content.decode()
    other_stage = viewer.get(_url(one, other, query="&stage=link")).context["found"]
    assert (other_stage.agreements, other_stage.differences) == (found.agreements, [])
    assert viewer.get(_url(one, other, query="&stage=nonsense")).status_code == 404


def test_the_page_shows_the_newest_differences_and_costs_the_same_for_many(
    viewer: Client, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: Any
) -> None:
    one, other = _who_differ(images=5)
    monkeypatch.setattr(comparison, "MAX_DIFFERENCES", 3)
    with django_assert_max_num_queries(26):
        reply = viewer.get(_url(one, other))
    assert (reply.context["found"].differ, len(reply.context["found"].differences)) == (5, 3)
    assert "The newest 3 of 5." in reply.content.decode()


def test_two_workers_of_different_projects_are_not_compared(viewer: Client) -> None:
    reply = viewer.get(_url(make_worker(make_project("a"), "ann"), make_worker(make_project("b"), "bob")))
    assert reply.status_code == 422
    text = reply.content.decode()
    assert "ann works for a, and bob for b. Choose two workers of one project." in text


def test_the_page_says_how_many_are_chosen(viewer: Client) -> None:
    project = make_project()
    workers = [make_worker(project) for _ in range(3)]
    assert "No worker is chosen. Choose two." in viewer.get(reverse("workers:compare")).content.decode()
    reply = viewer.get(_url(*workers))
    assert reply.status_code == 422 and "3 workers are chosen. Choose two." in reply.content.decode()


@pytest.mark.parametrize("chosen", ["worker=x", "worker=-1&worker=2", "worker=9999999", "worker=²&worker=1"])
def test_what_is_no_worker_is_not_found(viewer: Client, chosen: str) -> None:
    assert viewer.get(f"{reverse('workers:compare')}?{chosen}").status_code == 404


def test_if_one_is_chosen_the_list_asks_for_the_other(viewer: Client) -> None:
    project: Project = make_project()
    one, other = make_worker(project, "ann"), make_worker(project, "bob")
    make_worker(make_project(), "of another project")
    reply = viewer.get(_url(one, one), follow=True)
    text = reply.content.decode()
    assert "Choose the worker to compare with" in text
    assert "of another project" not in text
    assert _url(one, other).replace("&", "&amp;") in text
    assert _url(one, one).replace("&", "&amp;") not in text
    assert f"{reverse('workers:list')}?beside={one.pk}" in viewer.get(page_of(one)).content.decode()


def test_two_are_ticked_in_the_list(viewer: Client) -> None:
    worker = make_worker(make_project(), "ann")
    text = viewer.get(reverse("workers:list")).content.decode()
    assert f'name="worker" value="{worker.pk}" form="compare"' in text
    assert f'<form id="compare" class="row" action="{reverse("workers:compare")}">' in text
    assert "Choose the worker" not in viewer.get(f"{reverse('workers:list')}?beside=999").content.decode()


def test_the_page_is_for_those_who_see_workers() -> None:
    project = make_project()
    address = _url(make_worker(project), make_worker(project))
    assert Client().get(address).status_code == 302
