"""Reads files of captions as people have them, in the shapes of many other tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.domain.records import ImageRecord, Problem
from annotation.formats.corpus_reader import read_corpus
from annotation.formats.recognition import NotRecognised, recognise
from tests.annotation.formats import caption_files, caption_folders
from tests.annotation.formats.caption_files import Trial
from tests.shared import shared

TRIALS = [*caption_files.TRIALS, *caption_folders.TRIALS]


def captions(path: Path, format: str = "") -> tuple[dict[str, list[str]], list[Problem]]:
    """Return the captions by image, and the problems."""
    found: dict[str, list[str]] = {}
    problems: list[Problem] = []
    for one in read_corpus(recognise(path, format)):
        if isinstance(one, Problem):
            problems.append(one)
        else:
            found.setdefault(one.name, []).extend(caption.text for caption in one.captions)
    return found, problems


def put(folder: Path, trial: Trial) -> Path:
    """Write the files of a trial, and return what is imported: the only file, or the folder."""
    for name, content in trial.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / next(iter(trial.files)) if len(trial.files) == 1 else folder


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.kind)
def test_the_right_captions_are_read(tmp_path: Path, trial: Trial) -> None:
    path = put(tmp_path, trial)
    if trial.refused:
        with pytest.raises(NotRecognised) as refused:
            recognise(path, trial.format)
        assert trial.refused in str(refused.value)
        return
    found, problems = captions(path, trial.format)
    assert found == trial.images
    assert len(problems) == len(trial.problems), problems
    for problem, part in zip(problems, trial.problems, strict=True):
        assert part in problem.message and problem.file.startswith(str(tmp_path))


def test_there_are_many_kinds_and_no_two_are_the_same() -> None:
    assert len({trial.kind for trial in TRIALS}) == len(TRIALS) >= 90


@pytest.mark.parametrize(
    "case",
    ["float_numbers.csv", "image_path.csv", "img_path.csv", "index_and_name.csv", "openclip.tsv", "sep.csv"],
)
def test_the_columns_of_the_cases_are_known(case: str) -> None:
    assert captions(shared("cases", "F20_column_names", case)) == ({"a.jpg": ["A red wall."]}, [])


def test_the_missing_values_of_the_cases_are_reported() -> None:
    folder = shared("cases", "F19_nan_is_a_caption")
    found, problems = captions(folder / "captions.csv")
    assert (found, [problem.line for problem in problems]) == ({"c.jpg": ["A dog."]}, [2, 3])
    found, problems = captions(folder / "nan.json")
    assert (found, len(problems)) == ({"b.jpg": ["A dog."]}, 1)


def test_the_texts_beside_photographs_of_the_cases_are_read() -> None:
    found = captions(shared("cases", "F21_sidecar_texts"))
    assert found == ({"a.jpg": ["A red wall."], "b.jpg": ["A green wall."]}, [])


def test_the_html_of_the_cases_goes() -> None:
    found, problems = captions(shared("cases", "F13_html_left_over", "captions.jsonl"))
    assert problems == []
    assert found == {
        "a.jpg": ["A man's dog & a cat here."],
        "b.jpg": ["A man's dog runs."],
        "c.jpg": ["A man holds a cup. A dog runs."],
    }


@pytest.mark.parametrize("name", ["odvg", "coco-grounding"])
def test_sizes_and_numbers_of_our_own_formats_are_read(tmp_path: Path, name: str) -> None:
    trial = next(trial for trial in TRIALS if trial.kind == name)
    corpus = recognise(put(tmp_path, trial))
    (image,) = read_corpus(corpus)
    assert isinstance(image, ImageRecord)
    assert (corpus.format, image.width, image.height) == (name, 40, 30)
    assert [caption.index for caption in image.captions] == [0]
