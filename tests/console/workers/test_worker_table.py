"""The CSV of workers' figures: as their pages show them, for managers, and kept in the audit log."""

from __future__ import annotations

import csv
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Project, Standing, Worker
from console.workers import worker_table
from tests.console.batches.form_data import acts
from tests.factories import NOW, answer_page, make_at_stage, make_batch, make_image, make_project, make_worker
from workflows.analysis.counts.refresh import keep_workers
from workflows.analysis.models import WorkerCounts

pytestmark = pytest.mark.django_db


def _rows(client: Client, project: Project) -> list[dict[str, str]]:
    reply: Any = client.get(reverse("workers:table", args=[project.pk]))
    assert reply.status_code == 200
    return list(csv.DictReader(reply.getvalue().decode().splitlines()))


def _counted(project: Project, name: str, **stages: dict[str, Any]) -> Worker:
    worker = make_worker(project, name)
    WorkerCounts.objects.create(worker=worker, project=project, stages=stages, last_at=NOW, counted_at=NOW)
    return worker


def test_a_worker_has_a_row_for_each_stage_sorted_by_name(manager: Client) -> None:
    project = make_project()
    link = {
        **{"pages": 3, "judgments": 12, "questions": 8, "right": 6},
        **{"agreement": 0.9, "median_seconds": 2.5, "seconds": 5400},
    }
    bob = _counted(project, "bob", quality={"judgments": 2}, link=link)
    _counted(project, "ann", link=link)
    make_worker(project, "answered nothing")
    _counted(make_project(), "of another project", link=link)
    Standing.objects.create(worker=bob, stage="link", state="trusted", changed_at=NOW)
    rows = _rows(manager, project)
    assert [(row["worker"], row["stage"]) for row in rows] == [
        *[("ann", "link"), ("bob", "link"), ("bob", "quality")]
    ]
    assert list(rows[1].values()) == [
        *["direct", "bob", "no", "link", "trusted", "3", "12", "8", "6", "0.7500", "0.9000", "2.5", "1.50"],
        *["2026-03-01T12:00:00+00:00"] * 2,
    ]
    assert rows[0]["trust"] == ""
    assert {name for name, cell in rows[2].items() if not cell} == {
        *("trust", "pages", "accuracy", "agreement", "median_seconds", "hours")
    }


def test_a_standing_of_one_batch_is_named_after_it(manager: Client) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    first = make_batch(project, name="-first")
    make_image(project, [["man"], ["man"]])
    second = make_batch(project, name="b")
    worker = _counted(project, "ann", link={"judgments": 1})
    for batch, state in ((first, "lost"), (second, "entering")):
        Standing.objects.create(worker=worker, batch=batch, stage="link", state=state, changed_at=NOW)
    assert _rows(manager, project)[0]["trust"] == "'-first: lost; b: entering"


def test_its_figures_are_those_of_the_workers_page(manager: Client) -> None:
    batch = make_at_stage("requirement", images=4)
    worker = make_worker(batch.project)
    answer_page(worker, stage="requirement")
    keep_workers(project_id=batch.project_id, workers=[worker.pk], clock=lambda: NOW)
    (row,) = [one for one in _rows(manager, batch.project) if one["worker"] == worker.external_id]
    (shown,) = manager.get(reverse("workers:worker", args=[worker.pk])).context["found"].stages
    assert (row["pages"], row["judgments"]) == (str(shown.own.pages), str(shown.own.judgments))
    assert row["pages"] == "1" and int(row["judgments"]) > 0


def test_a_name_is_no_formula_and_the_download_is_in_the_log(manager: Client) -> None:
    project = make_project()
    _counted(project, "=evil()", link={"judgments": 1})
    assert _rows(manager, project)[0]["worker"] == "'=evil()"
    entry = acts().get()
    assert (entry.action, entry.by, entry.project) == ("workers.export", "mona", project)
    reply = manager.get(reverse("workers:table", args=[project.pk]))
    assert "no-store" in reply["Cache-Control"]
    assert reply["Content-Disposition"] == f'attachment; filename="workers-{project.pk}.csv"'


def test_only_managers_find_the_button(manager: Client, viewer: Client) -> None:
    project = make_project()
    address = reverse("workers:table", args=[project.pk])
    assert viewer.get(address).status_code == 403
    url = f"{reverse('workers:list')}?project={project.pk}"
    assert address in manager.get(url).content.decode()
    assert address not in viewer.get(url).content.decode()


def test_it_takes_as_many_queries_for_many_as_for_few(monkeypatch: pytest.MonkeyPatch) -> None:
    project, queries, rows = make_project(), [], [[""]]
    for number in range(12):
        worker = _counted(project, f"worker {number:02}", link={"judgments": 1}, quality={"judgments": 1})
        Standing.objects.create(worker=worker, stage="link", state="trusted", changed_at=NOW)
        with CaptureQueriesContext(connection) as asked:
            rows = list(worker_table.rows_of(project.pk))
        assert len(rows) == 2 * (number + 1) + 1
        queries.append(len(asked))
    assert set(queries) == {2}
    monkeypatch.setattr(worker_table, "AT_ONCE", 6)
    assert list(worker_table.rows_of(project.pk)) == rows
