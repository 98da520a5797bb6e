"""Lines for trainers of vision-language models, each read back as the model's own programs read it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotation.domain.geometry import Box
from annotation.domain.records import BoxRecord, CaptionRecord, ChainRecord, ImageRecord, MentionRecord
from annotation.formats.datasets.chat import DIALECTS, EMPTY, NOT_TAKEN, SHRUNK, SIGNS, ChatWriter
from annotation.formats.datasets.chat_texts import DESCRIBE, TASK
from annotation.formats.registry import WRITERS
from tests.annotation.formats.records import IMAGE

TAGGED = "<image>\nDescribe the image, and say where each thing is."
LOCATED = (
    "<image>Where in the image is what these phrases of the caption name? Answer with a list in JSON.\n"
    'Caption: Two guys in shirts and air .\nPhrases: ["Two guys", "shirts"]'
)


def lines(out: Path, name: str, *records: ImageRecord) -> tuple[dict[str, list[Any]], ChatWriter]:
    """Return the lines of each split, and the writer, which has counted."""
    with ChatWriter(out, DIALECTS[name]) as writer:
        for record in records:
            writer.add(record)
    found = {
        path.stem: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in sorted(out.glob("*.jsonl"))
    }
    return found, writer


def turns(asked: str, answer: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": asked}, {"role": "assistant", "content": answer}]


# The image has 100 x 80 pixels. Two guys: [0, 0, 50, 80] and [10, 20, 100, 80]; shirts: the second box.
GOLDEN: dict[str, dict[str, Any]] = {
    "ms-swift": {
        "messages": turns(DESCRIBE, "<ref-object><bbox><bbox> in <ref-object><bbox> and air ."),
        "images": ["images/a.jpg"],
        "objects": {
            "ref": ["Two guys", "shirts"],
            "bbox": [[0, 0, 50, 80], [10, 20, 100, 80], [10, 20, 100, 80]],
        },
    },
    "qwen2-vl": {
        "messages": turns(
            DESCRIBE,
            "<|object_ref_start|>Two guys<|object_ref_end|><|box_start|>(0,0),(500,1000)<|box_end|>"
            "<|box_start|>(100,250),(1000,1000)<|box_end|> in <|object_ref_start|>shirts<|object_ref_end|>"
            "<|box_start|>(100,250),(1000,1000)<|box_end|> and air .",
        ),
        "images": ["images/a.jpg"],
    },
    # 100 x 80 pixels become 112 x 84, and no edge is beyond 111 or 83.
    "qwen2.5-vl": {
        "messages": turns(
            LOCATED,
            '```json\n[\n\t{"bbox_2d": [0, 0, 56, 83], "label": "Two guys"},\n'
            '\t{"bbox_2d": [11, 21, 111, 83], "label": "Two guys"},\n'
            '\t{"bbox_2d": [11, 21, 111, 83], "label": "shirts"}\n]\n```',
        ),
        "images": ["images/a.jpg"],
    },
    "qwen3-vl": {
        "messages": turns(
            LOCATED,
            '```json\n[\n\t{"bbox_2d": [0, 0, 500, 1000], "label": "Two guys"},\n'
            '\t{"bbox_2d": [100, 250, 1000, 1000], "label": "Two guys"},\n'
            '\t{"bbox_2d": [100, 250, 1000, 1000], "label": "shirts"}\n]\n```',
        ),
        "images": ["images/a.jpg"],
    },
    "internvl": {
        "image": "images/a.jpg",
        "width": 100,
        "height": 80,
        "conversations": [
            {"from": "human", "value": TAGGED},
            {
                "from": "gpt",
                "value": "<ref>Two guys</ref><box>[[0, 0, 500, 1000], [100, 250, 1000, 1000]]</box> in "
                "<ref>shirts</ref><box>[[100, 250, 1000, 1000]]</box> and air .",
            },
        ],
    },
    "florence-2": {
        "image": "images/a.jpg",
        "prefix": "<CAPTION_TO_PHRASE_GROUNDING>Two guys in shirts and air .",
        "suffix": "Two guys<loc_0><loc_0><loc_500><loc_999><loc_100><loc_250><loc_999><loc_999>"
        "shirts<loc_100><loc_250><loc_999><loc_999>",
    },
    "paligemma": {
        "image": "images/a.jpg",
        "prefix": "detect Two guys ; shirts",
        "suffix": "<loc0000><loc0000><loc1023><loc0512> Two guys ; <loc0256><loc0102><loc1023><loc1023> "
        "Two guys ; <loc0256><loc0102><loc1023><loc1023> shirts",
    },
    # 32 patches a side: x 10 is in the fourth (3), y 20 in the ninth (8), x 100 and y 80 end the last.
    "kosmos-2": {
        "image": "images/a.jpg",
        "text": "<grounding><phrase> Two guys</phrase><object><patch_index_0000><patch_index_1007>"
        "</delimiter_of_multi_objects/><patch_index_0259><patch_index_1023></object> in<phrase> shirts"
        "</phrase><object><patch_index_0259><patch_index_1023></object> and air .",
    },
    "grit": {
        "image": "images/a.jpg",
        "caption": "Two guys in shirts and air .",
        "width": 100,
        "height": 80,
        "noun_chunks": [
            [0, 8, 0.0, 0.0, 0.5, 1.0, 1.0],
            [0, 8, 0.1, 0.25, 1.0, 1.0, 1.0],
            [12, 18, 0.1, 0.25, 1.0, 1.0, 1.0],
        ],
        "ref_exps": [
            [0, 8, 0.0, 0.0, 0.5, 1.0, 1.0],
            [0, 8, 0.1, 0.25, 1.0, 1.0, 1.0],
            [12, 18, 0.1, 0.25, 1.0, 1.0, 1.0],
        ],
    },
}


@pytest.mark.parametrize("name", DIALECTS)
def test_a_line_is_a_caption_with_its_boxes(name: str, tmp_path: Path) -> None:
    found, writer = lines(tmp_path, name, IMAGE, replace(IMAGE, name="b.jpg", split="test"))
    assert found["train"] == [GOLDEN[name]] and found["val"] == [] and len(found["test"]) == 1
    assert {part: n for part, n in writer.not_held.items() if n} == {
        "captions without boxes": 2,
        "phrases without boxes": 2,
        "phrases that are not visual": 2,
        "chains that are a scene": 2,
    }


Read = tuple[str, list[tuple[float, float, float, float]]]
"""A phrase, and its boxes in pixels."""


def _pairs(name: str, line: dict[str, Any], width: int, height: int) -> list[Read]:
    """Return the phrases and boxes of a line, as the model's programs turn its numbers into pixels."""
    return list(READERS[name](line, width, height))


def _answer(line: dict[str, Any]) -> str:
    answer: str = line["messages"][1]["content"]
    return answer


def _swift(line: dict[str, Any], width: int, height: int) -> Iterator[Read]:
    refs, boxes = iter(line["objects"]["ref"]), iter(line["objects"]["bbox"])
    for run in re.findall("<ref-object>((?:<bbox>)+)", _answer(line)):
        yield next(refs), [tuple(next(boxes)) for _ in range(run.count("<bbox>"))]
    assert not list(refs) and not list(boxes)


def _tokens(line: dict[str, Any], width: int, height: int) -> Iterator[Read]:
    pattern = r"<\|object_ref_start\|>(.*?)<\|object_ref_end\|>((?:<\|box_start\|>.*?<\|box_end\|>)+)"
    for phrase, boxes in re.findall(pattern, _answer(line)):
        numbers = [int(number) for number in re.findall(r"\d+", boxes)]
        yield phrase, _fours(numbers, width / 1000, height / 1000)


def _json(scale: Callable[[int, int], tuple[float, float]]) -> Callable[..., Iterator[Read]]:
    def read(line: dict[str, Any], width: int, height: int) -> Iterator[Read]:
        across, down = scale(width, height)
        entries = json.loads(_answer(line).removeprefix("```json").removesuffix("```"))
        for entry in entries:
            yield entry["label"], _fours(entry["bbox_2d"], across, down)

    return read


def _internvl(line: dict[str, Any], width: int, height: int) -> Iterator[Read]:
    answer = line["conversations"][1]["value"]
    for phrase, boxes in re.findall(r"<ref>(.*?)</ref><box>(\[\[.*?\]\])</box>", answer):
        numbers = [number for four in json.loads(boxes) for number in four]
        yield phrase, _fours(numbers, width / 1000, height / 1000)


def _florence(line: dict[str, Any], width: int, height: int) -> Iterator[Read]:
    assert line["prefix"].startswith(TASK)
    for phrase, boxes in re.findall(r"([^<]+)((?:<loc_\d+>)+)", line["suffix"]):
        numbers = [int(number) + 0.5 for number in re.findall(r"\d+", boxes)]
        yield phrase, _fours(numbers, width / 1000, height / 1000)


def _paligemma(line: dict[str, Any], width: int, height: int) -> Iterator[Read]:
    for said in line["suffix"].split(" ; "):
        numbers = [int(number) for number in re.findall(r"<loc(\d{4})>", said[:36])]
        top, left, bottom, right = numbers
        yield said[37:], _fours([left, top, right, bottom], width / 1023, height / 1023)


def _kosmos(line: dict[str, Any], width: int, height: int) -> Iterator[Read]:
    for phrase, boxes in re.findall(r"<phrase> (.*?)</phrase><object>(.*?)</object>", line["text"]):
        found = []
        for first, last in re.findall(r"<patch_index_(\d{4})><patch_index_(\d{4})>", boxes):
            (top, left), (bottom, right) = divmod(int(first), 32), divmod(int(last), 32)
            found += _fours([left, top, right + 1, bottom + 1], width / 32, height / 32)
        yield phrase, found


def _grit(line: dict[str, Any], width: int, height: int) -> Iterator[Read]:
    assert line["ref_exps"] == line["noun_chunks"]
    for start, end, *edges, _ in line["noun_chunks"]:
        yield line["caption"][start:end], _fours(edges, width, height)


def _fours(numbers: list[Any], across: float, down: float) -> list[tuple[float, float, float, float]]:
    assert len(numbers) % 4 == 0
    rows = zip(*[iter(numbers)] * 4, strict=True)
    return [(a * across, b * down, c * across, d * down) for a, b, c, d in rows]


def _resized(width: int, height: int) -> tuple[float, float]:
    """Return the size of a pixel of the image that is resized to the nearest multiples of 28.

    This holds for images of the sizes that the test draws.
    """
    return width / (round(width / 28) * 28), height / (round(height / 28) * 28)


READERS: dict[str, Callable[..., Iterator[Read]]] = {
    "ms-swift": _swift,
    "qwen2-vl": _tokens,
    "qwen2.5-vl": _json(_resized),
    "qwen3-vl": _json(lambda width, height: (width / 1000, height / 1000)),
    "internvl": _internvl,
    "florence-2": _florence,
    "paligemma": _paligemma,
    "kosmos-2": _kosmos,
    "grit": _grit,
}
# How far an edge may be off after the round trip, as a share of the side; for Qwen2.5-VL in resized pixels.
OFF = {
    "ms-swift": 0,
    "qwen2-vl": 0.5 / 1000,
    "qwen3-vl": 0.5 / 1000,
    "internvl": 0.5 / 1000,
    "florence-2": 0.5 / 1000,
    "paligemma": 0.5 / 1023,
    "kosmos-2": 1 / 32,
    "grit": 0,
}


def allowed(name: str, side: int) -> float:
    """Return by how many pixels of the file an edge may be off."""
    if name == "qwen2.5-vl":
        return side / (round(side / 28) * 28)  # a resized pixel: edges at the end of a side are moved in by 1
    return OFF[name] * side


@st.composite
def pictured(draw: st.DrawFn) -> ImageRecord:
    """Draw an image with a caption of two phrases: one with up to three boxes, one with one.

    It is so small that Qwen2.5-VL does not shrink it.
    """
    width, height = draw(st.integers(100, 980)), draw(st.integers(100, 980))

    def box() -> Box:
        left, top = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
        return Box(left, top, draw(st.integers(left + 1, width)), draw(st.integers(top + 1, height)))

    boxes = tuple(BoxRecord(box()) for _ in range(draw(st.integers(2, 4))))
    caption = IMAGE.captions[0]
    first, second = IMAGE.chains[:2]
    chains = (replace(first, boxes=tuple(range(len(boxes) - 1))), replace(second, boxes=(len(boxes) - 1,)))
    return ImageRecord("x y.jpg", (caption,), width, height, chains=chains, boxes=boxes)


@pytest.mark.parametrize("name", DIALECTS)
@given(record=pictured())
@example(record=replace(IMAGE, captions=IMAGE.captions[:1], chains=IMAGE.chains[:2]))
def test_boxes_come_back_within_the_rounding_of_the_model(name: str, record: ImageRecord) -> None:
    with TemporaryDirectory() as folder:
        found, _ = lines(Path(folder), name, record)
    ((line,),) = (rows for rows in found.values() if rows)
    assert record.width and record.height
    read: dict[str, list[tuple[float, float, float, float]]] = {}
    for phrase, boxes in _pairs(name, line, record.width, record.height):
        read.setdefault(phrase, []).extend(boxes)
    assert list(read) == ["Two guys", "shirts"]
    for chain, boxes in zip(record.chains, read.values(), strict=True):
        truth = [record.boxes[index].box.edges for index in chain.boxes]
        assert len(boxes) == len(truth)
        for edges, true in zip(boxes, truth, strict=True):
            for place, (edge, expected) in enumerate(zip(edges, true, strict=True)):
                side = (record.width, record.height)[place % 2]
                assert abs(edge - expected) <= allowed(name, side) + 1e-6


def captioned(text: str, tokens: tuple[str, ...], mention: tuple[int, int]) -> ImageRecord:
    """Return an image with one caption, in which one phrase has a box."""
    said = CaptionRecord(0, text, tokens, (MentionRecord(*mention, ("other",), 1),))
    chain = ChainRecord(1, ("other",), ((0, *mention),), (0,))
    return ImageRecord("c.jpg", (said,), 100, 80, chains=(chain,), boxes=(BoxRecord(Box(1, 2, 3, 4)),))


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [
        ("ms-swift", "A <image> sign", False),
        ("ms-swift", "A <b> sign", True),
        ("qwen2-vl", "A <|im_end|> sign", False),
        ("qwen3-vl", "A <video> sign", False),
        ("internvl", "A <box> sign", False),
        ("internvl", "A <IMG_CONTEXT> sign", False),
        ("florence-2", "A <3 sign", False),
        ("kosmos-2", "A <3 sign", False),
        ("paligemma", "A <loc0001> sign", False),
        ("paligemma", "A ;-) sign", False),
        ("grit", "A <box> sign", True),
    ],
)
def test_a_caption_with_signs_of_the_format_is_left_out(
    name: str, text: str, kept: bool, tmp_path: Path
) -> None:
    tokens = tuple(text.split())
    found, writer = lines(tmp_path, name, captioned(text, tokens, (0, len(tokens))))
    assert len(found["unsplit"]) == kept
    assert writer.not_held[SIGNS] == 1 - kept


def test_signs_outside_of_phrases_do_not_matter_where_only_phrases_are_written(tmp_path: Path) -> None:
    found, writer = lines(tmp_path, "paligemma", captioned("A sign ; red", ("A", "sign", ";", "red"), (0, 2)))
    assert found["unsplit"][0]["prefix"] == "detect A sign" and not writer.not_held[SIGNS]


def test_signs_in_a_phrase_without_boxes_do_not_matter_where_it_is_not_written(tmp_path: Path) -> None:
    record = captioned("A sign says ;-)", ("A", "sign", "says", ";-)"), (0, 2))
    smiley = MentionRecord(3, 4, ("other",), 2)
    caption = replace(record.captions[0], mentions=(*(record.captions[0].mentions or ()), smiley))
    chains = (*record.chains, ChainRecord(2, ("other",), ((0, 3, 4),), ()))
    found, writer = lines(tmp_path, "paligemma", replace(record, captions=(caption,), chains=chains))
    assert found["unsplit"][0]["prefix"] == "detect A sign" and not writer.not_held[SIGNS]


def test_a_phrase_without_a_space_before_it_gets_none(tmp_path: Path) -> None:
    found, _ = lines(
        tmp_path, "kosmos-2", captioned("(A sign) here", ("(", "A", "sign", ")", "here"), (1, 3))
    )
    assert found["unsplit"][0]["text"].startswith("<grounding>(<phrase>A sign</phrase><object>")


def test_an_image_that_the_model_does_not_take_is_left_out(tmp_path: Path) -> None:
    narrow = replace(IMAGE, width=20_001, height=100)
    found, writer = lines(tmp_path, "qwen2.5-vl", narrow, IMAGE)
    assert len(found["train"]) == 1 and writer.not_held[NOT_TAKEN] == 1


def test_images_that_trainers_may_shrink_in_several_ways_are_counted(tmp_path: Path) -> None:
    large = replace(IMAGE, width=4000, height=3000)
    found, writer = lines(tmp_path, "qwen2.5-vl", large, replace(large, name="b.jpg", chains=()), IMAGE)
    assert writer.written_but[SHRUNK] == 1 and SHRUNK not in writer.not_held
    assert [line["images"] for line in found["train"]] == [["images/a.jpg"]] * 2


def test_an_image_that_is_too_large_once_its_sides_are_rounded_is_counted(tmp_path: Path) -> None:
    """The model sees 1008 x 1008 pixels if it may, and 980 x 980 with the limit."""
    _, writer = lines(tmp_path, "qwen2.5-vl", replace(IMAGE, width=1003, height=1000), IMAGE)
    assert writer.written_but[SHRUNK] == 1


def test_boxes_that_rounding_leaves_empty_are_written_and_counted(tmp_path: Path) -> None:
    """Two pixels of 100,000 are less than a thousandth."""
    record = replace(captioned("A sign", ("A", "sign"), (0, 2)), width=100_000)
    found, writer = lines(tmp_path, "qwen3-vl", record)
    assert '"bbox_2d": [0, 25, 0, 50]' in _answer(found["unsplit"][0])
    assert writer.written_but[EMPTY] == 1 and EMPTY not in writer.not_held


def test_boxes_of_a_caption_that_is_left_out_are_not_counted_as_written(tmp_path: Path) -> None:
    record = replace(captioned("A <video>", ("A", "<video>"), (0, 2)), width=100_000)
    _, writer = lines(tmp_path, "qwen2.5-vl", replace(record, height=80_000))
    assert writer.not_held[SIGNS] == 1 and not writer.written_but.total()


def test_a_registry_names_the_files_that_have_lines(tmp_path: Path) -> None:
    lines(tmp_path, "qwen2-vl", IMAGE)
    assert json.loads((tmp_path / "dataset_info.json").read_text()) == {
        "groundcrew_train": {
            "file_name": "train.jsonl",
            "formatting": "sharegpt",
            "columns": {"messages": "messages", "images": "images"},
            "tags": {
                "role_tag": "role",
                "content_tag": "content",
                "user_tag": "user",
                "assistant_tag": "assistant",
            },
        }
    }
    (tmp_path / "internvl").mkdir()
    lines(tmp_path / "internvl", "internvl", IMAGE, replace(IMAGE, name="b.jpg"))
    assert json.loads((tmp_path / "internvl" / "meta.json").read_text()) == {
        "groundcrew_train": {
            "root": "./",
            "annotation": "train.jsonl",
            "data_augment": False,
            "repeat_time": 1,
            "length": 2,
        }
    }


@pytest.mark.parametrize(
    ("splits", "lists"),
    [
        (("train", "val", "test"), {"meta": "train", "meta_val": "val", "meta_test": "test"}),
        (("train", ""), {"meta": "train", "meta_unsplit": "unsplit"}),
        (("", "test"), {"meta": "unsplit", "meta_test": "test"}),
        (("val", "test"), {"meta_val": "val", "meta_test": "test"}),
    ],
)
def test_internvl_is_given_no_other_split_to_train_on(
    splits: tuple[str, ...], lists: dict[str, str], tmp_path: Path
) -> None:
    lines(tmp_path, "internvl", *(replace(IMAGE, name=f"x{split}.jpg", split=split) for split in splits))
    found = {path.stem: list(json.loads(path.read_text())) for path in tmp_path.glob("*.json")}
    assert found == {name: [f"groundcrew_{split}"] for name, split in lists.items()}
    assert {f"{name}.json" for name in lists} <= WRITERS["internvl"].files
