"""Pictures are found whatever programs make of their names, and two that differ are never taken for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.importing.picture_files import NamedPictures, PictureError, PictureFolders
from tests.annotation.importing.made_corpora import picture


@pytest.mark.parametrize("name", ["a", "a.jpg", "a.jpeg", "a.png"])
def test_pictures_are_found_by_name_name_with_suffix_or_stem(folder: Path, name: str) -> None:
    picture(folder / "a.jpg")
    assert PictureFolders(folder).find(name) == folder / "a.jpg"


def test_the_exact_name_comes_first(folder: Path) -> None:
    picture(folder / "a.jpg")
    picture(folder / "a.png", kind="PNG")
    assert PictureFolders(folder).find("a.png") == folder / "a.png"


@pytest.mark.parametrize(
    "name", ["../a.jpg", "..", ".", "", "sub/a.jpg", "/etc/passwd", "sub\\a.jpg", "a\0.jpg"]
)
def test_names_that_are_paths_are_refused(folder: Path, name: str) -> None:
    picture(folder.parent / "a.jpg")
    with pytest.raises(PictureError):
        PictureFolders(folder).find(name)


def test_links_out_of_the_folder_are_refused(folder: Path) -> None:
    picture(folder.parent / "secret.jpg")
    (folder / "a.jpg").symlink_to(folder.parent / "secret.jpg")
    with pytest.raises(PictureError, match="leads out of the folder"):
        PictureFolders(folder).find("a.jpg")


def test_links_within_the_folder_are_followed(folder: Path) -> None:
    picture(folder / "b.jpg")
    (folder / "a.jpg").symlink_to("b.jpg")
    assert PictureFolders(folder).find("a.jpg") == folder / "a.jpg"


def test_a_folder_is_no_picture(folder: Path) -> None:
    (folder / "a.jpg").mkdir()
    with pytest.raises(PictureError, match=r"there is no picture a\.jpg"):
        PictureFolders(folder).find("a.jpg")


def put(path: Path, width: int = 40) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    picture(path, width)
    return path


@pytest.mark.parametrize("within", ["x/val", "val", "other/x/val"])
def test_the_folder_of_a_name_is_looked_for_by_its_end(folder: Path, within: str) -> None:
    put(folder / "train" / "a.jpg")
    there = put(folder / "val" / "a.jpg", width=50)
    assert PictureFolders(folder / "train", folder).find("a.jpg", within) == there


def test_a_name_without_its_folder_is_looked_for_everywhere(folder: Path) -> None:
    there = put(folder / "train" / "a.jpg")
    folders = PictureFolders(folder / "train", folder)
    assert folders.find("a.jpg") == folders.find("a.jpg", "nowhere") == there
    with pytest.raises(PictureError, match=r"there is no picture b\.jpg in"):
        folders.find("b.jpg", "train")


def test_folders_of_names_that_are_links_out_are_refused(folder: Path) -> None:
    put(folder.parent / "secret" / "a.jpg")
    (folder / "val").symlink_to(folder.parent / "secret")
    with pytest.raises(PictureError, match="leads out of the folder"):
        PictureFolders(folder, folder).find("a.jpg", "val")


COMPOSED, TAKEN_APART = "caf\u00e9.jpg", "cafe\u0301.jpg"
SHOT = "Screenshot 2025-01-30 at 10.32.07{}AM.png"


@pytest.mark.parametrize(
    ("name", "file"),
    [
        *(("IMG_1.jpg", "IMG_1.JPG"), ("IMG_1.JPG", "IMG_1.jpg"), ("IMG_1.Jpeg", "IMG_1.JPEG")),
        *(("IMG_1", "IMG_1.JPG"), ("IMG_1.jpg", "IMG_1.PNG"), ("a.b", "a.b.WEBP")),
        *((COMPOSED, TAKEN_APART), (TAKEN_APART, COMPOSED)),
        *((TAKEN_APART, "caf\u00e9.JPG"), ("caf\u00e9", TAKEN_APART)),
        *((SHOT.format("\u202f"), SHOT.format("\u202f")), (SHOT.format(" "), SHOT.format("\u202f"))),
        *((SHOT.format("\u202f"), SHOT.format(" ")), (SHOT.format("\xa0"), SHOT.format("\u202f"))),
        *(("a.jfif", "a.jfif"), ("a.jpg", "a.jfif"), ("a", "a.JFIF"), ("a.jfif", "a.jpg")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("within", ["", "deep/in/it"])
def test_a_name_is_found_in_whatever_form(folder: Path, name: str, file: str, within: str) -> None:
    there = put(folder / within / file)
    put(folder / "another.jpg")
    folders, named = PictureFolders(folder), NamedPictures()
    assert folders.find(name) == there
    named.add(name)
    assert folders.others(named) == ["another.jpg"]


@pytest.mark.parametrize("name", ["img_1.jpg", "IMG_2.jpg", "cafe.jpg", "IMG_1.jpg.bak"])
def test_another_name_is_not_found(folder: Path, name: str) -> None:
    put(folder / "IMG_1.jpg")
    put(folder / COMPOSED)
    with pytest.raises(PictureError, match="there is no picture"):
        PictureFolders(folder).find(name)


@pytest.mark.parametrize("hidden", ["._a.jpg", "__MACOSX/a.jpg", "__MACOSX/._a.jpg", ".trash/a.jpg"])
def test_files_of_macos_are_no_pictures(folder: Path, hidden: str) -> None:
    put(folder / hidden, width=50)
    with pytest.raises(PictureError, match="there is no picture"):
        PictureFolders(folder).find("a.jpg")
    there = put(folder / "set" / "a.jpg")
    assert PictureFolders(folder).find("a.jpg") == there


@pytest.mark.parametrize(
    ("name", "files"),
    [
        *(("a.jpg", ("a.jpg", "x/a.jpg")), ("a.jpg", ("x/a.jpg", "y/a.jpg"))),
        ("a.jpg", ("x/a.JPG", "y/a.jpg")),
        *(("a", ("a.jpg", "a.png")), ("a.jpg", ("a.png", "a.webp")), ("a.jpeg", ("x/a.jpg", "a.png"))),
        *((COMPOSED, (TAKEN_APART, f"x/{COMPOSED}")), ("a.Jpg", ("a.JPG", "a.jpg"))),
    ],
)  # fmt: skip
def test_two_pictures_that_could_be_meant_are_one_problem_that_names_both(
    folder: Path, name: str, files: tuple[str, str]
) -> None:
    for number, file in enumerate(files):
        put(folder / file, width=40 + number)
    with pytest.raises(PictureError, match="two different pictures could be") as caught:
        PictureFolders(folder).find(name)
    assert all(file in str(caught.value) for file in files) and "rename" in caught.value.hint


def test_the_same_picture_in_two_folders_is_one(folder: Path) -> None:
    there = put(folder / "a.jpg")
    put(folder / "x" / "a.jpg")
    assert PictureFolders(folder).find("a.jpg") == there


@pytest.mark.parametrize(
    ("within", "file"), [("x", "x/a.jpg"), ("y", "y/a.jpg"), ("x/y", "x/y/a.jpg"), ("set/y", "y/a.jpg")]
)
def test_the_folder_that_the_corpus_names_decides(folder: Path, within: str, file: str) -> None:
    for width, one in enumerate(("x/a.jpg", "y/a.jpg", "x/y/a.jpg"), start=40):
        put(folder / one, width=width)
    assert PictureFolders(folder).find("a.jpg", within) == folder / file


@pytest.mark.parametrize("within", ["val", "val2014", "set/validation", "test/x"])
@pytest.mark.parametrize("flat", ["", "train"])
@pytest.mark.parametrize("name", ["1.jpg", "1"])
def test_a_picture_of_another_split_is_not_taken(folder: Path, within: str, flat: str, name: str) -> None:
    put(folder / "train" / "1.jpg")
    put(folder / "train" / "1.png")
    with pytest.raises(PictureError, match=rf"^there is no picture {name} in") as caught:
        PictureFolders(folder / flat, folder).find(name, within)
    assert caught.value.hint in ("train/1.jpg is of another split", "train/1.png is of another split")


@pytest.mark.parametrize("file", ["val/1.jpg", "val2014/1.jpg", "photos/1.jpg", "train/val/1.jpg", "1.jpg"])
def test_a_picture_of_the_same_split_or_of_none_is_taken(folder: Path, file: str) -> None:
    put(folder / "train" / "1.jpg", width=50)
    there = put(folder / file)
    assert PictureFolders(folder / "train", folder).find("1.jpg", "val") == there
    assert PictureFolders(folder / "train", folder).find("1.jpg", "train") == folder / "train" / "1.jpg"


@pytest.mark.parametrize("within", ["x" * 256, "é" * 128, "x/" * 3000 + "x", "a/" + "x" * 300 + "/b"])
def test_a_folder_with_a_name_that_no_folder_has_is_a_picture_that_is_not_there(
    folder: Path, within: str
) -> None:
    put(folder / "a.jpg")
    folders = PictureFolders(folder)
    assert folders.find("a.jpg", within) == folder / "a.jpg"
    with pytest.raises(PictureError, match=r"there is no picture b\.jpg in"):
        folders.find("b.jpg", within)
