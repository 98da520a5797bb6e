"""Files of captions alone are data sets, too."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import orjson
import pytest

from evaluation.dataset import Image
from evaluation.errors import InputError
from evaluation.readers.recognition import read_dataset
from tests.evaluation.small_set import error_of

COCO: dict[str, object] = {
    "info": {},
    "images": [{"id": 7, "file_name": "b.jpg", "width": 4, "height": 3}, {"id": 1, "file_name": "a.jpg"}],
    "annotations": [
        {"id": 1, "image_id": 7, "caption": "A dog ."},
        {"id": 2, "image_id": 1, "caption": "Two  cats"},
        {"id": 3, "image_id": 7, "caption": "The dog runs"},
    ],
}


def test_a_token_file_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "captions.txt"
    path.write_text("b.jpg#1\tThe dog runs\nb.jpg#0\tA dog .\n\na b#c.jpg#0\tTwo  cats\n")
    dataset = read_dataset(path)
    found = [(one.name, [(it.index, it.tokens) for it in one.captions]) for one in dataset.images]
    assert found == [
        ("a b#c.jpg", [(0, ("Two", "cats"))]),
        ("b.jpg", [(0, ("A", "dog", ".")), (1, ("The", "dog", "runs"))]),
    ]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("a.jpg\tA dog", "line 2: 'a.jpg' does not end in #k with k below 1000"),
        ("a.jpg#0 A dog", "line 2: there is no tab: expected image.jpg#k<TAB>caption"),
        ("a.jpg#1\tA dog", r"line 2: a\.jpg has a caption 1 already"),
        ("a.jpg#1000\tA dog", "line 2: 'a.jpg#1000' does not end in #k with k below 1000"),
    ],
)
def test_a_bad_line_of_a_token_file_is_named(line: str, wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "captions.txt"
    path.write_text(f"a.jpg#1\tA dog\n{line}\n")
    with pytest.raises(InputError, match=wrong):
        read_dataset(path)
    path.write_bytes(b"a.jpg#1\tA dog\na.jpg#2\t\xff\n")
    with pytest.raises(InputError, match="line 2: byte 9 of the line is not UTF-8"):
        read_dataset(path)


def test_captions_in_cocos_format_are_recognised(tmp_path: Path) -> None:
    path = tmp_path / "captions.json"
    path.write_bytes(orjson.dumps(COCO))
    dataset = read_dataset(path)
    assert [(one.name, one.width, one.height) for one in dataset.images] == [("a.jpg", 0, 0), ("b.jpg", 4, 3)]
    assert [one.tokens for one in dataset.images[1].captions] == [("A", "dog", "."), ("The", "dog", "runs")]


def test_the_fields_of_cocos_format_may_come_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "captions.json"
    expected = [one.name for one in _read(path, COCO)]
    categories = {"categories": [{"id": at, "name": "x"} for at in range(2_000)]}
    assert [one.name for one in _read(path, categories | COCO)] == expected
    assert [one.name for one in _read(path, dict(reversed(COCO.items())))] == expected
    assert [one.name for one in _read(path, {"version": 1} | COCO, indent=True)] == expected


def _read(path: Path, content: dict[str, object], *, indent: bool = False) -> tuple[Image, ...]:
    path.write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2 if indent else None))
    return read_dataset(path).images


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"images": None}, "images: is not a list"),
        (
            {"images": [{"id": 7, "file_name": ""}]},
            r"images\[0\]\.file_name: an image name has 1 to",
        ),
        ({"images": [{"id": 7, "file_name": "a"}] * 2}, r"images\[1\]\.id: 7 is another image, too"),
        ({"annotations": [{"image_id": 9, "caption": "A"}]}, r"annotations\[0\]\.image_id: 9 is no image"),
        ({"annotations": [{"image_id": 7, "bbox": []}]}, r"annotations\[0\]\.caption: is missing"),
    ],
)
def test_a_mistake_in_cocos_format_is_named(change: dict[str, object], wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "captions.json"
    path.write_bytes(orjson.dumps({**COCO, **change}))
    with pytest.raises(InputError, match=wrong):
        read_dataset(path)


def test_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "captions.json"
    path.write_bytes(orjson.dumps(COCO))
    monkeypatch.setattr("evaluation.readers.recognition.MAX_COCO", 10)
    assert "has more than 10 bytes" in error_of(lambda: read_dataset(path))
    monkeypatch.undo()
    monkeypatch.setattr("evaluation.readers.captions.MAX_CAPTIONS", 1)
    assert "b.jpg has more than 1 captions" in error_of(lambda: read_dataset(path))


# Files as they were published -------------------------------------------------------------------------------


TOKENS = "a.jpg#0\tA dog runs .\na.jpg#1\tThe dog .\nb.jpg#0\tA cat .\nc.jpg#0\tA man .\nd.jpg.1#0\tNo .\n"
FLICKR8K = {
    "Flickr8k.token.txt": TOKENS,
    "Flickr8k.lemma.token.txt": "a.jpg#0\tA dog run .\n",
    "Flickr_8k.trainImages.txt": "a.jpg\n",
    "Flickr_8k.devImages.txt": "b.jpg\r\n",
    "Flickr_8k.testImages.txt": "c.jpg",
    "readme.txt": "If you use this corpus",
    "CrowdFlowerAnnotations.txt": "a.jpg\tb.jpg#0\t0\t0\t3\n",
}


def flickr8k(folder: Path, **others: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, content in FLICKR8K.items():
        (folder / name).write_text(content)
    for name, content in others.items():
        (folder / name.replace("_", ".")).write_text(content)
    return folder


def test_the_folder_of_flickr8ks_texts_has_captions_and_splits(tmp_path: Path) -> None:
    folder = flickr8k(tmp_path / "Flickr8k_text")
    with ZipFile(tmp_path / "Flickr8k_text.zip", "w") as archive:
        for name in FLICKR8K:
            archive.write(folder / name, name)
        archive.writestr("__MACOSX/._Flickr8k.token.txt", b"\0\5")
    for path in (folder, tmp_path / "Flickr8k_text.zip"):
        dataset = read_dataset(path)
        assert [(one.name, one.split, len(one.captions)) for one in dataset.images] == [
            ("a.jpg", "train", 2),
            ("b.jpg", "val", 1),
            ("c.jpg", "test", 1),
            ("d.jpg.1", "", 1),
        ]
        assert read_dataset(path, split="val").images[0].captions[0].tokens == ("A", "cat", ".")


def test_lists_of_splits_may_have_names_without_suffixes(tmp_path: Path) -> None:
    (tmp_path / "results_20130124.token").write_text("a.jpg#0\tA dog .\nb.jpg#0\tA cat .\n")
    (tmp_path / "train.txt").write_text("b\n")
    (tmp_path / "test.txt").write_text("a\n")
    assert [one.split for one in read_dataset(tmp_path).images] == ["test", "train"]


@pytest.mark.parametrize(
    ("others", "wrong"),
    [
        ({"train_txt": "b.jpg"}, "two lists of the split train: Flickr_8k.trainImages.txt and train.txt"),
        ({"other_token": "a.jpg#0\tA dog ."}, "several token files: Flickr8k.token.txt, other.token"),
    ],
)
def test_what_a_folder_has_twice_is_named(others: dict[str, str], wrong: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=wrong):
        read_dataset(flickr8k(tmp_path / "set", **others))


def test_an_image_in_two_lists_is_named_with_its_line(tmp_path: Path) -> None:
    folder = flickr8k(tmp_path / "set")
    (folder / "Flickr_8k.trainImages.txt").write_text("a.jpg\nb.jpg\n")
    with pytest.raises(InputError, match=r"trainImages.txt, line 2: b\.jpg is in .*devImages\.txt, too"):
        read_dataset(folder)
    (folder / "Flickr_8k.trainImages.txt").write_bytes(b"a.jpg\n\xff.jpg\n")
    with pytest.raises(InputError, match=r"trainImages\.txt, line 2: byte 1 of the line is not UTF-8"):
        read_dataset(folder)


def karpathy(**changed: object) -> dict[str, object]:
    sentence = {"tokens": ["a", "dog"], "raw": "A dog .", "imgid": 0, "sentid": 0}
    image = {"sentids": [0], "imgid": 0, "sentences": [sentence], "split": "train", "filename": "a.jpg"}
    words = [{"tokens": ["two", "cats"]}]
    rest = {"split": "restval", "filename": "b.jpg", "filepath": "val2014", "sentences": words}
    return {"images": [rest, {**image, **changed}], "dataset": "flickr8k"}


def test_karpathys_json_has_captions_and_splits(tmp_path: Path) -> None:
    path = tmp_path / "dataset_flickr8k.json"
    for content in (karpathy(), {"dataset": "flickr8k", **karpathy()}):
        path.write_bytes(orjson.dumps(content))
        first, second = read_dataset(path, split="train").images
        assert (first.name, first.captions[0].tokens) == ("a.jpg", ("A", "dog", "."))
        assert (second.name, second.captions[0].tokens) == ("b.jpg", ("two", "cats"))


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({"split": "dev2"}, r"images\[1\]\.split: 'dev2' is none of train, val, test and restval"),
        ({"filename": ""}, r"images\[1\]\.filename: an image name has"),
        ({"filename": 3}, r"images\[1\]\.filename: is not a text"),
        ({"sentences": {}}, r"images\[1\]\.sentences: is not a list"),
        ({"sentences": [{"raw": 3}]}, r"images\[1\]\.sentences\[0\]\.raw: is not a text"),
        ({"sentences": [{"tokens": [1]}]}, r"images\[1\]\.sentences\[0\]\.tokens\[0\]: is not a text"),
        ({"filename": "b.jpg"}, "two images have the name b.jpg"),
    ],
)
def test_a_mistake_in_karpathys_json_is_named(changed: dict[str, object], wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "dataset_flickr8k.json"
    path.write_bytes(orjson.dumps(karpathy(**changed)))
    with pytest.raises(InputError, match=wrong):
        read_dataset(path)
