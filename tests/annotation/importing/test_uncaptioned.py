"""Pictures that no caption is for are told, whatever the corpus names its images."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.utils import timezone

from annotation.importing.picture_files import NamedPictures, PictureFolders
from annotation.models import Image
from tests.factories import make_project
from tests.workflows.jobs.jobs_made import import_job, picture, upload, zipped
from workflows.jobs.run_job import run_job


@pytest.mark.parametrize(
    ("name", "file"), [("a.jpg", "a.jpg"), ("a", "a.png"), ("a.tif", "a.jpeg"), ("a.b", "a.b.webp")]
)
def test_a_picture_of_an_image_of_the_corpus_is_none_without_a_caption(
    tmp_path: Path, name: str, file: str
) -> None:
    (tmp_path / file).touch()
    named = NamedPictures()
    assert PictureFolders(tmp_path).others(named) == [file]
    named.add(name)
    assert PictureFolders(tmp_path).others(named) == []


def test_what_is_no_picture_is_not_told(tmp_path: Path) -> None:
    for name in ("captions.token", "._a.jpg", "b.JPG"):
        (tmp_path / name).touch()
    (tmp_path / "folder.jpg").mkdir()
    assert PictureFolders(tmp_path).others(NamedPictures()) == ["b.JPG"]


@pytest.mark.django_db
@pytest.mark.parametrize("dry_run", [True, False])
def test_an_import_tells_which_pictures_it_left_out(media: Path, dry_run: bool) -> None:
    names = ("a.jpg", "b.jpg", "stray.jpg")
    sent = upload(pictures=zipped({name: picture() for name in names}))
    job = import_job(make_project(), upload=sent, dry_run=dry_run)
    run_job(job_id=job.pk, clock=timezone.now)
    job.refresh_from_db()
    assert job.state == "done", job.error
    assert (job.outcome["uncaptioned"], job.outcome["uncaptioned_names"]) == (1, ["stray.jpg"])
    assert job.problem_count == 0, "a folder may hold more than the corpus"
    assert not Image.objects.filter(name="stray.jpg").exists()
