from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.core.files.storage import default_storage

from annotation.importing import problem_report
from annotation.models import Image, Project
from tests.annotation.management.test_import_corpus import run
from tests.annotation.picture_files_made import OWNER, encoded, owned

pytestmark = pytest.mark.django_db


def test_only_the_first_problems_are_printed_and_all_are_in_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(problem_report, "PRINTED", 2)
    path = tmp_path / "captions.token"
    path.write_text("bad\n" * 5 + "a.jpg#0\tA man.\n")
    report = tmp_path / "problems.jsonl"
    code, _, err = run(path, "--report", report)
    assert code == 3 and err.count("there is no tab") == 2
    assert "more problems" in err and "5 problems" in err and str(report) in err
    lines = [orjson.loads(line) for line in report.read_bytes().splitlines()]
    assert [(line["file"], line["line"]) for line in lines] == [(str(path), n) for n in range(1, 6)]
    assert set(lines[0]) == {"file", "line", "message", "hint"}


def test_a_file_that_ends_too_early_says_so_after_any_number_of_problems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(problem_report, "PRINTED", 2)
    path = tmp_path / "captions.token"
    path.write_bytes(gzip.compress(b"bad\n" * 5 + b"a.jpg#0\tA man.\n")[:-4])
    code, _, err = run(path)
    assert code == 3 and err.count("there is no tab") == 2 and "6 problems" in err
    assert f"{path}: the gzip file is damaged" in err


def test_one_problem_is_one_problem(tmp_path: Path) -> None:
    path = tmp_path / "captions.token"
    path.write_text("bad\na.jpg#0\tA man.\n")
    assert "1 problem, see above" in run(path)[2]


@pytest.mark.parametrize("given", ["captions.txt", "link.txt", "train.txt", "earlier.jsonl", "dangling"])
def test_a_report_never_replaces_a_file(tmp_path: Path, given: str) -> None:
    path, split = tmp_path / "captions.txt", tmp_path / "train.txt"
    path.write_text("a.jpg#0\tA man.\nbad\n")
    split.write_text("a\n")
    (tmp_path / "link.txt").symlink_to(path)
    (tmp_path / "dangling").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "earlier.jsonl").write_text("{}\n")
    before = {file: file.read_bytes() for file in tmp_path.iterdir() if file.exists()}
    code, _, err = run(path, "--split", split, "--report", tmp_path / given)
    assert code == 1 and not Project.objects.exists()
    is_input = given in ("captions.txt", "link.txt", "train.txt")
    assert f"--report {tmp_path / given} {'is an input' if is_input else 'exists already'}" in err
    assert {file: file.read_bytes() for file in tmp_path.iterdir() if file.exists()} == before


def test_a_report_that_appears_meanwhile_is_kept_too(tmp_path: Path) -> None:
    path, file = tmp_path / "captions.txt", tmp_path / "problems"

    def report() -> None:
        with problem_report.report_file(file, [path]) as out:
            out.write(b"ours")
            file.write_bytes(b"theirs")

    with pytest.raises(problem_report.ReportError, match="File exists"):
        report()
    assert {one.read_bytes() for one in tmp_path.iterdir()} == {b"ours", b"theirs"}


@pytest.mark.parametrize("options", [["--strict"], ["--split", "none"]])
def test_an_import_that_did_not_happen_leaves_no_report(tmp_path: Path, options: list[str]) -> None:
    """Otherwise the same command would be refused the next time."""
    path = tmp_path / "captions.token"
    path.write_text("bad\na.jpg#0\tA man.\n")
    assert run(path, "--report", tmp_path / "problems", *options)[0] == 1
    assert list(tmp_path.iterdir()) == [path]


def test_split_lists(tmp_path: Path) -> None:
    path = tmp_path / "captions.token"
    path.write_text("a.jpg#0\tA man.\nb.jpg#0\tA dog.\n")
    (tmp_path / "train.txt").write_text("a\n")
    assert run(path, "--split", tmp_path / "train.txt", "--strict")[0] == 0
    assert dict(Image.objects.values_list("name", "split")) == {"a.jpg": "train", "b.jpg": ""}


def test_an_empty_split_is_filled_in_later_and_another_one_stays(tmp_path: Path) -> None:
    path = tmp_path / "captions.token"
    path.write_text("a.jpg#0\tA man.\nb.jpg#0\tA dog.\n")
    (tmp_path / "train.txt").write_text("a\n")
    (tmp_path / "val.txt").write_text("a\nb\n")
    assert run(path)[0] == 0
    assert run(path, "--split", tmp_path / "train.txt")[0] == 0
    code, _, err = run(path, "--split", tmp_path / "val.txt")
    assert code == 3 and "a.jpg is in split train, not in val" in err
    assert dict(Image.objects.values_list("name", "split")) == {"a.jpg": "train", "b.jpg": "val"}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    ("name", "message"),
    [("val.txt", "cannot be read: No such file"), ("all.txt", "a split list has to be called")],
)
def test_a_split_list_that_cannot_be_used_stops_the_import(
    tmp_path: Path, name: str, message: str, strict: bool
) -> None:
    path = tmp_path / "captions.token"
    path.write_text("a.jpg#0\tA man.\n")
    (tmp_path / "train.txt").write_text("a\n")
    options = ["--split", tmp_path / "train.txt", "--split", tmp_path / name]
    code, out, err = run(path, *options, *["--strict"] * strict)
    assert (code, out) == (1, "") and f"--split {tmp_path / name}: {message}" in err
    assert not Project.objects.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--images", "/nowhere"], "there is no such folder"),
        (["--chunker", "none"], "no chunker 'none'; there are: hanta"),
        (["--report", "/nowhere/report"], "No such file or directory"),
        (
            ["--project", "two words"],
            "'two words' is not a valid project name: use up to 64 letters, digits, - ",
        ),
        (["--project", "x" * 65], "is not a valid project name"),
        (["--project", ""], "'' is not a valid project name"),
        (["--processes", "0"], "--processes 0: it must be from 1 to 64"),
        (["--processes", "65"], "--processes 65: it must be from 1 to 64"),
    ],
)
def test_wrong_options_are_explained(tmp_path: Path, options: list[str], message: str) -> None:
    path = tmp_path / "captions.token"
    path.write_text("a.jpg#0\tA man.\n")
    code, _, err = run(path, *options)
    assert code == 1 and message in err
    assert not Project.objects.exists()


GERMAN = "a.jpg#0\tEin Mann in einem roten Hemd steht auf der Straße .\n"


def test_captions_in_another_language_are_reported_and_can_be_imported_nevertheless(tmp_path: Path) -> None:
    path = tmp_path / "captions.token"
    path.write_text(f"{GERMAN}b.jpg#0\tA man .\n", encoding="utf-8")
    code, out, err = run(path, "--dry-run")
    assert code == 3 and "in another language: 1" in " ".join(out.split()) and not Project.objects.exists()
    assert f"{path}:1: not in en, the project's language: 1 caption left out, such as “Ein Mann" in err
    assert run(path)[0] == 3 and [image.name for image in Image.objects.all()] == ["b.jpg"]
    assert run(path, "--any-language")[0] == 0 and Image.objects.count() == 2


def test_nothing_is_made_of_a_corpus_in_another_language(tmp_path: Path) -> None:
    path = tmp_path / "captions.token"
    path.write_text(GERMAN, encoding="utf-8")
    code, _, err = run(path)
    assert code == 1 and "1 caption left out" in err and not Project.objects.exists()


def test_a_new_project_has_the_language_that_is_named(tmp_path: Path) -> None:
    path = tmp_path / "captions.token"
    path.write_text(GERMAN, encoding="utf-8")
    assert "the chunker hanta does not cut de, the project's language" in run(path, "--language", "de")[2]
    assert run(path, "--language", "de", "--any-language")[0] == 0
    assert Project.objects.get().language == "de"
    assert "the captions of corpus are in de" in run(path, "--language", "fr")[2]
    assert "'Deutsch' is no code such as en" in run(path, "--language", "Deutsch", "--project", "new")[2]


def test_the_chunker_is_that_of_the_projects_language(tmp_path: Path, settings: Any) -> None:
    settings.CHUNKERS = {"de": "spacy:no_such_model"}
    path = tmp_path / "captions.token"
    path.write_text(GERMAN, encoding="utf-8")
    assert "--chunker: install spaCy and its model 'no_such_model'" in run(path, "--language", "de-AT")[2]
    assert run(path, "--language", "de-AT", "--chunker", "hanta", "--any-language")[0] == 0


@pytest.mark.parametrize("option", [(), ("--keep-metadata",)])
def test_metadata_of_photographs_is_kept_only_if_asked_for(tmp_path: Path, option: tuple[str, ...]) -> None:
    path = tmp_path / "captions.token"
    path.write_text("a.jpg#0\tA man.\n")
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a.jpg").write_bytes(encoded(exif=owned()))
    assert run(path, "--images", tmp_path / "images", *option)[0] == 0
    with default_storage.open(str(Image.objects.get().file)) as file:
        assert (OWNER in file.read()) == bool(option)
