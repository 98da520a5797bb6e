from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson
import pytest
from hypothesis import given

from annotation.domain.records import CaptionRecord, ChainRecord, ImageRecord, MentionRecord, Problem
from annotation.formats.datasets.jsonl import FILE, JsonlWriter, read, to_json
from evaluation.readers.jsonl import MAX_RECORD
from tests.annotation.formats.records import IMAGE, images, plain


def write(out: Path, records: Iterable[ImageRecord]) -> Path:
    with JsonlWriter(out) as writer:
        for record in records:
            writer.add(record)
    return out / FILE


def read_line(folder: Path, line: bytes) -> list[ImageRecord | Problem]:
    path = folder / "lines.jsonl"
    path.write_bytes(line + b'\n{"name": "b.jpg", "captions": []}\n')
    return list(read(path))


@given(images())
def test_everything_that_is_written_is_read_back(record: ImageRecord) -> None:
    with TemporaryDirectory() as folder:
        assert list(read(write(Path(folder), [record, IMAGE]))) == [plain(record), plain(IMAGE)]


def test_a_line_says_what_the_schema_says(tmp_path: Path) -> None:
    path = write(tmp_path, [IMAGE])
    assert orjson.loads(path.read_bytes()) == {
        "name": "a.jpg",
        "width": 100,
        "height": 80,
        "split": "train",
        "captions": [
            {
                "index": 0,
                "text": "Two guys in shirts and air .",
                "tokens": ["Two", "guys", "in", "shirts", "and", "air", "."],
                "mentions": [
                    {"start": 0, "end": 2, "types": ["people"], "chain": 1},
                    {"start": 3, "end": 4, "types": ["clothing", "other"], "chain": 2},
                    {"start": 5, "end": 6, "types": ["notvisual"], "chain": 0},
                ],
            },
            {
                "index": 1,
                "text": "Outside",
                "tokens": ["Outside"],
                "mentions": [{"start": 0, "end": 1, "types": ["scene"], "chain": 3}],
            },
        ],
        "chains": [
            {"id": 1, "types": ["people"], "mentions": [[0, 0, 2]], "boxes": [0, 1]},
            {"id": 2, "types": ["clothing", "other"], "mentions": [[0, 3, 4]], "boxes": [1]},
            {"id": 3, "types": ["scene"], "mentions": [[1, 0, 1]], "scene": True},
        ],
        "boxes": [
            {"box": [0, 0, 50, 80]},
            {"box": [10, 20, 100, 80]},
        ],
    }


def test_provenance_is_read_though_it_is_not_written(tmp_path: Path) -> None:
    line = to_json(IMAGE)
    assert b"judgments" not in orjson.dumps(line) and b"merged_from" not in orjson.dumps(line)
    for entry, chain in zip(line["chains"], IMAGE.chains, strict=True):
        entry["judgments"] = chain.judgments
    for entry, box in zip(line["boxes"], IMAGE.boxes, strict=True):
        entry["judgments"] = box.judgments
        entry["merged_from"] = [raw.edges for raw in box.merged_from]
    image, _ = read_line(tmp_path, orjson.dumps(line))
    assert image == IMAGE


def test_a_caption_alone_is_enough(tmp_path: Path) -> None:
    image, _ = read_line(tmp_path, b'{"name": "a.jpg", "captions": [{"index": 0, "text": "A dog."}]}')
    assert image == ImageRecord("a.jpg", (CaptionRecord(0, "A dog."),))


def test_chains_may_be_given_by_the_mentions_alone(tmp_path: Path) -> None:
    line = to_json(IMAGE)
    del line["chains"], line["boxes"]
    image, _ = read_line(tmp_path, orjson.dumps(line))
    assert isinstance(image, ImageRecord)
    assert [(chain.id, chain.types, chain.mentions) for chain in image.chains] == [
        (1, ("people",), ((0, 0, 2),)),
        (2, ("clothing", "other"), ((0, 3, 4),)),
        (3, ("scene",), ((1, 0, 1),)),
    ]


def test_chains_may_be_given_by_the_chains_alone(tmp_path: Path) -> None:
    caption = CaptionRecord(0, "a dog", ("a", "dog"), (MentionRecord(0, 2, ()),))
    record = ImageRecord("a.jpg", (caption,), chains=(ChainRecord(5, ("animals",), ((0, 0, 2),)),))
    assert list(read(write(tmp_path, [record]))) == [record]


def changed(**fields: Any) -> dict[str, Any]:
    return {**to_json(IMAGE), **fields}


def caption(**fields: Any) -> dict[str, Any]:
    return {"name": "a.jpg", "captions": [{"index": 0, "text": "a dog", "tokens": ["a", "dog"], **fields}]}


def mentions(*given: dict[str, Any]) -> dict[str, Any]:
    return caption(mentions=list(given))


def chain(**fields: Any) -> dict[str, Any]:
    chains = to_json(IMAGE)["chains"]
    return changed(chains=[{**chains[0], **fields}, *chains[1:]])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ([1], "is not an object"),
        ({"captions": []}, "name: is missing"),
        ({"name": 5, "captions": []}, "name: is not a text"),
        ({"name": "a/b.jpg", "captions": []}, "name: 'a/b.jpg' is not a plain file name"),
        ({"name": "a.jpg"}, "captions: is missing"),
        (changed(tags=[]), "tags: is not known here"),
        (changed(width=0), "width: is 0, not from 1 to 100000"),
        (changed(width=True), "width: is not a whole number"),
        (changed(width=1e30), "width: is not a whole number"),
        (changed(split="dev"), "split: 'dev' is none of train, val, test"),
        (changed(captions={}), "captions: is not a list"),
        (changed(captions=[{}] * 1001), "captions: has more than 1,000 entries"),
        (caption(text=" "), "captions[0].text: the caption is empty"),
        (caption(index=-1), "captions[0].index: is -1, not from 0 to 999"),
        (caption(tokens=["a", "cat"]), "captions[0].tokens: token 2 is 'cat'"),
        (caption(tokens=["a", 1]), "captions[0].tokens[1]: is not a text"),
        (caption(tokens=[], mentions=[]), "captions[0].tokens: is missing, and mentions count tokens"),
        (
            {"name": "a.jpg", "captions": caption()["captions"] * 2},
            "captions: two captions have the same index",
        ),
        (mentions({"start": 0, "end": 3, "types": []}), "captions[0].mentions[0].end: is 3, not from 1 to 2"),
        (mentions({"start": 1, "end": 1, "types": []}), "captions[0].mentions[0].end: is 1, not from 2 to 2"),
        (
            mentions({"start": 0, "end": 1, "types": ["Dog"]}),
            "captions[0].mentions[0].types: 'Dog' is no type; the types are people, ",
        ),
        (mentions({"start": 0, "end": 1, "types": ["scene"] * 2}), "types: names a type twice"),
        (
            mentions({"start": 0, "end": 1, "types": ["notvisual"], "chain": 4}),
            "types: notvisual stands alone",
        ),
        (
            mentions({"start": 0, "end": 2}, {"start": 1, "end": 2}),
            "captions[0].mentions: the mentions at 0 and 1",
        ),
        (mentions({"start": 0, "end": 1, "chain": -1}), "captions[0].mentions[0].chain: is -1, not from 0"),
        (changed(boxes=[{}]), "boxes[0].box: is missing"),
        (changed(boxes=[{"box": [1, 2, 3]}]), "boxes[0].box: is not four numbers [left, top, right, bottom]"),
        (changed(boxes=[{"box": [5, 0, 5, 9]}]), "boxes[0].box: is empty"),
        (changed(boxes=[{"box": [5, 0, 101, 9]}]), "boxes[0].box: reaches outside the image of 100 x 80"),
        (
            changed(boxes=[{"box": [5, 0, 9, 9], "merged_from": [[0, 0, 0, 0]]}]),
            "boxes[0].merged_from[0]: is empty",
        ),
        (chain(id=0), "chains[0].id: is 0, not from 1"),
        (chain(id=2), "chains[1].id: 2 is given twice"),
        (chain(boxes=[2]), "chains[0].boxes[0]: is 2, not from 0 to 1"),
        (chain(judgments=["x"]), "chains[0].judgments[0]: is not a whole number"),
        (chain(scene=1), "chains[0].scene: is not true or false"),
        (chain(mentions=[[0, 0]]), "chains[0].mentions[0]: is not [caption, start, end]"),
        (chain(mentions=[[0, 1, 2]]), "chains[0].mentions: [0, 1, 2] is no mention of a caption"),
        (chain(mentions=[[1, 0, 1]]), "chains[0].mentions: [1, 0, 1] is in another chain, too"),
        (chain(mentions=[]), "chains: mention [0, 0, 2] names chain 1, which does not list it"),
    ],
)
def test_a_wrong_field_is_named_and_the_rest_goes_on(tmp_path: Path, line: object, message: str) -> None:
    problem, image = read_line(tmp_path, orjson.dumps(line))
    assert isinstance(problem, Problem)
    assert problem.line == 1
    assert message in problem.message
    assert isinstance(image, ImageRecord)
    assert image.name == "b.jpg"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "not JSON"),
        (b'{"name": "\xff"}', "not JSON"),
        (b'{"name": "\\ud800"}', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"name": "' + b"a" * MAX_RECORD + b'"}', "the line is longer than 4,194,304 bytes"),
    ],
)
def test_a_line_that_is_no_json_is_reported(tmp_path: Path, line: bytes, message: str) -> None:
    problem, image = read_line(tmp_path, line)
    assert isinstance(problem, Problem)
    assert message in problem.message
    assert isinstance(image, ImageRecord)


def test_a_name_that_is_none_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not a plain file name"):
        write(tmp_path, [replace(IMAGE, name="a/b.jpg")])
