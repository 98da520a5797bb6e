"""Evaluation jobs measure a version, or predictions for it, and store a report."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Batch, Image, Project
from evaluation.coordinates import MIN_PIXELS, smart_resize
from tests.factories import NOW, make_project
from tests.workflows.jobs.evaluated import LEFT, RIGHT, make_version, predictions
from tests.workflows.jobs.jobs_made import Clock, finished
from workflows.jobs import evaluations, reports
from workflows.jobs.domain.jobs import LEAST_MAX_PIXELS, EvaluationAsked, JobError, parse_options
from workflows.jobs.job_queue import cancel_job, start_job
from workflows.jobs.models import Job, Snapshot
from workflows.jobs.run_job import clean_up_files
from workflows.jobs.upload_storage import PREDICTIONS
from workflows.jobs.uploads import keep_upload
from workflows.projects.erasure import erase_deleted_projects
from workflows.projects.lifecycle import delete_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def version(media: Path) -> Snapshot:
    return make_version()


def uploaded(content: bytes, name: str = "model.jsonl") -> str:
    return keep_upload({PREDICTIONS: [SimpleUploadedFile(name, content)]}, now=NOW)


def evaluation(version: Snapshot, **asked: Any) -> Job:
    asking = EvaluationAsked(version=version.pk, **asked)
    return start_job(project=version.project, asked=asking, by="mona", now=NOW)[0]


def content_of(job: Job, kind: str) -> str:
    with default_storage.open(job.outcome[kind]) as file:
        return str(file.read().decode())


def stored(media: Path) -> list[Path]:
    return [path for path in (media / ".evaluations").rglob("*") if path.is_file()]


def test_predictions_are_measured_and_the_report_is_stored(version: Snapshot, media: Path) -> None:
    upload = uploaded(predictions(LEFT, RIGHT))
    job = finished(evaluation(version, task="localization", upload=upload, file="model.jsonl"))
    assert (job.state, job.error) == ("done", "")
    page = content_of(job, "html")
    assert f"{version.project.name}, version 1" in page and "model" in page and "<script" not in page
    numbers = json.loads(content_of(job, "json"))
    first = numbers["tables"]["recall"][0]
    # The man of a.jpg is found, that of b.jpg is not, and two dogs have no prediction.
    assert (first["queries"], first["R@1"]) == (4, 0.25)
    assert dict(job.outcome["figures"])["R@1"] == "25.00%"
    assert len(stored(media)) == 2
    assert not list((media / ".uploads").rglob("model.jsonl")), "an upload that was measured is deleted"
    assert not list((media.parent / "exporting").iterdir())


def test_packed_predictions_and_another_rule_are_measured(version: Snapshot) -> None:
    nearly = (0, 0, 100, 160)  # an IoU of 0.8
    content = gzip.compress(predictions(nearly, nearly))
    for iou, share in ((0.8, 0.5), (0.81, 0.0)):
        upload = uploaded(content, "model.jsonl.gz")
        job = finished(
            evaluation(version, task="localization", upload=upload, file="m.gz", rule="any", iou=iou)
        )
        numbers = json.loads(content_of(job, "json"))
        assert numbers["tables"]["recall"][0]["R@1"] == share


def test_predictions_may_have_any_name_also_that_of_the_copied_version(version: Snapshot) -> None:
    job = finished(evaluation(version, task="localization", upload=uploaded(b"no json", "version.zip")))
    assert job.state == "failed" and "version.zip" in job.error and "is not JSON" in job.error
    upload = uploaded(predictions(LEFT, RIGHT), "predictions")
    job = finished(evaluation(version, task="localization", upload=upload))
    assert (job.state, job.error) == ("done", "")


def test_answers_are_measured_in_the_format_that_is_chosen(version: Snapshot) -> None:
    answer = '{"box_2d": [0, 0, 1000, 500], "label": "a man"}'
    content = json.dumps({"image": "a.jpg", "caption": 0, "answer": answer}).encode()

    def run(**asked: Any) -> Job:
        upload = uploaded(content)
        return finished(evaluation(version, task="localization", upload=upload, file="m.jsonl", **asked))

    job = run(predictions_format="gemini")
    assert (job.state, job.error) == ("done", "")
    found = json.loads(content_of(job, "json"))["tables"]
    assert {row["what"] for row in found["findings"]} == {"query without a prediction"}
    refused = run()
    assert refused.state == "failed"
    assert "looks like gemini. If it is, say so with Format gemini" in refused.error


def test_the_most_pixels_that_a_model_saw_are_chosen(version: Snapshot) -> None:
    """The man of a.jpg is at LEFT, in an image that the model saw with at most 20,000 pixels."""
    image = Image.objects.get(name="a.jpg")
    size = image.width or 0, image.height or 0
    seen = smart_resize(*size, max_pixels=20_000)
    edges = [round(edge * seen[at % 2] / size[at % 2]) for at, edge in enumerate(LEFT)]
    line = {"image": "a.jpg", "caption": 0, "start": 0, "end": 2, "answer": json.dumps({"bbox_2d": edges})}
    hits = []
    for chosen in (20_000, 0):
        upload = uploaded(json.dumps(line).encode())
        asked = {"predictions_format": "qwen2.5-vl", "max_pixels": chosen}
        job = finished(evaluation(version, task="localization", upload=upload, **asked))
        hits.append(json.loads(content_of(job, "json"))["tables"]["recall"][0]["R@1"])
    assert hits == [0.25, 0.0]


def test_numbers_that_are_no_pixels_are_named_in_the_report(version: Snapshot) -> None:
    upload = uploaded(predictions((0, 0, 1, 1), (0, 0, 1, 1)).replace(b"1, 1]", b"0.5, 0.9]"))
    job = finished(evaluation(version, task="localization", upload=upload, file="model.jsonl"))
    rows = json.loads(content_of(job, "json"))["tables"]["findings"]
    assert "boxes that look like fractions of the sides" in {row["what"] for row in rows}


def test_the_data_set_itself_is_measured(version: Snapshot) -> None:
    job = finished(evaluation(version))
    assert (job.state, job.error) == ("done", "")
    assert json.loads(content_of(job, "json"))["task"] == "components"


def test_what_is_wrong_in_a_file_is_named_with_its_line(version: Snapshot, media: Path) -> None:
    content = predictions(LEFT) + b'{"image": 5}\n'
    upload = uploaded(content)
    job = finished(evaluation(version, task="localization", upload=upload, file="model.jsonl"))
    assert job.state == "failed"
    assert "model.jsonl" in job.error and "2" in job.error
    assert str(media.parent) not in job.error
    assert not stored(media)


def test_a_cancelled_or_failed_evaluation_leaves_nothing(
    version: Snapshot, media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated, task = reports.in_thread, evaluations._task

    def cancelled(*given: Any) -> Any:
        cancel_job(job=job, now=NOW)
        return evaluated(*given)

    def slow(*given: Any) -> Any:
        time.sleep(1.5)  # a run looks once a second whether it should stop
        return task(*given)

    monkeypatch.setattr(evaluations, "in_thread", cancelled)
    monkeypatch.setattr(evaluations, "_task", slow)
    job = evaluation(version, task="localization")
    assert finished(job, Clock(step=2)).state == "cancelled"
    monkeypatch.setattr(evaluations, "in_thread", evaluated)
    monkeypatch.setattr(reports, "MAX_REPORT", 100)
    monkeypatch.setattr(evaluations, "_task", task)
    failed = finished(evaluation(version, task="localization", iou=0.4))
    assert failed.state == "failed" and "more than 100 bytes" in failed.error
    assert not stored(media) and not list((media.parent / "exporting").iterdir())


def test_a_killed_run_leaves_files_only_until_the_next_run_or_the_clean_up(
    version: Snapshot, media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = evaluation(version, task="localization")
    left = default_storage.save(f".evaluations/{job.pk}/killed.html", SimpleUploadedFile("a", b"x"))
    assert finished(job).state == "done"
    assert not default_storage.exists(left) and len(stored(media)) == 2
    other = evaluation(version, task="localization", iou=0.3)
    left = default_storage.save(f".evaluations/{other.pk}/killed.html", SimpleUploadedFile("a", b"x"))
    clean_up_files(now=NOW)
    assert default_storage.exists(left), "the job is unfinished"
    cancel_job(job=other, now=NOW)
    clean_up_files(now=NOW)
    assert not default_storage.exists(left) and len(stored(media)) == 2


def test_what_cannot_be_evaluated_is_refused_at_once(version: Snapshot) -> None:
    refused: list[dict[str, Any]] = [
        {"task": "x"},
        {"rule": "x"},
        {"iou": 0.0},
        {"iou": 1.5},
        {"split": "dev"},
        {"predictions_format": "inches"},
        {"max_pixels": 1_003_520},
        {"max_pixels": 1_003_520, "predictions_format": "qwen3-vl"},
        {"max_pixels": 3_135, "predictions_format": "qwen2.5-vl"},
    ]
    for wrong in refused:
        with pytest.raises(JobError):
            EvaluationAsked(version=version.pk, **wrong)
    assert LEAST_MAX_PIXELS == MIN_PIXELS
    with pytest.raises(JobError, match="no such version"):
        start_job(project=make_project(), asked=EvaluationAsked(version.pk), by="mona", now=NOW)
    with pytest.raises(JobError, match="upload it again"):
        evaluation(version, upload="20260101000000-0123456789abcdef")
    version.format = "coco"
    version.save()
    with pytest.raises(JobError, match="export it as jsonl"):
        evaluation(version)
    assert parse_options(EvaluationAsked, {"version": 3}).task == "components"


def test_a_version_whose_archive_is_gone_fails_with_what_is_gone(version: Snapshot) -> None:
    default_storage.delete(str(version.file))
    job = finished(evaluation(version))
    assert job.state == "failed" and "is gone" in job.error


def test_a_deleted_project_takes_its_reports_along(version: Snapshot, media: Path) -> None:
    finished(evaluation(version, task="localization"))
    assert stored(media)
    project = Project.objects.get(pk=version.project_id)
    Batch.objects.filter(project=project).update(state="finished")
    delete_project(project_id=project.pk, typed=project.name, now=NOW)
    erase_deleted_projects(now=NOW)
    assert not stored(media)
