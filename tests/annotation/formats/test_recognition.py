from __future__ import annotations

import gzip
import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from annotation.domain.records import ImageRecord
from annotation.formats.corpus_reader import count_images, read_corpus
from annotation.formats.recognition import Corpus, NotRecognised, recognise, split_in

TOKEN = "a.jpg#0\tA man .\na.jpg#1\tA dog .\nb.jpg#0\tA park .\n"
JSONL = '{"name": "a.jpg", "captions": []}\n{"name": "b.jpg", "captions": []}\n'
COCO = '{"images": [], "annotations": []}'


def put(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "format"),
    [
        (TOKEN, "flickr30k-token"),
        ("\n" + JSONL, "jsonl"),
        (COCO, "coco-captions"),
        ('{\n  "images": []\n}', "coco-captions"),
        ('{"info": "' + "x" * (1 << 22) + '"}', "coco-captions"),
        ("image;caption\na.jpg;A man .\n", "spreadsheet"),
        ("\na.jpg,A man .\n", "spreadsheet"),
        ("a.jpg#0,A man .\n", None),
        ("just words\n", None),
        ('{"file_name": "a.jpg", "text": "A man ."}\n', "json-captions"),
        ('{"file_name": "a.jpg", "text": null}\n', "json-captions"),
        ('{"name": "a.jpg", "captions": ["A man ."]}\n', "json-captions"),
        ('{"name": "a.jpg", "captions": [{"index": 0, "txt": ""}]}\n', "jsonl"),
        ('{"images": [{"filename": "a.jpg", "sentences": [{"raw": "A ."}]}]}', "json-captions"),
        ('{"images": [{"id": 3, "file_name": "a.jpg"}]}', "coco-captions"),
        ('{"annotations": [{"image_id": 3, "caption": "A ."}]}', "coco-captions"),
        ('[{"image": "a.jpg", "caption": "A ."}]', "json-captions"),
        ("image_name| comment_number| comment\na.jpg| 0| A man .\n", "spreadsheet"),
        ("a.jpg#enc#0 A man .\n", "flickr30k-token"),
        ("", None),
    ],
)
def test_a_file_is_known_by_its_first_line(tmp_path: Path, text: str, format: str | None) -> None:
    path = put(tmp_path / "captions", text)
    if format is None:
        with pytest.raises(NotRecognised):
            recognise(path)
    else:
        assert recognise(path).format == format


@pytest.mark.parametrize("first", ["categories", "contributor", "videos"])
def test_other_lists_may_come_before_the_images(tmp_path: Path, first: str) -> None:
    """LVIS has 1,203 categories."""
    content = {first: [{"id": at, "name": "x"} for at in range(1_203)], **json.loads(COCO)}
    assert recognise(put(tmp_path / "captions", json.dumps(content))).format == "coco-captions"


def test_a_packed_file_is_looked_into(tmp_path: Path) -> None:
    path = tmp_path / "captions.token.gz"
    path.write_bytes(gzip.compress(TOKEN.encode()))
    corpus = recognise(path)
    assert (corpus.format, count_images(corpus)) == ("flickr30k-token", 2)


def test_entities_are_found_below_one_more_folder_with_their_pictures(tmp_path: Path) -> None:
    put(tmp_path / "set" / "Sentences" / "a.txt")
    put(tmp_path / "set" / "Sentences" / "b.txt")
    put(tmp_path / "set" / "Annotations" / "a.xml")
    put(tmp_path / "set" / "images" / "a.JPG")
    put(tmp_path / "set" / "images" / "b.jpg")
    put(tmp_path / "set" / "cover.png")
    put(tmp_path / "__MACOSX" / "Sentences" / "._a.txt")
    put(tmp_path / "__MACOSX" / "set" / "images" / "._a.jpg")
    corpus = recognise(tmp_path)
    pictures = tmp_path / "set" / "images"
    assert corpus == Corpus("flickr30k-entities", tmp_path / "set", pictures, above=tmp_path / "set")
    assert count_images(corpus) == 2


def test_the_sentences_of_the_folder_itself_come_before_those_within_it(tmp_path: Path) -> None:
    put(tmp_path / "Sentences" / "a.txt")
    put(tmp_path / "export" / "Sentences" / "a.txt")
    assert recognise(tmp_path) == Corpus("flickr30k-entities", tmp_path)
    (tmp_path / "Sentences").rename(tmp_path / "more")
    (tmp_path / "more").rename(tmp_path / "export" / "more")
    put(tmp_path / "other" / "Sentences" / "a.txt")
    with pytest.raises(NotRecognised, match="it has 2 folders called Sentences"):
        recognise(tmp_path)


def test_a_folder_with_one_file_of_captions_brings_its_split_lists(tmp_path: Path) -> None:
    file, lists = put(tmp_path / "captions.jsonl", JSONL), put(tmp_path / "val.txt", "a\n")
    put(tmp_path / "readme.md", "words")
    put(tmp_path / "provenance.jsonl", JSONL)
    corpus = recognise(tmp_path)
    assert corpus == Corpus("jsonl", file, None, (lists,))
    assert count_images(corpus) == 2


def test_of_several_files_the_format_chooses(tmp_path: Path) -> None:
    put(tmp_path / "one.jsonl", JSONL)
    file = put(tmp_path / "two.token", TOKEN)
    with pytest.raises(
        NotRecognised,
        match=r"several files look like captions \(one.jsonl like jsonl, two.token like flickr30k-token\)",
    ):
        recognise(tmp_path)
    assert recognise(tmp_path, "flickr30k-token").path == file


@pytest.mark.parametrize(("format", "says"), [("", "no file in it looks like captions"), ("jsonl", "jsonl")])
def test_what_nobody_can_tell_is_said(tmp_path: Path, format: str, says: str) -> None:
    put(tmp_path / "notes.txt", "words")
    put(tmp_path / "more.txt", "words")
    with pytest.raises(NotRecognised, match=says):
        recognise(tmp_path, format)
    with pytest.raises(NotRecognised, match="name the format"):
        recognise(tmp_path / "notes.txt")


def test_the_only_file_is_taken_for_what_it_is_said_to_be(tmp_path: Path) -> None:
    assert recognise(put(tmp_path / "notes.txt", "words").parent, "jsonl").format == "jsonl"


def test_a_spreadsheet_is_known_by_its_first_row_or_else_by_its_suffix(tmp_path: Path) -> None:
    put(tmp_path / "photos" / "a.jpg")
    sheet = put(tmp_path / "list.csv", "\ufeffFoto;Satz\na.jpg;A man .\n")
    assert recognise(sheet).format == "spreadsheet", "its reader says what the first row lacks"
    assert recognise(tmp_path) == Corpus("spreadsheet", sheet, tmp_path / "photos")
    put(sheet, "Photo,Caption\na.jpg,A man .\nb.jpg,A dog .\na.jpg,A park .\n")
    assert count_images(recognise(tmp_path)) == 3
    put(sheet, "station,rainfall\n7,12\n")
    file = put(tmp_path / "captions.token", TOKEN)
    assert recognise(tmp_path).path == file, "a sheet of something else beside the captions"


@pytest.mark.parametrize("name", ["captions.xlsx", "captions.ods", "captions.XLS"])
def test_a_workbook_is_told_to_be_saved_as_csv(tmp_path: Path, name: str) -> None:
    path = _zip(tmp_path / name)
    for place in (path, tmp_path):
        with pytest.raises(NotRecognised, match=f"^{name} is a workbook: .* CSV UTF-8"):
            recognise(place)


def _zip(path: Path) -> Path:
    """Make an archive that is not compressed.

    A search for captions in its bytes would find some.
    """
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("captions.token", TOKEN)
    return path


def _tar(path: Path) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        archive.add(put(path.parent / "below" / "captions.token", TOKEN), "captions.token")
    (path.parent / "below" / "captions.token").unlink()
    return path


@pytest.mark.parametrize("pack", [_zip, _tar])
@pytest.mark.parametrize("format", ["", "flickr30k-token"])
def test_an_archive_is_no_text_however_it_is_named(
    tmp_path: Path, pack: Callable[[Path], Path], format: str
) -> None:
    path = pack(tmp_path / "captions.token")
    for place in (path, tmp_path):
        with pytest.raises(
            NotRecognised, match=r"captions.token is an archive .* unpack it, or upload a ZIP"
        ):
            recognise(place, format)


def test_archives_beside_the_captions_are_no_captions(tmp_path: Path) -> None:
    file = put(tmp_path / "captions.token", TOKEN)
    _zip(tmp_path / "corpus.zip")
    _tar(tmp_path / "corpus.tgz")
    assert recognise(tmp_path).path == file
    put(tmp_path / "gold.jsonl", JSONL)
    with pytest.raises(
        NotRecognised, match=r"captions \(captions.token like flickr30k-token, gold.jsonl like jsonl\)"
    ):
        recognise(tmp_path)


@pytest.mark.parametrize("content", [TOKEN.encode("utf-16-le"), b"\xff\xfe\0\xd8A\0", b"\x89PNG\r\n\x1a\n\0"])
def test_what_is_no_utf8_text_is_called_that(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "captions.token"
    file.write_bytes(content)
    for place in (file, tmp_path):
        with pytest.raises(NotRecognised, match=r"^captions.token is not UTF-8 text"):
            recognise(place)
    put(tmp_path / "notes.txt", "é" * 4095)
    with pytest.raises(
        NotRecognised,
        match=r"no file .* \(captions.token is not UTF-8 text: if it is text, save it as UTF-8\);",
    ):
        recognise(tmp_path)


def test_a_character_that_the_look_cuts_in_two_is_text(tmp_path: Path) -> None:
    with pytest.raises(NotRecognised, match="looks like none of the formats"):
        recognise(put(tmp_path / "notes.txt", "x" + "é" * 4095))


def parts(folder: Path, *names: str, text: str = '{"file_name": "a.jpg", "text": "A man ."}\n') -> Corpus:
    for name in names:
        put(folder / name, text)
    return recognise(folder)


@pytest.mark.parametrize(
    "names",
    [
        ("train/metadata.jsonl", "validation/metadata.jsonl"),
        ("flickr30k_test.json", "flickr30k_train.json", "flickr30k_val.json"),
        ("captions_train2014.json", "captions_val2014.json"),
        ("data/train-00000-of-00002.jsonl", "data/train-00001-of-00002.jsonl"),
    ],
)
def test_files_whose_names_differ_in_their_splits_are_one_corpus(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    put(tmp_path / "README.md", "# A set of images with captions\n")
    corpus = parts(tmp_path, *names)
    assert (corpus.format, corpus.path) == ("json-captions", tmp_path)
    assert corpus.files == tuple(tmp_path / name for name in names)
    assert count_images(corpus) is None


@pytest.mark.parametrize(
    "names", [("a.jsonl", "b.jsonl"), ("train.jsonl", "train_2.jsonl"), ("train.jsonl", "x.jsonl")]
)
def test_other_files_are_several_corpora(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(NotRecognised, match="several files look like captions"):
        parts(tmp_path, *names)


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("train/metadata.jsonl", "train"),
        ("data/validation-00000-of-00001.parquet", "val"),
        ("flickr30k_test.json", "test"),
        ("captions_val2014.json", "val"),
        ("dev.tsv", "val"),
        ("trained.json", ""),
        ("latest.json", ""),
    ],
)
def test_the_name_of_a_file_may_have_a_split(name: str, split: str) -> None:
    assert split_in(name) == split


def test_the_files_of_a_corpus_are_counted_together(tmp_path: Path) -> None:
    assert count_images(parts(tmp_path, "train.token", "test.token", text=TOKEN)) == 4


def test_the_first_lines_may_be_bad(tmp_path: Path) -> None:
    assert recognise(put(tmp_path / "captions", "nonsense\n" * 5 + TOKEN)).format == "flickr30k-token"


def test_the_folder_above_all_pictures_is_told(tmp_path: Path) -> None:
    put(tmp_path / "set" / "captions.token", TOKEN)
    for name in ("train/a.jpg", "train/b.jpg", "val/c.jpg"):
        put(tmp_path / "set" / name)
    corpus = recognise(tmp_path)
    assert (corpus.pictures, corpus.above) == (tmp_path / "set" / "train", tmp_path / "set")


def test_what_lies_beside_arrow_data_hides_it_not(tmp_path: Path) -> None:
    put(tmp_path / "dataset_info.json", '{"description": ""}')
    put(tmp_path / "readme.md", "some words about it\n")
    (tmp_path / "data.arrow").write_bytes(b"\xff\xff\xff\xff\x78\0\0\0")
    with pytest.raises(NotRecognised, match=r"\(data.arrow has Arrow data: .* to_parquet"):
        recognise(tmp_path)


def test_files_of_macos_are_passed_over(tmp_path: Path) -> None:
    for name in (
        "__MACOSX/Sentences/a.txt",
        "__MACOSX/images/._a.jpg",
        "._captions.token",
        "other/._1.jpg",
        "other/._2.jpg",
    ):
        put(tmp_path / name)
    put(tmp_path / "captions.token", TOKEN)
    put(tmp_path / "images" / "a.jpg")
    found = recognise(tmp_path)
    assert (found.path, found.pictures) == (tmp_path / "captions.token", tmp_path / "images")


@pytest.mark.parametrize("hidden", ["Sentences/._a.txt", "Annotations/._a.xml"])
def test_files_of_macos_are_no_sentences(tmp_path: Path, hidden: str) -> None:
    put(tmp_path / hidden, "\0\5\x16\7")
    put(tmp_path / "Sentences" / "a.txt", "[/EN#1/people A man] sits .\n")
    corpus = recognise(tmp_path)
    (image,) = read_corpus(corpus)
    assert isinstance(image, ImageRecord) and (image.name, count_images(corpus)) == ("a.jpg", 1)


def test_files_of_macos_are_no_part_of_aligned_texts(tmp_path: Path) -> None:
    put(tmp_path / "train.en", "A man .\n")
    put(tmp_path / "train_images.txt", "a.jpg\n")
    put(tmp_path / "._train.en", "\0\5\x16\7")
    put(tmp_path / "__MACOSX" / "._train_images.txt", "\0\5\x16\7")
    (image,) = read_corpus(recognise(tmp_path, "aligned-text"))
    assert isinstance(image, ImageRecord) and image.name == "a.jpg"
