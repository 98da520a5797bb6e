from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.captions.aligned_text import is_aligned, is_list_of_images, read


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def image(name: str, *captions: tuple[int, str], split: str = "train") -> ImageRecord:
    return ImageRecord(name, tuple(CaptionRecord(index, text) for index, text in captions), split=split)


def test_one_caption_an_image_and_several_are_both_read(tmp_path: Path) -> None:
    put(tmp_path / "image_splits" / "train.txt", "a.jpg\nb.jpg\n")
    put(tmp_path / "image_splits" / "test_2016_flickr.txt", "c.jpg\n")
    put(tmp_path / "raw" / "train.1.en.gz", "A man .\nA dog .\n")
    put(tmp_path / "raw" / "train.3.en.gz", "One man .\nOne dog .\n")
    put(tmp_path / "tok" / "test_2016_flickr.lc.norm.tok.en", "a cat .\n")
    put(tmp_path / "notes.md", "words\n")
    assert is_aligned(tmp_path)
    assert list(read(tmp_path)) == [
        image("c.jpg", (0, "a cat ."), split="test"),
        image("a.jpg", (0, "A man ."), (2, "One man .")),
        image("b.jpg", (0, "A dog ."), (2, "One dog .")),
    ]


def test_an_empty_line_is_reported_and_the_others_keep_their_images(tmp_path: Path) -> None:
    put(tmp_path / "train_images.txt", "a.jpg\nb.jpg\nc.jpg\n")
    text = put(tmp_path / "train.en", "A man .\n\nA cat .\n")
    problem, *found = sorted(read(tmp_path), key=lambda one: isinstance(one, ImageRecord))
    assert problem == Problem(str(text), 2, "the caption is empty (of b.jpg)", "it was left out")
    assert found == [image("a.jpg", (0, "A man .")), image("c.jpg", (0, "A cat ."))]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"train.en": "A man .\n"}, "there is no list of image names called train_images.txt or train.txt"),
        (
            {"train.en": "A .\n", "a/train.txt": "a.jpg\n", "b/train_images.txt": "a.jpg\n"},
            "there is more than one list (2) of image names",
        ),
        (
            {"raw/train.en": "A .\n", "tok/train.lc.norm.tok.en": "a .\n", "train.txt": "a.jpg\n"},
            "tok/train.lc.norm.tok.en has the same captions in another form",
        ),
        ({"train.en": "A .\n", "train.txt": "a.jpg\nb.jpg\n"}, "it has 1 lines, but train.txt has 2"),
        ({"train.txt": "a.jpg\n"}, "it has no file of captions such as train.en"),
    ],
)
def test_files_that_do_not_fit_are_one_problem(tmp_path: Path, files: dict[str, str], says: str) -> None:
    for name, text in files.items():
        put(tmp_path / name, text)
    (problem,) = read(tmp_path)
    assert isinstance(problem, Problem) and problem.whole
    assert says in problem.message


@pytest.mark.parametrize(
    ("text", "is_list"),
    [("a.jpg\n\nb.JPG\n", True), ("", False), ("\n", False), ("a.jpg\tA man .\n", False), ("words\n", False)],
)
def test_a_list_of_images_has_nothing_else(tmp_path: Path, text: str, is_list: bool) -> None:
    assert is_list_of_images(put(tmp_path / "list.txt", text)) == is_list
