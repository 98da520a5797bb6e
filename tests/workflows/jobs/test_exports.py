"""Exports in the background become versions that can be compared.

If one is stopped, it leaves nothing behind.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import OperationalError
from pytest_django.fixtures import Settings

from annotation.models import Project
from tests.factories import NOW, answer_page, make_batch, make_image, make_project, make_worker
from tests.workflows.jobs.jobs_made import Clock, export_job, finished, import_job, picture, upload
from tests.workflows.threads import at_once
from workflows.jobs import exports
from workflows.jobs.domain.jobs import STALE, JobError
from workflows.jobs.exports import keep_snapshot
from workflows.jobs.job_queue import cancel_job
from workflows.jobs.models import Job, Snapshot
from workflows.jobs.run_job import clean_up_files, run_job
from workflows.jobs.run_progress import Run

pytestmark = pytest.mark.both_databases


@pytest.fixture
def project(db: None, media: Path) -> Project:
    project = make_project()
    for number in range(2):
        make_image(project, [["man"], ["man", "dog"]], name=f"{number}.jpg")
    return project


def files(media: Path) -> list[Path]:
    """Return the files that exports have left, in the storage and beside it."""
    roots = (media / ".exports", media.parent / "exporting")
    return [path for root in roots for path in root.rglob("*") if path.is_file()]


def test_a_version_is_what_the_command_writes_in_an_archive(
    project: Project, media: Path, tmp_path: Path
) -> None:
    job = finished(export_job(project))
    assert (job.state, job.done, job.total, job.error) == ("done", 2, 2, "")
    version = Snapshot.objects.get(job=job)
    with default_storage.open(str(version.file)) as file:
        content = file.read()
    assert (version.version, version.size) == (1, len(content)) and version.changes == {}
    assert version.sha256 == hashlib.sha256(content).hexdigest()
    out = tmp_path / "command"
    options = ["--project", project.name, "--format", "jsonl", "--include-unfinished"]
    call_command("export_dataset", str(out), *options)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    assert packed == {
        str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()
    }
    assert json.loads(packed["about/manifest.json"]) == version.manifest
    assert len(files(media)) == 2  # the archive and its digests


def test_the_next_version_says_what_changed_and_the_same_again_is_the_same_archive(project: Project) -> None:
    finished(export_job(project))
    make_image(project, [["ball"]], name="2.jpg")
    finished(export_job(project, format="parquet"))
    finished(export_job(project, merge=False))
    finished(export_job(project))
    first, second, other, again = Snapshot.objects.order_by("version")
    assert second.changes["since"] == 1 and second.changes["names"] == ["2.jpg"]
    assert second.changes["images"] == {"added": 1, "removed": 0, "changed": 0}
    assert other.changes == {}
    assert again.changes["since"] == 2 and not again.changes["names"] and again.version == 4
    assert finished(export_job(project)).state == "done"
    assert Snapshot.objects.get(version=5).sha256 == again.sha256 != first.sha256


def test_a_version_has_the_pictures_if_asked_as_they_are_stored(project: Project) -> None:
    for number, image in enumerate(project.images.order_by("name")):
        content = picture(40 + number, 30)
        image.file.name = default_storage.save(f"p/{image.name}", ContentFile(content))
        image.width, image.height = 40 + number, 30
        image.save()
    plain = finished(export_job(project)).snapshot
    version = finished(export_job(project, pictures=True)).snapshot
    again = finished(export_job(project, pictures=True)).snapshot
    assert again.sha256 == version.sha256 != plain.sha256
    assert version.manifest["content_hash"] == plain.manifest["content_hash"]
    assert version.changes["since"] == 1 and not version.changes["names"], "pictures are no other settings"
    assert version.manifest["counts"]["pictures"] == 2 and "pictures" not in plain.manifest["counts"]
    with default_storage.open(str(version.file)) as file, zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        assert archive.read("images/1.jpg") == picture(41, 30)
        packs = {info.filename: info.compress_type for info in archive.infolist()}
    assert packs["images/0.jpg"] == zipfile.ZIP_STORED != packs["images.jsonl"]


def test_a_version_with_pictures_can_be_imported_as_it_is(project: Project, media: Path) -> None:
    for image in project.images.all():
        image.file.name = default_storage.save(f"p/{image.name}", ContentFile(picture()))
        image.width, image.height = 40, 30
        image.save()
    version = finished(export_job(project, pictures=True)).snapshot
    other = make_project()
    job = import_job(other, upload=upload((media / str(version.file)).read_bytes(), "version.zip"))
    assert (finished(job).state, job.problem_count) == ("done", 0), job.error
    assert job.outcome["pictures"] == 2
    assert all((media / str(image.file)).read_bytes() == picture() for image in other.images.all())


def test_the_pictures_of_a_version_have_a_limit(project: Project, media: Path, settings: Settings) -> None:
    image = project.images.get(name="0.jpg")
    image.file.name = default_storage.save("p/0.jpg", ContentFile(picture()))
    image.width, image.height = 40, 30
    image.save()
    settings.MAX_UNPACKED_BYTES = len(picture()) - 1
    job = finished(export_job(project, pictures=True))
    assert job.state == "failed" and "the pictures have more than" in job.error
    assert files(media) == [] and not Snapshot.objects.exists()


def test_a_run_gives_a_sign_of_life_after_each_picture(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bucket may take longer for some hundred pictures than a run may be silent."""
    beats: list[str] = []
    monkeypatch.setattr(Run, "pulse", lambda run: beats.append(run.phase))
    finished(export_job(project))
    plain = beats.count("exporting")
    assert finished(export_job(project, pictures=True)).state == "done"
    assert beats.count("exporting") - plain == plain + 2


def test_chains_and_boxes_that_came_are_counted(project: Project) -> None:
    make_batch(project)
    finished(export_job(project))
    answer_page(make_worker(project))
    assert finished(export_job(project, batch="main")).state == "done"
    assert Snapshot.objects.get(version=2).changes == {}  # of another scope
    assert Snapshot.objects.get(version=2).batch is not None


def test_cancelled_or_failed_it_leaves_nothing_behind(
    project: Project, media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = export_job(project)

    def cancelled(*_: object) -> dict[str, object]:
        cancel_job(job=job, now=NOW)
        return {}

    with monkeypatch.context() as patched:
        patched.setattr(exports, "changes_since", cancelled)
        assert finished(job, Clock(step=0.01)).state == "cancelled"
    assert files(media) == [] and not Snapshot.objects.exists()
    nothing = finished(export_job(project, include_unfinished=False))
    assert nothing.state == "failed" and "nothing was exported" in nothing.error and files(media) == []


def test_killed_while_it_stores_the_next_run_starts_afresh_and_clears_away(
    project: Project, media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = export_job(project)

    class Killed(BaseException):
        pass

    def dies(**_: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(exports, "keep_snapshot", dies)
        patched.setattr(default_storage, "delete", lambda name: None)  # a dead process does not tidy up
        patched.setattr("shutil.rmtree", lambda *_, **__: None)
        with pytest.raises(Killed):
            run_job(job_id=job.pk, clock=Clock())
    assert len(files(media)) > 2
    job.refresh_from_db()
    assert job.beat_at is not None
    dead = job.beat_at + 2 * STALE
    assert run_job(job_id=job.pk, clock=lambda: dead) == "done"
    assert len(files(media)) == 2 and Snapshot.objects.count() == 1


@pytest.mark.parametrize("harm", ["missing", "cut off", "nonsense"])
def test_without_the_digests_of_the_last_version_the_next_one_says_that_it_cannot_compare(
    project: Project, media: Path, harm: str
) -> None:
    digests = media / finished(export_job(project)).snapshot.digests["file"]
    content = digests.read_bytes()
    if harm == "missing":
        digests.unlink()
    else:
        digests.write_bytes(content[:21] if harm == "cut off" else b"x" * len(content))
    assert finished(export_job(project)).state == "done"
    second = Snapshot.objects.get(version=2)
    assert second.changes["since"] == 1 and "missing or damaged" in second.changes["problem"]
    assert finished(export_job(project)).snapshot.changes["images"]["added"] == 0  # and it goes on from there


@pytest.mark.parametrize("lost", [OperationalError, KeyboardInterrupt])
def test_a_version_whose_commit_is_not_heard_of_keeps_its_files(
    project: Project, monkeypatch: pytest.MonkeyPatch, lost: type[BaseException]
) -> None:
    job = export_job(project)

    def unheard(**given: Any) -> None:
        keep_snapshot(**given)
        raise lost

    monkeypatch.setattr(exports, "keep_snapshot", unheard)
    with pytest.raises(lost):
        run_job(job_id=job.pk, clock=Clock())
    version = Snapshot.objects.get(job=job)
    assert default_storage.exists(str(version.file)) and default_storage.exists(version.digests["file"])
    clean_up_files(now=NOW)
    assert default_storage.exists(str(version.file))


def test_with_the_database_away_files_stay_until_the_job_is_over_and_cleaned_up(
    project: Project, media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, job = finished(export_job(project)), export_job(project)

    def away(**_: object) -> None:
        raise OperationalError

    monkeypatch.setattr(exports, "keep_snapshot", away)
    with monkeypatch.context() as patched:
        patched.setattr("shutil.rmtree", lambda *_, **__: None)  # a killed run does not tidy up its folder
        with pytest.raises(OperationalError):
            run_job(job_id=job.pk, clock=Clock())
    left = media / ".exports" / str(job.pk)
    clean_up_files(now=NOW)  # the job is not over, so another run will take it
    assert len(list(left.iterdir())) == 2 and list((media.parent / "exporting").iterdir())
    Job.objects.filter(pk=job.pk).update(state="cancelled")
    clean_up_files(now=NOW)
    assert len(files(media)) == 2 and default_storage.exists(str(done.snapshot.file))
    assert not list((media.parent / "exporting").iterdir())
    assert not left.exists()


def test_an_export_that_another_run_has_taken_writes_no_version(
    project: Project, media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = export_job(project)

    def taken(*_: object) -> dict[str, object]:
        Job.objects.filter(pk=job.pk).update(runner="another")
        return {}

    monkeypatch.setattr(exports, "changes_since", taken)
    assert run_job(job_id=job.pk, clock=Clock()) is None
    assert not Snapshot.objects.exists() and files(media) == []
    assert Job.objects.get(pk=job.pk).runner == "another"


@pytest.mark.parametrize(
    ("asked", "field"),
    [({"format": "docx"}, "format"), ({"batch": "none"}, "batch"), ({"source": "moon"}, "source")],
)
def test_what_cannot_be_exported_is_refused_at_once(
    project: Project, asked: dict[str, str], field: str
) -> None:
    with pytest.raises(JobError) as refused:
        export_job(project, **asked)
    assert refused.value.field == field


@pytest.mark.django_db(transaction=True)
def test_versions_are_counted_one_after_the_other(media: Path, settings: object) -> None:
    settings.JOBS_AT_ONCE = 3  # type: ignore[attr-defined]
    project = make_project()
    make_image(project, [["man"]])
    jobs = [export_job(project, merge_iou=iou) for iou in (0.7, 0.8, 0.9)]
    calls = [lambda pk=job.pk: run_job(job_id=pk, clock=lambda: NOW) for job in jobs]
    assert at_once(calls) == ["done"] * 3
    assert sorted(Snapshot.objects.values_list("version", flat=True)) == [1, 2, 3]
