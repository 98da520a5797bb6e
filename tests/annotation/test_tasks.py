"""The export as a background job: what the command writes, however often the message comes."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.exporting.folder import ExportError
from annotation.models import Project
from annotation.tasks import export
from tests.factories import make_at_stage

pytestmark = pytest.mark.django_db

OPTIONS = {
    "source": "crowd",
    "batch": "",
    "merge": [0.8, 0.9],
    "include_unfinished": True,
    "overwrite": False,
}


@pytest.fixture
def project() -> Project:
    return make_at_stage("coverage", images=2).project


def test_the_job_writes_what_the_command_writes(project: Project, tmp_path: Path) -> None:
    export(project.pk, "jsonl", str(tmp_path / "job"), dict(OPTIONS))
    arguments = ["--project", project.name, "--format", "jsonl", "--include-unfinished"]
    call_command("export_dataset", str(tmp_path / "command"), *arguments)
    names = sorted(path.name for path in (tmp_path / "command").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "job").iterdir())
    assert "manifest.json" in names
    for name in names:
        assert (tmp_path / "job" / name).read_bytes() == (tmp_path / "command" / name).read_bytes()


def test_a_message_that_comes_twice_leaves_the_export_alone(
    project: Project, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    out = tmp_path / "out"
    export(project.pk, "jsonl", str(out), dict(OPTIONS))
    before = {path: path.stat().st_mtime_ns for path in out.iterdir()}
    with caplog.at_level(logging.INFO):
        export(project.pk, "jsonl", str(out), dict(OPTIONS))
    assert {path: path.stat().st_mtime_ns for path in out.iterdir()} == before
    assert "there already" in caplog.text


def test_what_goes_wrong_is_logged_once_fails_the_task_and_leaves_nothing(
    project: Project, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ended = export.apply((project.pk, "jsonl", str(tmp_path / "out"), {**OPTIONS, "batch": "nobody"}))
    assert ended.state == "FAILURE" and isinstance(ended.result, ExportError)
    (said,) = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert "no batch 'nobody'" in said.getMessage() and not said.exc_info
    assert not list(tmp_path.iterdir())


def test_a_folder_of_somebody_else_is_not_taken_for_the_export(project: Project, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    ended = export.apply((project.pk, "jsonl", str(tmp_path), dict(OPTIONS)))
    assert ended.state == "FAILURE" and "is there already" in str(ended.result)


def test_background_hands_the_same_options_to_a_worker(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[object, ...]] = []
    monkeypatch.setattr(export, "delay", lambda *arguments: sent.append(arguments))
    out = tmp_path / "out"
    arguments = ["--project", project.name, "--format", "jsonl", "--include-unfinished", "--background"]
    call_command("export_dataset", str(out), *arguments)
    assert sent == [(project.pk, "jsonl", str(out), OPTIONS)]
    assert not out.exists()
