from __future__ import annotations

import codecs
import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.captions.coco_captions import read

IMAGES = [
    {"id": 9, "file_name": "b.jpg", "width": 640, "height": 480, "license": {"id": [3]}},
    {"id": "9", "file_name": "a.jpg"},
]
CAPTIONS = [
    {"id": 1, "image_id": "9", "caption": "A dog ."},
    {"id": 2, "image_id": 9, "caption": "A man.\n"},
    {"id": 3, "image_id": "9", "caption": "A brown dog ."},
]
EXPECTED = [
    ImageRecord("b.jpg", (CaptionRecord(0, "A man.\n"),), 640, 480),
    ImageRecord("a.jpg", (CaptionRecord(0, "A dog ."), CaptionRecord(1, "A brown dog ."))),
]


def written(folder: Path, content: object) -> Path:
    path = folder / "captions.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_captions_join_their_images_whichever_list_comes_first(tmp_path: Path) -> None:
    images, annotations = {"images": IMAGES}, {"annotations": CAPTIONS}
    assert list(read(written(tmp_path, {"info": {}, **images, **annotations}))) == EXPECTED
    assert list(read(written(tmp_path, {**annotations, "licenses": [1], **images}))) == EXPECTED


def test_chunks_that_a_parser_marked_are_the_mentions(tmp_path: Path) -> None:
    """docs/protocol.md, mentions, rule 4: as in the other formats of captions."""
    texts = ["[NP A man ] [VP runs ] .", "[NP A man sleeps .", "A dog [ sic ] ."]
    captions = [{"image_id": 9, "caption": text} for text in texts]
    found = list(read(written(tmp_path, {"images": IMAGES[:1], "annotations": captions})))
    (problem,) = [one for one in found if isinstance(one, Problem)]
    assert problem.message.startswith("caption 1 of b.jpg: the chunk '[NP A man sleeps .' has no end")
    assert problem.hint == "this caption was left out"
    (record,) = [one for one in found if isinstance(one, ImageRecord)]
    assert [(one.index, one.text) for one in record.captions] == [(0, "A man runs ."), (2, texts[2])]
    assert [(one.start, one.end) for one in record.captions[0].mentions or ()] == [(0, 2)]


@pytest.mark.parametrize("text", ["nan", None, 3, ""])
def test_captions_after_a_refused_one_keep_their_numbers(tmp_path: Path, text: object) -> None:
    bad = [{"image_id": 9, "caption": text}, {"image_id": 9, "caption": "A cat."}]
    found = list(read(written(tmp_path, {"images": IMAGES, "annotations": [*CAPTIONS, *bad]})))
    (problem,) = [one for one in found if isinstance(one, Problem)]
    assert "annotations[3]" in str(problem)
    assert replace(EXPECTED[0], captions=(*EXPECTED[0].captions, CaptionRecord(2, "A cat."))) in found


@pytest.mark.parametrize(
    ("image", "message"),
    [
        ({"file_name": "c.jpg"}, "images[1].id: is missing"),
        ({"id": 1.5, "file_name": "c.jpg"}, "images[1].id: is missing, or is not a number or text"),
        ({"id": {"x": 4}, "file_name": "c.jpg"}, "images[1].id: is missing"),
        ({"id": 4}, "images[1].file_name: is missing"),
        ({"id": 4, "file_name": {"x": "c.jpg"}}, "images[1].file_name: is missing"),
        ({"id": 4, "file_name": "../c.jpg"}, "images[1].file_name: '../c.jpg' is not a plain file name"),
        ({"id": 4, "file_name": "c.jpg", "width": -1}, "images[1].width: is -1, not from"),
        ({"id": 4, "file_name": "c.jpg", "width": 0}, "images[1].width: is 0, not from 1"),
        ({"id": 9, "file_name": "c.jpg"}, "images[1]: id 9 or file_name 'c.jpg' is given twice"),
        ({"id": 4, "file_name": "b.jpg"}, "images[1]: id 4 or file_name 'b.jpg' is given twice"),
        (7, "images[1].id: is missing"),
        ([7], "images[1].id: is missing"),
    ],
)
def test_a_bad_image_is_reported_with_its_place(tmp_path: Path, image: Any, message: str) -> None:
    content = {"images": [IMAGES[0], image, IMAGES[1]], "annotations": CAPTIONS}
    problem, *found = read(written(tmp_path, content))
    assert isinstance(problem, Problem)
    assert message in problem.message
    assert found == EXPECTED


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        ({"caption": "A dog ."}, "annotations[3].image_id: is missing"),
        ({"image_id": 9}, "annotations[3].caption: is missing"),
        ({"image_id": 9, "caption": ["A"]}, "annotations[3].caption: is missing, or is not a text"),
        ({"image_id": 9, "caption": " "}, "annotations[3]: the caption is empty"),
        ({"image_id": 9, "caption": "a \0"}, "annotations[3]: the caption has a character"),
        ({"image_id": 10, "caption": "A dog ."}, "annotations[3]: there is no image with id 10"),
    ],
)
def test_a_bad_caption_is_reported_with_its_place(tmp_path: Path, annotation: Any, message: str) -> None:
    problem, *found = read(written(tmp_path, {"annotations": [*CAPTIONS, annotation], "images": IMAGES}))
    assert isinstance(problem, Problem)
    assert message in problem.message
    assert found == EXPECTED


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_gzip_and_a_byte_order_mark_are_understood(
    tmp_path: Path, pack: Callable[[bytes], bytes], mark: bytes
) -> None:
    path = tmp_path / "captions.json"
    path.write_bytes(pack(mark + json.dumps({"images": IMAGES, "annotations": CAPTIONS}).encode()))
    assert list(read(path)) == EXPECTED


def test_a_damaged_gzip_file_is_reported_after_what_it_held(tmp_path: Path) -> None:
    path = tmp_path / "captions.json"
    path.write_bytes(gzip.compress(json.dumps({"images": IMAGES, "annotations": CAPTIONS}).encode())[:-9])
    problem = next(iter(read(path)))
    assert isinstance(problem, Problem)
    assert "the gzip file is damaged" in problem.message and problem.whole


def test_a_truncated_file_is_reported_and_read_up_to_there(tmp_path: Path) -> None:
    whole = json.dumps({"images": IMAGES, "annotations": CAPTIONS})
    problem, *found = read(written(tmp_path, whole[:-20]))
    assert isinstance(problem, Problem)
    assert "the JSON is damaged" in problem.message and problem.whole
    assert found == [EXPECTED[0], ImageRecord("a.jpg", EXPECTED[1].captions[:1])]


@pytest.mark.parametrize("content", ["[]", "{}", '{"images": {"a": {"id": 1}}}'])
def test_a_file_without_images_is_a_problem(tmp_path: Path, content: str) -> None:
    messages = [str(entry) for entry in read(written(tmp_path, content))]
    assert "it has no images" in messages[-1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (bytes(range(250, 100, -1)), "lexical error: invalid char in json text."),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "lexical error: invalid char in json text."),
        (b'{"images": [{"id": "\xff"}]}', "lexical error: invalid bytes in UTF8 string."),
        (b"", "parse error: premature EOF"),
    ],
)
def test_what_is_no_json_is_named_without_its_bytes(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "captions.json"
    path.write_bytes(content)
    problem = next(iter(read(path)))
    assert str(problem) == f"{path}: the JSON is damaged: {message} (what came before was read)"


@pytest.mark.parametrize("deep", ["[" * 100_000, '{"a":' * 100_000, '{"images": [{"id": ' + "[" * 100_000])
def test_deep_nesting_is_refused_at_once(tmp_path: Path, deep: str) -> None:
    assert "the JSON is damaged: nested deeper than 32" in str(next(iter(read(written(tmp_path, deep)))))


def test_a_number_of_many_digits_is_reported(tmp_path: Path) -> None:
    content = '{"images": [{"id": ' + "9" * 10_000 + ', "file_name": "a.jpg"}]}'
    assert isinstance(next(iter(read(written(tmp_path, content)))), Problem)


def test_an_image_with_too_many_captions_is_reported(tmp_path: Path) -> None:
    many = [{"image_id": 9, "caption": f"caption {n}"} for n in range(1001)]
    problem, image = read(written(tmp_path, {"images": IMAGES[:1], "annotations": many}))
    assert "b.jpg has more than 1000 captions" in str(problem)
    assert isinstance(image, ImageRecord)
    assert len(image.captions) == 1000


def test_a_missing_file_is_a_problem(tmp_path: Path) -> None:
    assert "cannot be read: No such file" in str(next(iter(read(tmp_path / "no.json"))))
