from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from annotation.models import Project
from tests.annotation.exporting.annotated_projects import Made, annotate, make_batch
from tests.factories import NOW, make_image, make_project
from workflows import tasks
from workflows.analysis.dataset_statistics import keep_statistics, want_statistics
from workflows.analysis.models import KeptCounts
from workflows.core.models import AuditEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    found = make_project()
    chains = [Made([0], [(0, 0, 100, 100), (0, 0, 50, 50)]), Made([1], (), "nonvisual", "scene")]
    annotate(make_image(found, [["man", "park"]]), chains, batch=make_batch(found))
    return found


def address(project: Project, query: str = "") -> str:
    return f"/admin/projects/{project.pk}/statistics/{query}"


def test_a_count_is_asked_for_and_shown_beside_the_papers(
    manager: Client, project: Project, eager_tasks: None, django_assert_max_num_queries: Any
) -> None:
    assert "Nothing was counted yet" in manager.get(address(project)).content.decode()
    reply = manager.post(address(project), follow=True)
    assert reply.redirect_chain == [(address(project), 302)]
    with django_assert_max_num_queries(12):
        said = manager.get(address(project)).content.decode()
    rows = [" ".join(row.split()) for row in said.split("<tr>")]
    assert any("Boxes that another encloses" in row and "50.0%" in row and "49.2%" in row for row in rows)
    assert "Nothing was counted yet" not in said and "As of" in said
    assert said.count("<svg") == 8  # no adjective was used
    entry = AuditEntry.objects.get(action="figures.recount")
    assert (entry.by, entry.project) == ("mona", project)


def test_nobody_counts_twice_what_is_about_to_be_counted(
    manager: Client, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    hints: list[Any] = []
    monkeypatch.setattr("console.statistics.views.hint_statistics", lambda *given: hints.append(given))
    replies = [manager.post(address(project), follow=True).content.decode() for _ in range(2)]
    assert hints == [(project.pk, "crowd", None)]
    assert "A count is already running" in replies[1] and "A count was asked for at" in replies[1]
    assert AuditEntry.objects.filter(action="figures.recount").count() == 1


def test_a_message_that_comes_twice_counts_once(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    want_statistics(project=project, source="crowd", batch=None, now=NOW)
    tasks.count_statistics(project.pk, "crowd")
    first = KeptCounts.objects.get(kind="statistics")
    assert first.data["figures"]["sums"]["boxes"] == 2
    monkeypatch.setattr(
        "workflows.analysis.dataset_statistics.count_dataset", lambda **_: pytest.fail("again")
    )
    tasks.count_statistics(project.pk, "crowd")


def test_sources_and_batches_are_kept_apart(viewer: Client, project: Project) -> None:
    batch = project.batches.get()
    for source, of in (("gold", None), ("crowd", batch)):
        want_statistics(project=project, source=source, batch=of, now=NOW)
        keep_statistics(
            project_id=project.pk, source=source, batch_id=of.pk if of else None, clock=lambda: NOW
        )
    gold = viewer.get(address(project, "?source=gold")).content.decode()
    assert "No image would be exported: 1 image without known chains." in gold
    assert "<svg" in viewer.get(address(project, f"?source=crowd&batch={batch.pk}")).content.decode()
    assert "Nothing was counted yet" in viewer.get(address(project)).content.decode()


def test_images_are_left_out_as_in_an_export(viewer: Client, project: Project) -> None:
    review = [Made([0], [(0, 0, 9, 9)]), Made([1], [(0, 0, 9, 9)], "review")]
    annotate(make_image(project, [["man", "dog"]], name="b.jpg"), review, batch=project.batches.get())
    make_image(project, [["man"]], name="c.jpg")
    want_statistics(project=project, source="crowd", batch=None, now=NOW)
    keep_statistics(project_id=project.pk, source="crowd", batch_id=None, clock=lambda: NOW)
    page = viewer.get(address(project)).content.decode()
    assert "Left out, as in an export: 1 image in no batch, 1 image with unresolved mentions." in page
    out = io.StringIO()
    call_command("dataset_stats", project=project.name, stdout=out)
    assert out.getvalue().splitlines()[-2:] == [
        "left out: 1 image in no batch",
        "left out: 1 image with unresolved mentions",
    ]


@pytest.mark.parametrize("query", ["?source=nobody", "?batch=0", "?batch=99999999"])
def test_what_there_is_not_is_a_404(viewer: Client, project: Project, query: str) -> None:
    assert viewer.get(address(project, query)).status_code == 404
    assert viewer.get("/admin/projects/99999/statistics/").status_code == 404


def test_figures_of_another_version_can_be_shown(viewer: Client, project: Project) -> None:
    data = json.loads('{"figures": {"sums": {"images": 1, "new": 2}}}')
    KeptCounts.objects.create(project=project, kind="statistics", data=data, counted_at=NOW, seconds=1)
    assert viewer.get(address(project)).status_code == 200


def test_patterns_of_flagged_chunks_are_shown(viewer: Client, project: Project) -> None:
    page = address(project)
    want_statistics(project=project, source="crowd", batch=None, now=NOW)
    keep_statistics(project_id=project.pk, source="crowd", batch_id=None, clock=lambda: NOW)
    assert "cut wrongly" not in viewer.get(page).content.decode()
    kept = KeptCounts.objects.get()
    assert kept.data["figures"]["cuts"] == []
    cut = {"pattern": "noun + verb ] article", "flagged": 2, "mentions": 8, "example": "[<b>man fires] a gun"}
    kept.data["figures"]["cuts"] = [cut]
    kept.save()
    said = " ".join(viewer.get(page).content.decode().split())
    assert "Words that workers call cut wrongly" in said and "[&lt;b&gt;man fires] a gun" in said
    assert '<th scope="row">noun + verb ] article</th>' in said
    assert 'data-label="Flagged">2</td>' in said and 'data-label="All mentions of it">8</td>' in said
    assert "25.0%" in said
