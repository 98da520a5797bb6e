"""Imports in the background: where the input comes from, what is written, and what is reported."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.formats.corpus_reader import count_images
from annotation.formats.recognition import recognise
from annotation.importing.splits import read_splits
from annotation.importing.summary import Summary
from annotation.models import Image, Mention, Project
from tests.factories import NOW
from tests.workflows.jobs.import_runs import CORPUS, left
from tests.workflows.jobs.jobs_made import (
    TOKEN,
    Clock,
    finished,
    import_job,
    photographs,
    picture,
    sheet,
    upload,
    zipped,
)
from workflows.jobs import imports
from workflows.jobs.domain.jobs import JobError
from workflows.jobs.job_queue import import_after, resume_job
from workflows.jobs.locations import check_links
from workflows.jobs.run_job import clean_up_files
from workflows.jobs.run_progress import Run
from workflows.jobs.upload_storage import old_uploads, stored_files
from workflows.jobs.uploads import keep_upload

pytestmark = pytest.mark.both_databases


def test_a_dry_run_says_what_the_import_then_does_from_the_same_upload(project: Project, media: Path) -> None:
    dry = finished(import_job(project, upload=upload(CORPUS, "set.zip"), dry_run=True))
    assert (dry.state, dry.outcome["images"], dry.outcome["captions"]) == ("done", 2, 2)
    assert not Image.objects.exists() and not (media / project.name).exists()
    assert dry.problem_count == 1
    assert (
        dry.problems[0]["where"] == "set/Sentences/b.txt:2" and "never closed" in dry.problems[0]["message"]
    )
    job = finished(import_after(job=dry, by="mona", now=NOW)[0])
    assert (job.outcome, job.problems) == (dry.outcome, dry.problems)
    assert (job.done, job.total, job.outcome["format"]) == (2, 2, "flickr30k-entities")
    assert set(Image.objects.values_list("name", "width", "split")) == {
        ("a.jpg", 40, ""),
        ("b.jpg", 40, "val"),
    }
    assert left(media) == []
    with pytest.raises(JobError, match="upload it again"):
        import_after(job=dry, by="mona", now=NOW)


def test_an_unpacked_upload_is_on_the_disk_before_its_folder_has_its_name(
    project: Project, media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a power cut, a resumed import would otherwise take what is left for the whole corpus."""
    synced: list[Path] = []
    fetched = media.parent / "fetched"
    monkeypatch.setattr(os, "sync", lambda: synced.extend(path for path in fetched.iterdir()))
    name = upload(CORPUS, "set.zip")
    assert finished(import_job(project, upload=name)).state == "done"
    assert [path.stem for path in synced] == [name] and synced[0].suffix, "it still has its temporary name"


def test_single_files_come_with_pictures_and_split_lists(project: Project, media: Path) -> None:
    files = {
        "corpus": [SimpleUploadedFile("Ü captions.token", TOKEN.encode())],
        "pictures": [SimpleUploadedFile("p.zip", zipped({"deep/a.jpg": picture(50)}))],
        "splits": [SimpleUploadedFile("train.txt", b"a.jpg\n"), SimpleUploadedFile("test.txt", b"b\n")],
    }
    job = finished(import_job(project, upload=keep_upload(files, now=NOW)))
    assert job.state == "done" and Mention.objects.count() > 3
    found = Image.objects.order_by("name").values_list("name", "width", "split")
    assert list(found) == [("a.jpg", 50, "train"), ("b.jpg", None, "test")]
    [problem] = job.problems
    assert problem["message"].startswith("there is no picture b.jpg in") and "/" not in problem["message"]


def test_a_strict_import_with_a_problem_changes_nothing(project: Project) -> None:
    job = finished(import_job(project, upload=upload(CORPUS, "set.zip"), strict=True))
    assert job.state == "failed" and "set/Sentences/b.txt:2" in job.error and "strict" in job.error
    assert not Image.objects.exists()


def test_problems_are_bounded_and_all_are_counted(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workflows.jobs.run_progress.MAX_PROBLEMS", 2)
    lines = "nonsense\n" * 5
    job = finished(import_job(project, upload=upload(TOKEN + lines)))
    assert (job.state, len(job.problems), job.problem_count) == ("done", 2, 5)


def test_nothing_usable_is_a_failure_that_says_so(project: Project) -> None:
    job = finished(import_job(project, upload=upload("x\ty\n", "a.txt"), format="flickr30k-token"))
    assert job.state == "failed" and job.problem_count == 1
    assert "no caption that can be imported. a.txt:1: " in job.error
    unknown = finished(import_job(project, upload=upload("just words", "a.txt")))
    assert "a.txt looks like none of the formats" in unknown.error


def test_progress_is_written_once_a_second_at_most(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Any] = []

    def beat(**given: Any) -> bool:
        written.append(given)
        return False

    monkeypatch.setattr("workflows.jobs.run_progress.beat", beat)
    lines = "".join(f"{n}.jpg#0\tA man .\n" for n in range(8))
    monkeypatch.setattr("annotation.importing.stream.IMAGES_AT_ONCE", 1)
    finished(import_job(project, upload=upload(lines)), Clock())
    quiet = len(written)
    finished(import_job(project, upload=upload(lines)), Clock(step=1))
    assert len(written) - quiet > quiet + 8


def test_a_run_gives_signs_of_life_also_after_the_clock_was_set_back(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise nobody hears of it until the clock comes to the old time again, and another run begins."""
    written: list[datetime] = []

    def beat(*, values: dict[str, Any], **_: Any) -> bool:
        written.append(values["beat_at"])
        return False

    monkeypatch.setattr("workflows.jobs.run_progress.beat", beat)
    clock = Clock()
    run = Run(import_job(project), "me", clock)
    run.pulse()
    assert not written, "it gave a sign less than a second ago"
    clock.now -= timedelta(hours=2)
    run.pulse()
    assert written == [clock.now]


def test_a_folder_of_the_server_is_read_where_that_is_allowed(
    project: Project, settings: Any, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    (data / "one").mkdir(parents=True)
    (data / "one" / "captions.token").write_text(TOKEN)
    (tmp_path / "secret").write_text(TOKEN)
    (data / "way_out").symlink_to(tmp_path / "secret")
    settings.IMPORT_FOLDERS = [str(data)]
    for place in (tmp_path / "secret", data / "way_out", data / ".." / "secret", data / "none"):
        with pytest.raises(JobError) as refused:
            import_job(project, place=str(place))
        assert refused.value.field == "place"
    assert finished(import_job(project, place=str(data / "one"))).state == "done"
    (data / "one" / "leak.txt").symlink_to(tmp_path / "secret")
    job = finished(import_job(project, place=str(data / "one")))
    assert job.state == "failed" and "leak.txt is a link that leads out" in job.error
    settings.IMPORT_FOLDERS = []
    with pytest.raises(JobError, match="GROUNDCREW_IMPORT_FOLDERS"):
        resume_job(job=job)


def test_every_long_look_at_a_folder_gives_a_sign_of_life(tmp_path: Path) -> None:
    for name in ("a.token", "train.txt"):
        (tmp_path / name).write_text(TOKEN)
    heard: list[int] = []

    def pulse() -> None:
        heard.append(1)

    def beats(work: Callable[[], object]) -> int:
        heard.clear()
        work()
        return len(heard)

    corpus = recognise(tmp_path)
    assert beats(lambda: check_links(tmp_path, pulse)) == 2
    assert beats(lambda: recognise(tmp_path, pulse=pulse)) == 2  # the folder and the file in it
    assert beats(lambda: count_images(corpus, pulse)) == 3
    assert beats(lambda: list(read_splits(corpus.splits, {}, pulse))) == 3


@pytest.mark.parametrize(
    ("part", "content", "says"),
    [
        ("corpus", zipped({"../a": "x"}), "leads out"),
        ("corpus", zipped({"a.txt": "0" * (3 << 20)}), "times as large as packed"),
        ("corpus", zipped({"b.zip": "x"}), "holds the archive"),
        ("corpus", zipped({"a.txt": "x" * 100})[:-30], "is not a complete ZIP archive"),
        ("corpus", b"", "is empty"),
        ("pictures", b"\xff\xd8 a picture", "neither a photograph"),
    ],
    # Otherwise the ids would be made of the bytes. These contain the time, so ids would differ between
    # processes.
    ids=["leads out", "swells", "archive within", "cut off", "empty", "no archive"],
)
def test_an_upload_that_must_not_be_unpacked_is_refused_and_not_kept(
    media: Path, part: str, content: bytes, says: str
) -> None:
    files = {"corpus": [SimpleUploadedFile("a.token", TOKEN.encode())]}
    files[part] = [SimpleUploadedFile("set.zip", content)]
    with pytest.raises(JobError, match=says) as refused:
        keep_upload(files, now=NOW)
    assert refused.value.field == part and left(media) == []


def test_photographs_are_uploaded_beside_a_spreadsheet_and_found_by_name(
    project: Project, media: Path
) -> None:
    """Suffixes may differ in case or be missing, and macOS takes letters with accents apart."""
    files = {
        "corpus": [sheet("IMG 1.JPG", "img2", "Käfer.png", "none.jpg")],
        "pictures": photographs("IMG 1.JPG", "img2.JPG", "Ka\u0308fer.png", "stray.jpg"),
    }
    job = finished(import_job(project, upload=keep_upload(files, now=NOW)))
    assert (job.state, job.outcome["format"], job.outcome["pictures"]) == ("done", "spreadsheet", 3)
    assert set(Image.objects.exclude(file="").values_list("name", flat=True)) == {
        "IMG 1.JPG",
        "img2",
        "Käfer.png",
    }
    assert (job.outcome["unpictured"], job.outcome["unpictured_names"]) == (1, ["none.jpg"])
    assert (job.outcome["uncaptioned"], job.outcome["uncaptioned_names"]) == (1, ["stray.jpg"])
    assert left(media) == []


def test_an_image_in_pieces_without_a_photograph_is_counted_once(
    project: Project, media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotation.importing.corpus._NAMED", 1)
    files = {"corpus": [sheet("a.jpg", "b.jpg", "a.jpg", "b.jpg")], "pictures": photographs("c.jpg")}
    job = finished(import_job(project, upload=keep_upload(files, now=NOW)))
    assert (job.outcome["unpictured"], job.outcome["unpictured_names"]) == (2, ["a.jpg"])


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["a.jpg", "b.heic"], "b.heic: is neither a photograph"),
        (["packed.jpg"], "packed.jpg: is neither a photograph"),
        (["a.jpg", "p.zip"], "not both"),
        (["p.zip", "q.zip"], "not both"),
        (["a.jpg", "A.jpg", "a.JPG"], "Two photographs are called a.jpg"),
        ([f"{number}.jpg" for number in range(301)], "at most 300 single files: pack"),
        (["a" * 201 + ".jpg"], "an image name has 1 to 200 characters"),
        (["é" * 130 + ".jpg"], "its name has more than 255 bytes"),
    ],
    ids=["type", "archive", "both", "archives", "twice", "many", "name", "bytes"],
)
def test_pictures_that_cannot_be_taken_are_refused_and_not_kept(
    media: Path, names: list[str], says: str
) -> None:
    packed = zipped({"a.jpg": picture()})
    pictures = [
        SimpleUploadedFile(name, packed if name.endswith("zip") or name == "packed.jpg" else b"x")
        for name in names
    ]
    with pytest.raises(JobError, match=says) as refused:
        keep_upload({"corpus": [sheet("a.jpg")], "pictures": pictures}, now=NOW)
    assert refused.value.field == "pictures" and left(media) == []


def test_a_workbook_is_refused_with_what_to_do(media: Path) -> None:
    with pytest.raises(JobError, match=r"captions.xlsx: is a workbook: .* CSV UTF-8") as refused:
        upload(zipped({"xl/workbook.xml": "x"}), "captions.xlsx")
    assert refused.value.field == "corpus" and left(media) == []


def test_the_size_unpacked_is_bounded(media: Path, settings: Any) -> None:
    settings.MAX_UNPACKED_BYTES = 10
    with pytest.raises(JobError, match="more than 10 bytes"):
        upload(zipped({"a": "x" * 11}), "set.zip")


def test_uploads_and_what_was_unpacked_go_after_a_day_unless_a_job_waits(
    project: Project, media: Path
) -> None:
    used, unused = upload(), upload()
    finished(import_job(project, upload=used, dry_run=True))
    import_job(project, upload=used)
    late = NOW + timedelta(days=1, seconds=1)
    assert set(old_uploads(now=late)) == {used, unused} and not old_uploads(now=NOW)
    assert clean_up_files(now=late) == 1
    assert stored_files(used)["corpus"]
    with pytest.raises(JobError):
        stored_files(unused)


def test_what_a_killed_web_server_was_receiving_goes_after_a_day(db: None, media: Path) -> None:
    incoming = media.parent / "incoming"
    for name, age in (("old.upload", timedelta(days=2)), ("new.upload", timedelta(hours=2))):
        (incoming / name).write_bytes(b"x")
        os.utime(incoming / name, times=((NOW - age).timestamp(),) * 2)
    clean_up_files(now=NOW)
    assert [path.name for path in incoming.iterdir()] == ["new.upload"]


def test_captions_in_another_language_are_reported_and_can_be_imported_nevertheless(
    project: Project, media: Path
) -> None:
    tokens = "a.jpg#0\tEin Mann in einem roten Hemd steht auf der Straße .\nb.jpg#0\tA man .\n"
    dry = finished(import_job(project, upload=upload(tokens), dry_run=True))
    assert (dry.state, dry.outcome["images"], dry.outcome["foreign"], dry.problem_count) == ("done", 1, 1, 1)
    assert "1 caption left out, such as “Ein Mann" in dry.problems[0]["message"]
    job = finished(import_job(project, upload=upload(tokens), any_language=True))
    assert (job.outcome["images"], job.outcome["foreign"], job.problem_count) == (2, 0, 0)


def test_the_chunker_of_the_projects_language_finds_mentions(
    project: Project, media: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def import_nothing(*, chunker: str, **_: Any) -> Summary:
        asked.append(chunker)
        return Summary(images=1)

    monkeypatch.setattr(imports, "import_corpus", import_nothing)
    settings.CHUNKERS = {"de": "spacy:de_core_news_sm"}
    for language in ("en", "de-AT"):
        Project.objects.filter(pk=project.pk).update(language=language)
        finished(import_job(project))
    assert asked == ["hanta", "spacy:de_core_news_sm"]
