"""A version is evaluated on its page, and the reports are kept with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Project
from tests.workflows.jobs.evaluated import LEFT, make_version, predictions
from tests.workflows.jobs.jobs_made import finished
from workflows.core.models import AuditEntry
from workflows.jobs.domain.jobs import PREDICTIONS_FORMATS
from workflows.jobs.models import Job, Snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.jobs.views.evaluations.hint_jobs", lambda: None)


@pytest.fixture
def version(media: Path) -> Snapshot:
    return make_version()


def page_of(version: Snapshot) -> str:
    return reverse("jobs:evaluate", args=[version.pk])


def post(client: Client, version: Snapshot, content: bytes | None = None, **data: Any) -> Any:
    sent = {"task": "localization", "rule": "merged", "iou": "0.5", "split": "", **data}
    if content is not None:
        sent["predictions"] = SimpleUploadedFile("<model>.jsonl", content)
    return client.post(page_of(version), sent)


def test_somebody_uploads_predictions_and_opens_the_report(
    manager: Client,
    viewer: Client,
    version: Snapshot,
    django_assert_max_num_queries: Any,
) -> None:
    assert page_of(version) in manager.get(reverse("jobs:snapshot", args=[version.pk])).content.decode()
    reply = post(manager, version, predictions(LEFT, LEFT))
    job = Job.objects.latest("pk")
    assert reply["Location"] == reverse("jobs:job", args=[job.pk])
    assert (job.kind, job.by, job.options["file"]) == ("evaluate", "mona", "<model>.jsonl")
    waiting = manager.get(page_of(version)).content.decode()
    assert "queued" in waiting and "&lt;model&gt;.jsonl" in waiting and "<model>" not in waiting
    assert finished(job).state == "done"
    with django_assert_max_num_queries(12):
        listed = viewer.get(page_of(version)).content.decode()
    assert "R@1 50.00% · R@5 50.00%" in listed and reverse("jobs:report", args=[job.pk]) in listed
    assert 'name="predictions"' not in listed
    shown = viewer.get(reverse("jobs:job", args=[job.pk])).content.decode()
    assert "Open the report" in shown and "50.00%" in shown and "&lt;model&gt;.jsonl" in shown
    report = viewer.get(reverse("jobs:report", args=[job.pk]))
    policy = report["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "form-action 'none'" in policy and "script" not in policy
    content = report.content.decode()
    assert "<script" not in content and "<model>" not in content and "&lt;model&gt;.jsonl" in content
    numbers = viewer.get(reverse("jobs:report-numbers", args=[job.pk]))
    assert json.loads(numbers.content)["task"] == "localization"
    assert "attachment" in numbers["Content-Disposition"]
    entry = AuditEntry.objects.get(action="snapshot.evaluate")
    assert (entry.by, entry.project) == ("mona", version.project)


def test_the_format_of_predictions_is_chosen(manager: Client, version: Snapshot) -> None:
    shown = manager.get(page_of(version)).content.decode()
    options = shown.split('name="predictions_format"')[1].split("</select>")[0]
    assert all(f'value="{name}"' in options for name in PREDICTIONS_FORMATS)
    line = json.dumps({"image": "a.jpg", "caption": 0, "answer": "a man<loc_0><loc_0><loc_9><loc_9>"})
    post(manager, version, line.encode(), predictions_format="florence-2")
    job = Job.objects.latest("pk")
    assert job.options["predictions_format"] == "florence-2" and finished(job).state == "done"
    assert "answers of Florence-2" in manager.get(reverse("jobs:job", args=[job.pk])).content.decode()


def test_the_most_pixels_of_an_image_are_for_qwen_alone(manager: Client, version: Snapshot) -> None:
    line = json.dumps(
        {"image": "a.jpg", "caption": 0, "start": 0, "end": 2, "answer": '{"bbox_2d": [1, 1, 9, 9]}'}
    )
    post(manager, version, line.encode(), predictions_format="qwen2.5-vl", max_pixels="1003520")
    job = Job.objects.latest("pk")
    assert job.options["max_pixels"] == 1_003_520 and finished(job).state == "done"
    assert "1,003,520" in manager.get(reverse("jobs:job", args=[job.pk])).content.decode()
    refused = post(manager, version, line.encode(), predictions_format="qwen3-vl", max_pixels="1003520")
    assert refused.status_code == 422 and list(refused.context["form"].errors) == ["max_pixels"]


def test_the_data_set_itself_is_measured_with_one_button(manager: Client, version: Snapshot) -> None:
    reply = manager.post(page_of(version), {"dataset": "1"})
    job = Job.objects.latest("pk")
    assert reply.status_code == 302 and job.options["task"] == "components" and not job.options["upload"]
    assert finished(job).state == "done"
    assert b"Plural phrases" in manager.get(reverse("jobs:report", args=[job.pk])).content


def test_a_bad_file_is_named_on_the_jobs_page(manager: Client, version: Snapshot) -> None:
    post(manager, version, b"no json")
    job = finished(Job.objects.latest("pk"))
    shown = manager.get(reverse("jobs:job", args=[job.pk])).content.decode()
    assert job.state == "failed" and "model" in job.error and "spreadsheet" not in shown
    assert manager.get(reverse("jobs:report", args=[job.pk])).status_code == 404


@pytest.mark.parametrize(
    "data", [{"iou": "0"}, {"rule": "x"}, {"task": "x"}, {"split": "dev"}, {"predictions_format": "inches"}]
)
def test_what_cannot_be_measured_is_said_at_its_field(
    manager: Client,
    version: Snapshot,
    media: Path,
    data: dict[str, str],
) -> None:
    reply = post(manager, version, predictions(LEFT), **data)
    assert reply.status_code == 422 and list(reply.context["form"].errors) == list(data)
    assert not Job.objects.filter(kind="evaluate").exists()
    assert not [path for path in (media / ".uploads").rglob("*") if path.is_file()]


def test_an_empty_file_and_one_that_is_too_large_are_refused(
    manager: Client,
    version: Snapshot,
    settings: Any,
) -> None:
    assert post(manager, version, b"").status_code == 422
    settings.MAX_UPLOAD_BYTES = 1000
    reply = post(manager, version, b"x" * 1_002_000)
    assert reply.status_code == 413 and "At most" not in reply.content.decode().split("errorlist")[0]


def test_an_upload_without_the_token_or_by_a_viewer_is_refused(
    viewer: Client,
    manager: Client,
    version: Snapshot,
) -> None:
    assert post(viewer, version, predictions(LEFT)).status_code == 403
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = manager.cookies
    assert post(strict, version, predictions(LEFT)).status_code == 403
    assert not Job.objects.filter(kind="evaluate").exists()


def test_a_format_that_is_not_read_leads_to_one_that_is(manager: Client, version: Snapshot) -> None:
    version.format = "coco"
    version.save()
    shown = manager.get(page_of(version)).content.decode()
    assert "cannot be evaluated" in shown and 'name="predictions"' not in shown
    assert post(manager, version).status_code == 422


def test_reports_of_other_versions_are_not_listed(manager: Client, version: Snapshot) -> None:
    manager.post(page_of(version), {"dataset": "1"})
    other = Snapshot.objects.get(pk=version.pk)
    other.pk, other.version = None, 2
    other.job = Job.objects.create(
        project=Project.objects.get(pk=version.project_id),
        kind="export",
        state="done",
        created_at=version.created_at,
    )
    other.save()
    assert "Evaluation" not in manager.get(page_of(other)).context["rows"]
    assert manager.get(page_of(other)).context["rows"] == []
    assert len(manager.get(page_of(version)).context["rows"]) == 1
