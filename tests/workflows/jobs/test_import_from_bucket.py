"""Imports from a bucket: which places are allowed, and that everything is copied once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Project
from tests.factories import NOW
from tests.workflows.jobs.import_runs import left
from tests.workflows.jobs.jobs_made import ENTITIES, TOKEN, Clock, finished, import_job
from workflows.jobs import fetch, run_progress
from workflows.jobs.domain.archives import Entry
from workflows.jobs.domain.jobs import JobError
from workflows.jobs.job_queue import import_after
from workflows.jobs.locations import bucket_and_prefix
from workflows.jobs.run_job import clean_up_files


class Bucket:
    """A client with the part of boto3 that is used."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.copied: list[str] = []

    def get_paginator(self, name: str) -> Bucket:
        return self

    def paginate(self, Bucket: str, Prefix: str) -> Iterator[dict[str, Any]]:
        chosen = [key for key in self.files if key.startswith(Prefix)]
        for key in chosen:
            yield {"Contents": [{"Key": key, "Size": len(self.files[key])}]}
        yield {}

    def download_file(self, bucket: str, key: str, path: str, Callback: Callable[[int], object]) -> None:
        self.copied.append(key)
        Callback(1)
        Path(path).write_bytes(self.files[key])


def test_a_prefix_of_a_bucket_is_copied_where_that_is_allowed(
    project: Project, media: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"corpora/{name}": content.encode() for name, content in ENTITIES.items()}
    bucket = Bucket({**files, "corpora/": b"", "odd/../x": b"", "corpora2/c.token": b"x"})
    monkeypatch.setattr(fetch, "bucket_client", lambda: bucket)
    with pytest.raises(JobError, match="GROUNDCREW_IMPORT_BUCKETS"):
        import_job(project, place="s3://lab/corpora/")
    settings.IMPORT_BUCKETS = ["lab"]
    with pytest.raises(JobError, match="s3://bucket/prefix"):
        import_job(project, place="s3://lab")
    job = finished(import_job(project, place="s3://lab/corpora/"))
    assert (job.state, job.outcome["images"], left(media)) == ("done", 2, [])
    assert "leads out" in finished(import_job(project, place="s3://lab/odd/")).error
    assert "nothing at s3://lab/none" in finished(import_job(project, place="s3://lab/none")).error


def test_the_import_after_a_dry_run_takes_its_copy_of_a_bucket_over(
    project: Project, media: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.IMPORT_BUCKETS = ["lab"]
    bucket = Bucket({"c/a.token": TOKEN.encode()})
    monkeypatch.setattr(fetch, "bucket_client", lambda: bucket)
    dry = finished(import_job(project, place="s3://lab/c/", dry_run=True))
    assert dry.state == "done" and left(media)
    job, _ = import_after(job=dry, by="mona", now=NOW)
    clean_up_files(now=timezone.now() + timedelta(days=2))  # the job waits, so its copy stays
    assert finished(job).outcome["images"] == 2
    assert (bucket.copied, left(media)) == (["c/a.token"], [])


def test_each_key_of_a_bucket_is_looked_at_once(
    project: Project, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.IMPORT_BUCKETS = ["lab"]
    monkeypatch.setattr(fetch, "bucket_client", lambda: Bucket({f"c/{n}": b"x" for n in range(9)}))
    looked: list[str] = []

    def check_entries(entries: Iterable[Entry], most_bytes: int) -> None:
        looked.extend(entry.name for entry in entries)

    monkeypatch.setattr(fetch, "check_entries", check_entries)
    finished(import_job(project, place="s3://lab/c/"))
    assert looked == [str(n) for n in range(9)]


@pytest.mark.parametrize(
    ("allowed", "place", "found"),
    [
        ("lab", "s3://lab/any", ("lab", "any")),
        ("lab/set", "s3://lab/set", ("lab", "set/")),
        ("lab/set/", "s3://lab/set/deep", ("lab", "set/deep")),
        ("lab/set", "s3://lab/set2/a", None),
        ("lab/set", "s3://lab/", None),
        ("lab/set", "s3://other/set/a", None),
    ],
)
def test_a_folder_of_a_bucket_can_be_allowed_without_its_neighbours(
    settings: Any, allowed: str, place: str, found: tuple[str, str] | None
) -> None:
    settings.IMPORT_BUCKETS = [allowed]
    if found is None:
        with pytest.raises(JobError, match="GROUNDCREW_IMPORT_BUCKETS"):
            bucket_and_prefix(place)
    else:
        assert bucket_and_prefix(place) == found


def test_a_large_object_of_a_bucket_does_not_look_dead_and_is_given_up_when_cancelled(
    project: Project, media: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.IMPORT_BUCKETS = ["lab"]
    monkeypatch.setattr(run_progress, "BEAT", timedelta(milliseconds=5))
    heard: list[str] = []
    asked = threading.Event()

    class Slow(Bucket):
        def download_file(self, bucket: str, key: str, path: str, Callback: Callable[[int], object]) -> None:
            assert asked.wait(10)
            while True:  # until it is told that nobody wants it any more
                Callback(1)

    def beat(*, values: dict[str, Any], **_: object) -> bool:
        heard.append(values["phase"])
        if heard.count("copying from the bucket") > 3:
            asked.set()
        return asked.is_set()

    monkeypatch.setattr(fetch, "bucket_client", lambda: Slow({"c/a.token": b"x"}))
    monkeypatch.setattr(run_progress, "beat", beat)
    assert finished(import_job(project, place="s3://lab/c/"), Clock(step=1)).state == "cancelled"
    assert left(media) == []
