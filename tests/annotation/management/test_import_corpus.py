from __future__ import annotations

import json
import os
from collections.abc import Callable
from io import StringIO
from multiprocessing import active_children
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from annotation.domain.records import ImageRecord
from annotation.importing.processes import Processes, Result
from annotation.models import Caption, GoldChain, Project
from evaluation.readers.captions import MAX_LINE
from tests.annotation.importing.made_corpora import picture

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _media(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


def run(path: Path, *options: object, kind: str = "flickr30k-token") -> tuple[int, str, str]:
    """Run the command. Return its exit code, standard output and standard error."""
    out, err = StringIO(), StringIO()
    arguments = ["--project", "corpus", "--format", kind, "--processes", "1", *map(str, options), str(path)]
    try:
        call_command("import_corpus", *arguments, stdout=out, stderr=err)
    except CommandError as error:
        return error.returncode, out.getvalue(), err.getvalue() + str(error)
    return 0, out.getvalue(), err.getvalue()


def captions() -> set[tuple[str, int]]:
    return set(Caption.objects.values_list("image__name", "index"))


def test_a_corpus_comes_in_and_is_summed_up(tmp_path: Path) -> None:
    path = tmp_path / "captions.token"
    path.write_text("a.jpg#0\tA man's arm.\na.jpg#1\tTwo dogs in the background.\nb.jpg#0\tA cat.\n")
    code, out, err = run(path)
    assert (code, err) == (0, "")
    assert Project.objects.get().name == "corpus"
    assert {line.split(":")[0]: line.split(":")[1].strip() for line in out.splitlines()} == {
        "images": "2",
        "captions": "3",
        "chunks": "4, 1 of them not visual",
        "mentions": "3",
        "mentions a caption": "1.00",
        "words a mention": "2.67",
        "pictures": "0",
        "gold chains": "0",
        "skipped": "0",
    }
    assert "2 that were there already" in run(path)[1]


def bad_token(line: bytes) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path = folder / "captions.token"
        path.write_bytes(b"a.jpg#0\tA man.\n" + line + b"\na.jpg#2\tA dog.\n")
        return path

    return make


BAD_LINES = {
    "missing tab": (b"a.jpg#1 A cat.", "there is no tab"),
    "unknown encoding": (b"a.jpg#1\tA caf\xe9.", "is not UTF-8"),
    "empty caption": (b"a.jpg#1\t  ", "the caption is empty"),
    "no number": (b"a.jpg\tA cat.", "does not end in #k"),
    "number too high": (b"a.jpg#1000\tA cat.", "does not end in #k"),
    "given twice": (b"a.jpg#0\tA cat.", "is given twice"),
    "a path": (b"../a.jpg#1\tA cat.", "is not a plain file name"),
    "line too long": (b"a.jpg#1\t" + b"x " * MAX_LINE, "the line is longer than"),
    "caption too long": (b"a.jpg#1\t" + b"x " * 6000, "has more than 10,000 characters"),
    "NUL": (b"a.jpg#1\tA \0 cat.", "no database can store"),
    "word too long": (b"a.jpg#1\t" + b"x" * 101, "has more than 100 characters"),
}


@pytest.mark.parametrize("case", BAD_LINES)
def test_a_bad_line_is_named_and_the_rest_comes_in(tmp_path: Path, case: str) -> None:
    line, message = BAD_LINES[case]
    path = bad_token(line)(tmp_path)
    code, out, err = run(path)
    assert code == 3
    assert f"{path}:2: " in err and message in err
    assert captions() == {("a.jpg", 0), ("a.jpg", 2)}
    assert "skipped:             1" in out


@pytest.mark.parametrize("case", BAD_LINES)
def test_strict_stops_at_a_bad_line_and_changes_nothing(tmp_path: Path, case: str) -> None:
    line, message = BAD_LINES[case]
    path = bad_token(line)(tmp_path)
    code, out, err = run(path, "--strict")
    assert (code, out) == (1, "")
    assert f"{path}:2: " in err and message in err and "Nothing was imported." in err
    assert not Project.objects.exists() and captions() == set()


BAD_SENTENCES = {
    "overlapping": ("[/EN#1/people A man in [/EN#2/clothing a hat] ] .", "brackets cannot overlap"),
    "never closed": ("[/EN#1/people A nun in a tram .", "is never closed"),
    "never opened": ("A nun] in a tram .", "belongs to no mention"),
    "empty": ("[/EN#1/people ] walks .", "is empty"),
    "unknown type": ("[/EN#1/robots A robot] .", "caption 1 of a.jpg has the type 'robots', which"),
    "no chain": ("[/EN#x/people A man] .", "is no chain id and type"),
}


@pytest.mark.parametrize("case", BAD_SENTENCES)
@pytest.mark.parametrize("strict", [False, True])
def test_an_image_with_a_bad_sentence_keeps_its_others(tmp_path: Path, case: str, strict: bool) -> None:
    sentence, message = BAD_SENTENCES[case]
    (tmp_path / "Sentences").mkdir()
    path = tmp_path / "Sentences" / "a.txt"
    path.write_text(f"[/EN#1/people A man] .\n{sentence}\n[/EN#1/people Someone] .\n")
    code, _, err = run(tmp_path, "--as-gold", *["--strict"] * strict, kind="flickr30k-entities")
    assert f"{path}:2: " in err and message in err
    if strict:
        assert code == 1 and not Project.objects.exists()
    else:
        assert code == 3 and captions() == {("a.jpg", 0), ("a.jpg", 2)}
        assert len(GoldChain.objects.get().members) == 2


def test_a_missing_and_a_truncated_picture_are_named(tmp_path: Path) -> None:
    path = tmp_path / "captions.token"
    path.write_text("".join(f"{name}.jpg#0\tA man.\n" for name in "abc"))
    folder = tmp_path / "pictures"
    folder.mkdir()
    picture(folder / "a.jpg")
    (folder / "c.jpg").write_bytes(picture(folder / "c.jpg", 400, 300)[:1500])
    code, out, err = run(path, "--images", folder)
    assert code == 3
    assert f"{path}:2: there is no picture b.jpg in {folder}" in err
    assert f"{folder / 'c.jpg'}: is damaged" in err
    assert captions() == {("a.jpg", 0), ("b.jpg", 0), ("c.jpg", 0)}
    assert "pictures:            1" in out


def test_strict_stores_no_picture(tmp_path: Path) -> None:
    path = tmp_path / "captions.token"
    path.write_text("a.jpg#0\tA man.\nb.jpg#0\tA dog.\n")
    folder = tmp_path / "pictures"
    folder.mkdir()
    picture(folder / "a.jpg")
    code, _, err = run(path, "--images", folder, "--strict")
    assert code == 1 and f"{path}:2: there is no picture b.jpg" in err
    assert not Project.objects.exists()
    assert [file for file in (tmp_path / "media").rglob("*") if file.is_file()] == []


@pytest.mark.parametrize("kind", ["flickr30k-token", "jsonl", "flickr30k-entities"])
def test_nothing_to_import_is_an_error(tmp_path: Path, kind: str) -> None:
    if kind == "flickr30k-entities":
        (tmp_path / "Sentences").mkdir()
        paths = [tmp_path]
    else:
        paths = [tmp_path / "captions", Path(os.devnull)]
        paths[0].touch()
    for path in paths:
        assert run(path, kind=kind) == (1, "", f"{path}: it has no captions")
    assert not Project.objects.exists()


def test_a_killed_process_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "captions.token"
    path.write_text("a.jpg#0\tA man.\n")
    submit = Processes.submit

    def killing(self: Processes, records: list[ImageRecord]) -> Callable[[], Result]:
        result = submit(self, records)
        for child in active_children():
            child.kill()
        return result

    monkeypatch.setattr(Processes, "submit", killing)
    code, _, err = run(path, "--processes", 2)
    advice = "run the command again, or with --processes 1"
    assert (code, err) == (1, f"a process that finds mentions was killed (memory?): {advice}")
    assert not Project.objects.exists()


def test_other_formats_come_in_too(tmp_path: Path) -> None:
    coco = tmp_path / "captions.json"
    coco.write_text(
        json.dumps(
            {
                "images": [{"id": 7, "file_name": "a.jpg", "width": 4, "height": 3}],
                "annotations": [{"id": 1, "image_id": 7, "caption": "A man."}],
            }
        )
    )
    assert run(coco, kind="coco-captions")[0] == 0
    lines = tmp_path / "images.jsonl"
    lines.write_text(json.dumps({"name": "b.jpg", "captions": [{"index": 0, "text": "A dog."}]}) + "\n{\n")
    code, _, err = run(lines, kind="jsonl")
    assert code == 3 and f"{lines}:2: is not JSON" in err
    assert captions() == {("a.jpg", 0), ("b.jpg", 0)}


def test_a_path_that_is_not_there_creates_nothing(tmp_path: Path) -> None:
    code, _, err = run(tmp_path / "none")
    assert code == 1 and "cannot be read" in err
    assert not Project.objects.exists()
