"""docs/formats.md, "photographs": a folder of photographs that have no captions yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.domain.records import ImageRecord, Problem
from annotation.formats.captions.photographs import read
from annotation.formats.corpus_reader import read_corpus
from annotation.formats.recognition import NotRecognised, recognise
from tests.annotation.formats.published_shapes import photograph, put


def test_every_photograph_of_the_folder_is_an_image_without_captions(tmp_path: Path) -> None:
    for name in ("b.JPG", "a.png", "notes.txt", "._a.png", "__MACOSX/a.png", "day 2/c.webp", "d.jfif"):
        put(tmp_path / name, photograph("1000001.jpg"))
    found = list(read(tmp_path))
    assert found == [ImageRecord(name, ()) for name in ("a.png", "b.JPG", "d.jfif", "c.webp")]
    assert [one.folder for one in found if isinstance(one, ImageRecord)] == ["", "", "", "day 2"]


def test_names_are_composed_as_those_of_other_formats(tmp_path: Path) -> None:
    put(tmp_path / "Cafe\u0301.jpg", photograph("1000001.jpg"))
    assert list(read(tmp_path)) == [ImageRecord("Caf\u00e9.jpg", ())]


def test_a_folder_without_photographs_is_one_problem(tmp_path: Path) -> None:
    put(tmp_path / "notes.txt", "nothing")
    (problem,) = read(tmp_path)
    assert isinstance(problem, Problem) and problem.whole
    assert problem.message == "it has no photographs"


@pytest.mark.parametrize(("folders", "said"), [(("one", "two"), "one and two"), ((".", "two"), ". and two")])
def test_photographs_of_one_name_in_two_folders_end_the_reading(
    tmp_path: Path, folders: tuple[str, ...], said: str
) -> None:
    for folder in folders:
        put(tmp_path / folder / "a.jpg", photograph("1000001.jpg"))
    first, problem = read_corpus(recognise(tmp_path, "photographs"))
    assert isinstance(first, ImageRecord) and isinstance(problem, Problem)
    assert problem.message == f"a.jpg is in two folders, {said}"


def test_photographs_alone_are_read_only_if_the_format_is_named(tmp_path: Path) -> None:
    """Else somebody who forgot the captions would import images that nobody can annotate."""
    put(tmp_path / "photos" / "a.jpg", photograph("1000001.jpg"))
    with pytest.raises(NotRecognised, match="put the file of captions beside them or, if workers are to"):
        recognise(tmp_path)
    corpus = recognise(tmp_path, "photographs")
    assert (corpus.format, corpus.path, corpus.pictures) == ("photographs", tmp_path, tmp_path / "photos")
