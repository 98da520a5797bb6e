"""Uploads in pieces: sent twice, in any order, by others, too late, to a folder and to a bucket; imported."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Image, Project
from tests.bucket_server import KEY_ID, REGION, SECRET, bucket_server
from tests.factories import NOW, make_project
from tests.workflows.jobs.jobs_made import ENTITIES, TOKEN, finished, import_job, picture, zipped
from workflows.jobs.domain.jobs import JobError
from workflows.jobs.domain.pieces import Piece
from workflows.jobs.job_queue import resume_job
from workflows.jobs.models import Job
from workflows.jobs.run_job import clean_up_files
from workflows.jobs.upload_pieces import (
    BeginAnewError,
    Sender,
    begin_upload,
    keep_piece,
    pieces_to_come,
    sent_files,
)
from workflows.jobs.upload_storage import forget_upload, stored_files
from workflows.jobs.uploads import keep_upload, kept_upload

BYTES = 1000
"""Of a piece in these tests."""


@pytest.fixture(autouse=True)
def small_pieces(settings: Any) -> None:
    settings.PIECE_BYTES = BYTES


@pytest.fixture
def sender(project: Project) -> Sender:
    return Sender(project, "mona")


def large_archive() -> bytes:
    """Return a corpus as an archive of several pieces, whose list has the entries in another order."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in ENTITIES.items():
            archive.writestr(name, content)
            archive.writestr(f"{name}.bin", random.Random(name).randbytes(2500))
        archive.filelist.reverse()
    return buffer.getvalue()


def begin(sender: Sender, files: Mapping[str, tuple[str, bytes]]) -> str:
    said = [{"part": part, "name": name, "size": len(content)} for part, (name, content) in files.items()]
    return begin_upload(said, sender=sender, now=NOW)


def send(upload: str, sender: Sender, content: bytes, file: int, number: int) -> None:
    piece = content[number * BYTES : (number + 1) * BYTES]
    keep_piece(upload, Piece(file, number), piece, sender=sender, now=NOW)


def to_come(upload: str, sender: Sender) -> list[tuple[int, int]]:
    return [(one["file"], one["piece"]) for one in pieces_to_come(upload, sender=sender, now=NOW)]


def sent(sender: Sender, files: Mapping[str, tuple[str, bytes]]) -> str:
    """Send files, the last pieces first, and each twice. Return the upload."""
    upload = begin(sender, files)
    contents = [content for _, content in files.values()]
    for file, number in reversed(to_come(upload, sender)):
        for _ in range(2):
            send(upload, sender, contents[file], file, number)
    return upload


def files_under(media: Path) -> list[str]:
    folder = media / ".uploads"
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_a_corpus_in_pieces_is_imported_like_a_whole_one(sender: Sender, media: Path) -> None:
    upload = sent(sender, {"corpus": ("set.zip", large_archive())})
    assert not to_come(upload, sender)
    files = sent_files(upload, sender=sender, now=NOW)
    assert [file.name for file in files["corpus"]] == ["set.zip"]
    assert keep_upload(files, now=NOW, sent=upload) == upload
    job = finished(import_job(sender.project, upload=upload))
    assert (job.state, job.outcome["images"]) == ("done", 2)
    assert Image.objects.count() == 2 and not files_under(media)


def test_photographs_in_pieces_keep_their_names(sender: Sender, media: Path) -> None:
    sheet = b"image,caption\nK\xc3\xa4fer.png,A beetle .\n"
    files = {"corpus": ("captions.csv", sheet), "pictures": ("Ka\u0308fer.PNG", picture())}
    upload = sent(sender, files)
    keep_upload(sent_files(upload, sender=sender, now=NOW), now=NOW, sent=upload)
    assert [one.name for one in stored_files(upload)["pictures"]] == ["Käfer.png"]
    assert finished(import_job(sender.project, upload=upload)).outcome["pictures"] == 1


def test_it_goes_on_where_it_was(sender: Sender) -> None:
    content = b"x" * 2500
    upload = begin(sender, {"corpus": ("a.token", content)})
    send(upload, sender, content, 0, 1)
    assert to_come(upload, sender) == [(0, 0), (0, 2)]
    assert pieces_to_come(upload, sender=sender, now=NOW)[1] == {
        "file": 0, "piece": 2, "start": 2000, "end": 2500
    }  # fmt: skip
    with pytest.raises(JobError, match="not complete"):
        sent_files(upload, sender=sender, now=NOW)
    with pytest.raises(JobError, match="not complete"):
        stored_files(upload)


def test_joined_pieces_read_like_the_file(sender: Sender) -> None:
    content = random.Random(1).randbytes(3 * BYTES + 1)
    upload = sent(sender, {"predictions": ("a.npz", content)})
    (stored,) = stored_files(upload)["predictions"]
    with stored.open() as file:
        assert file.size == len(content) and file.read() == content
        for start in (0, BYTES - 1, BYTES, 3 * BYTES, len(content)):
            file.seek(start)
            assert file.read(2) == content[start : start + 2]
        assert file.seek(-1, io.SEEK_END) == 3 * BYTES and file.read() == content[-1:]


def test_other_bytes_in_the_same_place_are_refused_and_change_nothing(sender: Sender) -> None:
    upload = sent(sender, {"corpus": ("a.token", b"x" * BYTES)})
    with pytest.raises(BeginAnewError, match="has changed since"):
        keep_piece(upload, Piece(0, 0), b"y" * BYTES, sender=sender, now=NOW)
    (stored,) = stored_files(upload)["corpus"]
    with stored.open() as file:
        assert file.read() == b"x" * BYTES


@pytest.mark.parametrize(
    ("piece", "length", "says"),
    [
        (Piece(0, 0), BYTES - 1, "has 999 bytes, not 1,000"),
        (Piece(0, 0), BYTES + 1, "has 1,001 bytes, not 1,000"),
        (Piece(0, 1), BYTES, "has 1,000 bytes, not 500"),
        (Piece(0, 2), 0, "no such piece"),
        (Piece(1, 0), 1, "no such piece"),
    ],
)
def test_a_piece_that_is_not_one_is_not_stored(
    sender: Sender, media: Path, piece: Piece, length: int, says: str
) -> None:
    upload = begin(sender, {"corpus": ("a.token", b"x" * 1500)})
    with pytest.raises(JobError, match=says):
        keep_piece(upload, piece, b"x" * length, sender=sender, now=NOW)
    assert files_under(media) == ["files.json"]


def test_others_and_other_projects_do_not_find_it(sender: Sender) -> None:
    upload = sent(sender, {"corpus": ("a.token", b"x")})
    elsewhere = make_project("elsewhere")
    for other in (Sender(sender.project, "eve"), Sender(elsewhere, "mona")):
        with pytest.raises(BeginAnewError):
            pieces_to_come(upload, sender=other, now=NOW)
        with pytest.raises(BeginAnewError):
            keep_piece(upload, Piece(0, 0), b"x", sender=other, now=NOW)
        with pytest.raises(BeginAnewError):
            sent_files(upload, sender=other, now=NOW)
    for unknown in ("", "../media", "20260101000000-0123456789abcdef"):
        with pytest.raises(BeginAnewError):
            pieces_to_come(unknown, sender=sender, now=NOW)


def test_it_is_forgotten_after_a_day(sender: Sender, media: Path) -> None:
    content = b"x" * 1500
    upload = begin(sender, {"corpus": ("a.token", content)})
    send(upload, sender, content, 0, 0)
    late = NOW + timedelta(days=1, seconds=1)
    with pytest.raises(BeginAnewError, match="not stored any more"):
        pieces_to_come(upload, sender=sender, now=late)
    assert clean_up_files(now=NOW) == 0 and to_come(upload, sender) == [(0, 1)]
    assert clean_up_files(now=late) == 1 and not files_under(media)


@pytest.mark.parametrize(
    ("part", "name", "content", "says"),
    [
        ("corpus", "set.zip", zipped({"../a": "x"}), "leads out"),
        ("corpus", "set.zip", large_archive()[:-30], "is not a complete ZIP archive"),
        ("pictures", "a.zip", zipped({"b.zip": "x"}), "holds the archive"),
    ],
    ids=["leads out", "cut off", "archive within"],
)
def test_it_is_checked_like_a_whole_upload_and_not_kept(
    sender: Sender, media: Path, part: str, name: str, content: bytes, says: str
) -> None:
    upload = sent(sender, {part: (name, content)})
    files = sent_files(upload, sender=sender, now=NOW)
    with pytest.raises(JobError, match=says) as refused:
        keep_upload(files, now=NOW, sent=upload)
    assert refused.value.field == part and not files_under(media)


@pytest.mark.parametrize(
    ("name", "content"), [("a.heic", b"xxxx"), ("a.jpg", zipped({"a": "x"}))], ids=["type", "archive"]
)
def test_a_wrong_picture_is_refused_with_its_first_piece(sender: Sender, name: str, content: bytes) -> None:
    upload = begin(sender, {"pictures": (name, content)})
    with pytest.raises(JobError, match="neither a photograph"):
        send(upload, sender, content, 0, 0)
    assert to_come(upload, sender) == [(0, 0)]


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ([{"part": "corpus", "name": "a.xlsx", "size": 1}], "is a workbook"),
        ([{"part": "pictures", "name": name, "size": 1} for name in ("a.jpg", "a.JPG")], "Two photographs"),
        ([{"part": "corpus", "name": "a.csv", "size": 101}], "at most 100 bytes"),
        ([{"part": "corpus", "name": "a.token", "size": 0}], "a.token is empty"),
        ([{"part": "pictures", "name": "a.jpg", "size": 0}], "a.jpg is empty"),
        ([{"part": "pictures", "name": "a\ud800.jpg", "size": 1}], "rename it"),
        # Each archive would be unpacked, with a limit of its own.
        ([{"part": "corpus", "name": f"{n}.zip", "size": 1} for n in range(2)], "2 files in place of 1"),
        ([{"part": "splits", "name": f"{n}.txt", "size": 1} for n in range(4)], "4 files in place of 3"),
    ],
    ids=["workbook", "twice", "large", "empty", "empty photograph", "half a sign", "archives", "splits"],
)
def test_what_cannot_be_an_upload_is_refused_before_it_is_sent(
    sender: Sender, media: Path, settings: Any, said: Any, says: str
) -> None:
    settings.MAX_UPLOAD_BYTES = 100
    with pytest.raises(JobError, match=says):
        begin_upload(said, sender=sender, now=NOW)
    assert not files_under(media)


def test_pieces_stay_if_the_job_cannot_begin(sender: Sender) -> None:
    upload = sent(sender, {"corpus": ("a.token", TOKEN.encode())})
    files = sent_files(upload, sender=sender, now=NOW)
    with pytest.raises(JobError, match="busy"), kept_upload(files, now=NOW, sent=upload):
        raise JobError("", "busy")
    assert not to_come(upload, sender)


def test_an_import_does_not_share_its_upload(sender: Sender) -> None:
    """It would delete it while the other job reads it."""
    upload = sent(sender, {"corpus": ("a.token", TOKEN.encode())})
    first = import_job(sender.project, upload=upload, dry_run=True)
    assert import_job(sender.project, upload=upload, dry_run=True) == first
    assert import_job(sender.project, upload=upload, dry_run=True, strict=True) != first
    with pytest.raises(JobError, match=f"Job {first.pk} uses this upload"):
        import_job(sender.project, upload=upload)


def test_an_import_that_failed_waits_for_a_job_that_reads_its_upload(sender: Sender) -> None:
    upload = sent(sender, {"corpus": ("a.token", TOKEN.encode())})
    failed = import_job(sender.project, upload=upload)
    Job.objects.filter(pk=failed.pk).update(state=Job.State.FAILED)
    reading = import_job(sender.project, upload=upload, dry_run=True)
    with pytest.raises(JobError, match=f"Job {reading.pk} uses this upload"):
        resume_job(job=failed)


def test_what_a_killed_process_left_is_no_piece(sender: Sender, media: Path) -> None:
    upload = begin(sender, {"corpus": ("a.token", b"x")})
    (media / ".uploads" / upload / "pieces" / f"000-00000.{'0' * 32}").write_bytes(b"")
    assert to_come(upload, sender) == [(0, 0)]
    forget_upload(upload)
    assert not files_under(media)


@pytest.fixture
def bucket(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use a bucket for files."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY_ID)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with bucket_server() as server:
        options = {"bucket_name": "uploads", "region_name": REGION, "endpoint_url": server.url}
        backend = "annotation.bucket.BucketStorage"
        settings.STORAGES = {
            **settings.STORAGES,
            "default": {"BACKEND": backend, "OPTIONS": {**options, "file_overwrite": False}},
            "replacing": {"BACKEND": backend, "OPTIONS": {**options, "file_overwrite": True}},
        }
        yield


def test_pieces_are_objects_of_a_bucket(sender: Sender, bucket: None) -> None:
    upload = sent(sender, {"corpus": ("set.zip", large_archive())})
    with pytest.raises(BeginAnewError):
        keep_piece(upload, Piece(0, 0), b"y" * BYTES, sender=sender, now=NOW)
    files = sent_files(upload, sender=sender, now=NOW)
    keep_upload(files, now=NOW, sent=upload)
    job = finished(import_job(sender.project, upload=upload))
    assert (job.state, job.outcome["images"]) == ("done", 2)
    with pytest.raises(JobError, match="not stored"):
        stored_files(upload)
