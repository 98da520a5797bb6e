"""Boxes are read from what vision-language models answer, in each model's way, and never by a guess."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.dataset import Dataset, Mention, MentionKey
from evaluation.errors import InputError, Place
from evaluation.predictions import chat
from evaluation.predictions.answers import Said
from evaluation.predictions.chat import MAX_ANSWER, boxes_said
from evaluation.predictions.findings import Findings
from evaluation.predictions.formats import FORMATS, FORMS, MODELS, format_named
from evaluation.predictions.localization import read_localization
from evaluation.predictions.recognition import formats_like
from tests.evaluation.small_set import lookup_of, small_set, write_lines

PLACE = Place("p.jsonl", 1)
UNKNOWN = "prediction for a mention that the data set does not have"
UNREADABLE = "box of an answer that cannot be read"
NO_BOX = "answer in which no box was found"
SEVERAL = "prediction for words that their caption has several times"


def wide() -> Dataset:
    """Return the small set with images of 200 x 400 pixels."""
    small = small_set()
    return replace(small, images=tuple(replace(image, width=200, height=400) for image in small.images))


def read(
    path: Path, name: str | None = "qwen3-vl", dataset: Dataset | None = None
) -> tuple[dict[str, list[list[float]]], Findings]:
    lookup, findings = lookup_of(dataset or wide()), Findings()
    found: dict[str, list[list[float]]] = {}
    written = format_named(name) if name else None
    for part in read_localization(path, lookup, findings, predictions_format=written):
        for at, row in enumerate(part.rows.tolist()):
            if len(part.ranked.lists[at]):
                found[lookup.name(row)] = part.ranked.lists[at].tolist()
    del findings.counts["query without a prediction"]
    return found, findings


def answer(text: object, **more: object) -> dict[str, object]:
    said = text if isinstance(text, str) else json.dumps(text)
    return {"image": "a.jpg", "answer": said, **more}


def said_in(text: str, name: str) -> tuple[list[Said], Findings]:
    findings = Findings()
    return boxes_said(text, PLACE, findings, format_named(name)), findings


ONE, TWO = Said((1, 2, 3, 4)), Said((5, 6, 7.5, 8))
MAN, DOGS = Said((1, 2, 3, 4), "A man"), Said((5, 6, 7, 8), "two dogs")
QWEN = 'Sure!\n```json\n[\n\t{"bbox_2d": [100, 50, 500, 1000], "label": "a man"}\n]\n```'
QWEN2 = (
    "<|object_ref_start|>A man<|object_ref_end|><|box_start|>(1,2),(3,4)<|box_end|> with "
    "<|object_ref_start|>two dogs<|object_ref_end|><|box_start|>(5,6),(7,8)<|box_end|>"
    "<|box_start|>(1,1),(9,9)<|box_end|><|im_end|>"
)
FLORENCE = (
    "</s><s>A man<loc_1><loc_2><loc_3><loc_4>, two dogs<loc_5><loc_6><loc_7><loc_8>"
    "<loc_1><loc_1><loc_9><loc_9></s>"
)
SECOND = replace(DOGS, numbers=(1, 1, 9, 9))


@pytest.mark.parametrize(
    ("name", "text", "boxes"),
    [
        ("qwen2.5-vl", QWEN, [Said((100, 50, 500, 1000), "a man")]),
        ("qwen2.5-vl", '{"bbox_2d": [1, 2, 3, 4], "score": 0.5}', [replace(ONE, score=0.5)]),
        ("qwen3-vl", '{"bbox_2d": [[1, 2, 3, 4], [5, 6, 7.5, 8]]}', [ONE, TWO]),
        ("qwen3-vl", '{"objects": [{"bbox_2d": [1, 2, 3, 4], "label": 7}]}', [ONE]),
        ("qwen3-vl", '{"label": "A man", "bbox_2d": [1, 2, 3, 4]}, {"label": "x"}', [MAN]),
        (
            "qwen3-vl",
            '{"bbox_2d":[1,2,3,4],"label":"a {red} \\"man\\""}',
            [replace(ONE, label='a {red} "man"')],
        ),
        ("qwen3-vl", '[{"bbox_2d": [1, 2, 3, 4], "label": "A man"}, {"label": "two do', [MAN]),
        ("qwen3-vl", '[{"bbox_2d": [1, 2, 3, 4], "label": "A m', [ONE]),
        ("qwen3-vl", "The box is [1, 2, 3, 4].", [replace(ONE, label="The box is")]),
        ("qwen3-vl", '<think>{"x": [</think>{"bbox_2d": [1, 2, 3, 4]}', [ONE]),
        ("qwen2-vl", QWEN2, [MAN, DOGS, SECOND]),
        ("qwen2-vl", "<ref>A man</ref><box>(1,2),(3,4)</box>", [MAN]),
        ("qwen2-vl", "(1,2),(3,4)", [ONE]),
        ("internvl", "<ref>A man</ref><box>[[1, 2, 3, 4]]</box>", [MAN]),
        ("internvl", "<ref>two dogs</ref><box>[[5,6,7,8], [1,1,9,9]]</box> end", [DOGS, SECOND]),
        ("internvl", "[[1, 2, 3, 4]]", [ONE]),
        ("florence-2", FLORENCE, [MAN, DOGS, SECOND]),
        ("paligemma", "<loc0001><loc0002><loc0003><loc0004> A man", [MAN]),
        (
            "paligemma",
            "<loc0001><loc0002><loc0003><loc0004> A man ; <loc0005><loc0006><loc0007><loc0008> two dogs",
            [MAN, DOGS],
        ),
        ("paligemma", "<loc0001><loc0002><loc0003><loc0004><seg001><seg017> A man", [MAN]),
        (
            "kosmos-2",
            "<grounding> An image of<phrase> A man</phrase><object><patch_index_0000><patch_index_0033>"
            "</object> in<phrase> a park</phrase>",
            [Said((1 / 64, 1 / 64, 3 / 64, 3 / 64), "A man")],
        ),
        (
            "kosmos-2",
            "<phrase>two dogs</phrase><object><patch_index_0000><patch_index_0002>"
            "</delimiter_of_multi_objects/><patch_index_1023><patch_index_1023></object>",
            [Said((0, 0, 3 / 32, 1 / 32), "two dogs"), Said((31 / 32, 31 / 32, 1, 1), "two dogs")],
        ),
        ("shikra", "A man [0.1,0.2,0.3,0.4].", [Said((0.1, 0.2, 0.3, 0.4), "A man")]),
        (
            "shikra",
            "two dogs [0.1,0.2,0.3,0.4;0.5,0.6,0.7,0.8]",
            [Said((0.1, 0.2, 0.3, 0.4), "two dogs"), Said((0.5, 0.6, 0.7, 0.8), "two dogs")],
        ),
        ("gemini", '```json\n[{"box_2d": [1, 2, 3, 4], "label": "A man"}]\n```', [MAN]),
        ("pixels", '{"bbox": [1, 2, 3, 4], "label": "A man"}', [MAN]),
        ("fractions", '{"box": [1, 2, 3, 4], "confidence": 0.25}', [replace(ONE, score=0.25)]),
    ],
)
def test_boxes_are_found_in_an_answer(name: str, text: str, boxes: list[Said]) -> None:
    found, findings = said_in(text, name)
    assert found == boxes and not findings.counts


@pytest.mark.parametrize(
    ("name", "text", "boxes", "kinds"),
    [
        ("qwen3-vl", "There is no dog.", 0, {NO_BOX: 1}),
        ("qwen3-vl", "[]", 0, {NO_BOX: 1}),
        ("qwen3-vl", '{"bbox_2d": null}', 0, {NO_BOX: 1}),
        ("qwen3-vl", '{"bbox_2d": [1, 2, 3]} {"bbox_2d": [1, 2, 3, 4]}', 1, {UNREADABLE: 1}),
        ("qwen3-vl", '[{"bbox_2d": [1, 2, 3, 4]}, {"bbox_2d": [5, 6', 1, {UNREADABLE: 1}),
        ("qwen3-vl", '{"bbox_2d": ["1", 2, 3, 4]}', 0, {UNREADABLE: 1}),
        ("qwen3-vl", '{"point_2d": [1, 2], "label": "a man"}', 0, {"point of an answer": 1}),
        ("qwen2-vl", "<|box_start|>(1,2),(3", 0, {UNREADABLE: 1}),
        ("internvl", "<ref>a</ref><box>[[1, 2", 0, {UNREADABLE: 1}),
        ("florence-2", "a<loc_1><loc_2><loc_3>b<loc_1><loc_2><loc_3><loc_4><loc_5>", 1, {UNREADABLE: 2}),
        ("florence-2", "a<loc_1><loc_2><loc_3><loc_1000>", 0, {UNREADABLE: 1}),
        ("florence-2", "a<poly><loc_1><loc_2><loc_3><loc_4><loc_5><loc_6></poly>", 0, {UNREADABLE: 1}),
        ("paligemma", "<loc0001><loc0002><loc0003> a man", 0, {UNREADABLE: 1}),
        ("paligemma", "<loc0001><loc0002><loc0003><loc1024> a man", 0, {UNREADABLE: 1}),
        ("kosmos-2", "<phrase>a</phrase><object><patch_index_0044>", 0, {UNREADABLE: 1}),
        ("kosmos-2", "<object><patch_index_0044><patch_index_1024></object>", 0, {UNREADABLE: 1}),
        ("molmo", '<point x="61.5" y="40.4" alt="dog">dog</point>', 0, {"point of an answer": 1}),
        (
            "molmo",
            '<points x1="1" y1="2" x2="3" y2="4" alt="dogs">',
            0,
            {"point of an answer": 2},
        ),
    ],
)
def test_what_cannot_be_read_is_counted(name: str, text: str, boxes: int, kinds: dict[str, int]) -> None:
    found, findings = said_in(text, name)
    assert (len(found), findings.counts) == (boxes, kinds)


WORKED = {
    # By hand, for an image of 200 x 400 pixels.
    "qwen2.5-vl": ('{"bbox_2d": [49, 98, 98, 196]}', [50, 100, 100, 200]),  # it sees 196 x 392 pixels
    "qwen3-vl": ('{"bbox_2d": [250, 250, 500, 500]}', [50, 100, 100, 200]),
    "qwen2-vl": ("<|box_start|>(250,250),(500,500)<|box_end|>", [50, 100, 100, 200]),
    "internvl": ("<ref>x</ref><box>[[250, 250, 500, 500]]</box>", [50, 100, 100, 200]),
    "florence-2": ("x<loc_249><loc_250><loc_499><loc_500>", [49.9, 100.2, 99.9, 200.2]),
    "paligemma": ("<loc0000><loc0341><loc0682><loc1023> x", [200 / 3, 0, 200, 800 / 3]),
    "kosmos-2": ("<object><patch_index_0264><patch_index_0528></object>", [53.125, 106.25, 103.125, 206.25]),
    "shikra": (
        "[0.375,0.250,0.500,0.500]",
        [50, 100, 100, 200],
    ),  # a square of 400, 100 on both sides
    "gemini": ('{"box_2d": [250, 250, 500, 750]}', [50, 100, 150, 200]),
    "pixels": ('{"bbox_2d": [50, 100, 100, 200]}', [50, 100, 100, 200]),
    "pixels-xywh": ('{"bbox_2d": [50, 100, 50, 100]}', [50, 100, 100, 200]),
    "pixels-yxyx": ('{"bbox_2d": [100, 50, 200, 100]}', [50, 100, 100, 200]),
    "pixels-cxcywh": ('{"bbox_2d": [75, 150, 50, 100]}', [50, 100, 100, 200]),
    "fractions": ("[0.25, 0.25, 0.5, 0.5]", [50, 100, 100, 200]),
    "fractions-xywh": ("[0.25, 0.25, 0.25, 0.25]", [50, 100, 100, 200]),
    "fractions-yxyx": ("[0.25, 0.5, 0.5, 0.75]", [100, 100, 150, 200]),
    "fractions-cxcywh": ("[0.5, 0.5, 0.5, 0.25]", [50, 150, 150, 250]),
    "thousandths": ("[250, 250, 500, 500]", [50, 100, 100, 200]),
    "thousandths-xywh": ("[250, 250, 250, 250]", [50, 100, 100, 200]),
    "thousandths-yxyx": ("[250, 500, 500, 750]", [100, 100, 150, 200]),
    "thousandths-cxcywh": ("[500, 500, 500, 250]", [50, 150, 150, 250]),
}


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "molmo"])
def test_numbers_become_pixels(name: str, tmp_path: Path) -> None:
    text, box = WORKED[name]
    path = write_lines(tmp_path / "p.jsonl", answer(text, phrase="a man", caption=0))
    found, findings = read(path, name)
    assert list(found) == ["a.jpg caption 0 tokens 0 to 2"] and not findings.counts
    assert found["a.jpg caption 0 tokens 0 to 2"] == [pytest.approx(box)]


def test_the_size_that_a_model_saw_counts_where_it_says_so(tmp_path: Path) -> None:
    text = '{"bbox_2d": [25, 25, 50, 50]}'
    path = write_lines(tmp_path / "p.jsonl", answer(text, phrase="a man", caption=0, width=100, height=100))
    for name in ("qwen2.5-vl", "pixels"):
        assert read(path, name)[0] == {"a.jpg caption 0 tokens 0 to 2": [[50, 100, 100, 200]]}
    half = write_lines(tmp_path / "h.jsonl", answer(text, phrase="a man", width=100))
    with pytest.raises(InputError, match=r"line 1: height: is missing: width and height are the size"):
        read(half, "pixels")


def test_an_answer_is_for_a_mention_for_words_or_for_what_its_labels_say(tmp_path: Path) -> None:
    both = [
        {"bbox_2d": [0, 0, 10, 10], "label": "Two dogs"},
        {"bbox_2d": [20, 0, 30, 10], "label": "two  dogs"},
        {"bbox_2d": [5, 5, 9, 9], "label": "a cat"},
    ]
    path = write_lines(
        tmp_path / "p.jsonl",
        answer([{"bbox_2d": [0, 0, 500, 500], "label": "x"}], caption=1, start=3, end=5),
        answer(both, image="b.jpg", caption=1),
        answer(
            [
                {"bbox_2d": [0, 0, 100, 100], "label": "two dogs", "score": 0.2},
                {"bbox_2d": [0, 0, 300, 300], "label": "a man", "score": 0.1},
                {"bbox_2d": [0, 0, 200, 200], "label": "two dogs", "score": 0.9},
            ]
        ),
        answer(both, image="z.jpg"),
        answer(both, image="z.jpg", phrase="two dogs"),
        answer(both, image="b.jpg", phrase="a park"),
    )
    found, findings = read(path)
    dogs = [[0, 0, 40, 80], [0, 0, 20, 40]]
    assert found == {
        "a.jpg caption 1 tokens 3 to 5": [[0, 0, 100, 200]],
        "b.jpg caption 1 tokens 0 to 2": [[0, 0, 2, 4], [4, 0, 6, 4]],
        "a.jpg caption 0 tokens 0 to 2": [[0, 0, 60, 120]],
        "a.jpg caption 0 tokens 3 to 5": dogs,
        "a.jpg caption 1 tokens 0 to 2": dogs,
    }
    assert findings.counts == {
        UNKNOWN: 2,
        "prediction for an image that the data set does not have": 1,
        "prediction for a mention without a box": 1,
    }
    assert findings.examples[UNKNOWN] == ["line 2: 'a cat' in b.jpg", "line 5: 'two dogs' in z.jpg"]


def twice() -> Dataset:
    """Return the wide set, whose first captions have *a man* at two places."""
    images = []
    for image in wide().images:
        caption = image.captions[0]
        man, park = caption.mentions[0], caption.mentions[2]
        again = replace(park, tokens=man.tokens, chain=man.chain)
        images.append(replace(image, captions=(replace(caption, mentions=(man, again)), *image.captions[1:])))
    return replace(wide(), images=tuple(images))


def possessive() -> Dataset:
    """Return the wide set with one caption, which has marks: `A man 's arm , in red , and a man 's arm .`"""
    text = "A man 's arm , in red , and a man 's arm ."
    tokens = tuple(text.split())
    spans = ((0, 7), (9, 13))
    images = []
    for image in wide().images:
        mentions = tuple(
            Mention(MentionKey(image.name, 0, start, end), tokens[start:end], ("people",), "1")
            for start, end in spans
        )
        images.append(
            replace(image, captions=(replace(image.captions[0], tokens=tokens, mentions=mentions),))
        )
    return replace(wide(), images=tuple(images))


def test_words_are_found_as_the_caption_had_them_before_it_was_cut_into_tokens(tmp_path: Path) -> None:
    labels = ["A man's arm, in red", "a man's  ARM", "a man's arms", "man's arm"]
    text = json.dumps([{"bbox_2d": [0, 0, 500, 500], "label": label} for label in labels])
    path = write_lines(
        tmp_path / "p.jsonl",
        answer(text, caption=0),
        {"image": "b.jpg", "phrase": "a man's arm, in red", "boxes": [[1, 2, 3, 4]]},
    )
    found, findings = read(path, "thousandths", possessive())
    assert found == {
        "a.jpg caption 0 tokens 0 to 7": [[0, 0, 100, 200]],
        "a.jpg caption 0 tokens 9 to 13": [[0, 0, 100, 200]],
        "b.jpg caption 0 tokens 0 to 7": [[0.2, 0.8, 0.6, 1.6]],
    }
    assert findings.counts == {UNKNOWN: 2} and findings.examples[UNKNOWN][0].startswith(
        "line 1: \"a man's arms"
    )


def test_boxes_of_the_same_words_are_for_them_in_the_order_of_the_caption(tmp_path: Path) -> None:
    boxes = [
        {"bbox_2d": [at, 0, 9, 9], "label": label} for at, label in enumerate(["a man", "A  man", "a man"])
    ]
    spans = ["a.jpg caption 0 tokens 0 to 2", "a.jpg caption 0 tokens 6 to 8"]
    both = write_lines(tmp_path / "b.jsonl", answer(boxes[:2], caption=0))
    found, findings = read(both, "pixels", twice())
    assert found == {spans[0]: [[0, 0, 9, 9]], spans[1]: [[1, 0, 9, 9]]} and not findings.counts
    for some in (boxes[:1], boxes):
        other = write_lines(tmp_path / "o.jsonl", answer(some, caption=0))
        found, findings = read(other, "pixels", twice())
        assert not found and findings.counts == {SEVERAL: len(some)}
    anywhere = write_lines(tmp_path / "a.jsonl", answer(boxes[:2]))
    assert {*map(len, read(anywhere, "pixels", twice())[0].values())} == {2}, "without a caption, all get all"


@pytest.mark.parametrize("line", [{"answer": '{"bbox_2d": [1, 2, 3, 4]}'}, {"boxes": [[1, 2, 3, 4]]}])
def test_words_that_a_caption_has_twice_are_counted_and_not_guessed(line: object, tmp_path: Path) -> None:
    assert isinstance(line, dict)
    fields = {"image": "a.jpg", "phrase": "A MAN", **line}
    path = write_lines(tmp_path / "p.jsonl", {**fields, "caption": 0}, {**fields, "caption": 1})
    found, findings = read(path, "pixels", twice())
    assert not found and findings.counts == {SEVERAL: 1, UNKNOWN: 1}
    assert findings.examples[SEVERAL] == ["line 1: 'A MAN' in a.jpg"]
    by_span = write_lines(tmp_path / "s.jsonl", {**fields, "caption": 0, "start": 6, "end": 8})
    assert read(by_span, "pixels", twice())[0] == {"a.jpg caption 0 tokens 6 to 8": [[1, 2, 3, 4]]}


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (answer(QWEN, boxes=[]), r"line 1: boxes: is not known here; the fields are image, answer, phrase"),
        (answer(QWEN, start=1, end=2), r"line 1: caption: is missing"),
        ({"image": "a.jpg", "answer": 3}, r"line 1: answer: is not a text"),
        (answer(QWEN, caption="x"), r"line 1: caption: is not a whole number"),
        (answer(QWEN, width=0, height=5), r"line 1: width: is 0, not from 1"),
        (answer("x" * (MAX_ANSWER + 1)), r"line 1: answer: has more than 200,000 characters"),
    ],
)
def test_a_bad_answer_is_named(line: object, error: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=error):
        read(write_lines(tmp_path / "p.jsonl", line))


def test_an_answer_has_a_limit_of_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "MAX_BOXES", 2)
    with pytest.raises(InputError, match="has more than 2 boxes"):
        said_in('{"bbox_2d": [1, 2, 3, 4]}' * 3, "qwen3-vl")


LOOKS = {
    QWEN: "qwen2.5-vl or qwen3-vl",
    QWEN2: "qwen2-vl",
    FLORENCE: "florence-2",
    "<ref>A man</ref><box>[[1, 2, 3, 4]]</box>": "internvl",
    "<ref>A man</ref><box>(1,2),(3,4)</box>": "qwen2-vl",
    "(1,2),(3,4)": "qwen2-vl",
    "<loc0001><loc0002><loc0003><loc0004> A man": "paligemma",
    "<phrase>A man</phrase><object><patch_index_0000><patch_index_0033></object>": "kosmos-2",
    '<point x="61.5" y="40.4" alt="dog">dog</point>': "molmo",
    '[{"box_2d": [1, 2, 3, 4], "label": "A man"}]': "gemini",
    "a man [0.1,0.2,0.3,0.4]": "shikra or fractions",
    "[12, 30, 200, 340]": "qwen3-vl or thousandths or pixels",
    "[12, 30, 1200, 340]": "qwen2.5-vl or pixels",
}


@pytest.mark.parametrize(("text", "names"), LOOKS.items(), ids=LOOKS.values())
def test_without_an_option_an_answer_is_one_error_that_says_what_it_looks_like(
    text: str, names: str, tmp_path: Path
) -> None:
    path = write_lines(tmp_path / "p.jsonl", answer(text, phrase="a man"))
    first = names.split(" ")[0]
    said = rf"line 1: answer: looks like {names}\. If it is, say so with --predictions-format {first}; "
    with pytest.raises(InputError, match=said):
        read(path, None)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (FLORENCE, "is no object of JSON, and looks like florence-2: give lines with image and, in answer,"),
        ({"image": "a.jpg", "output": QWEN}, "output: looks like qwen2.5-vl or qwen3-vl: give lines with"),
        ({"box_2d": [1, 2, 3, 4], "label": "a man"}, "box_2d: looks like gemini: give lines with image and"),
        ({"image": "a.jpg", "bbox_2d": [1, 2, 3, 4]}, "bbox_2d: looks like qwen2.5-vl or qwen3-vl: give"),
        ({"image": "a.jpg", "output": "no box"}, "caption: is missing"),
        ("no json", "is not JSON"),
    ],
)
def test_an_unfamiliar_line_is_one_error(line: object, error: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"p.jsonl, line 1: {error}"):
        read(write_lines(tmp_path / "p.jsonl", line), None)


def test_nobody_guesses_the_format_nor_the_size_of_an_image(tmp_path: Path) -> None:
    nothing = write_lines(tmp_path / "n.jsonl", answer("There is no dog.", phrase="a man"))
    with pytest.raises(InputError, match=r"answer: say how boxes are written in it .*: pixels, .*, molmo$"):
        read(nothing, None)
    path = write_lines(tmp_path / "p.jsonl", answer(QWEN, phrase="a man"))
    unsized = replace(wide(), images=tuple(replace(one, width=0) for one in wide().images))
    for name in ("qwen3-vl", "qwen2.5-vl", "thousandths"):
        with pytest.raises(InputError, match=r"line 1: image: the size of a\.jpg is not known"):
            read(path, name, unsized)
    assert read(path, "pixels", unsized)[0]


def test_an_answer_in_another_format_is_counted_with_what_it_looks_like() -> None:
    _, findings = said_in(FLORENCE, "gemini")
    assert findings.counts == {"answer that looks like another format": 1}
    assert findings.examples["answer that looks like another format"] == [
        "line 1: like florence-2, and not gemini"
    ]


def test_boxes_are_not_read_in_the_format_of_answers(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "p.jsonl", {"image": "a.jpg", "phrase": "a man", "boxes": [[1, 2, 3, 4]]})
    with pytest.raises(InputError, match=r"line 1: has boxes, and --predictions-format gemini is for answer"):
        read(path, "gemini")


HOSTILE = {
    "braces": "{",
    "open boxes": '{"bbox_2d": [',
    "nested lists": '"bbox_2d": [[',
    "brackets": "[",
    "numbers": "[1,2,3,",
    "spaces": '"bbox_2d":                 ',
    "quotes": '{"bbox_2d": [1,2,3,4], "label": "\\"',
    "digits": "1234567890",
    "pairs": "(1,2),(3,",
    "tags": "<ref><box>",
    "tokens": "<loc_1>",
    "bins": "<loc0001>",
    "polygons": "<poly><loc_1>",
    "patches": "<phrase><object><patch_index_0001>",
    "points": "<points x1=",
    "semicolons": "[1,2,3,4;",
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_take_linear_time(piece: str) -> None:
    text = (piece * (MAX_ANSWER // len(piece) + 1))[:MAX_ANSWER]
    begun = time.process_time()
    for name in (*MODELS, "pixels"):
        format_named(name).find(text)
    formats_like(text)
    assert time.process_time() - begun < 30, "quadratic time would be minutes"


@given(st.text(alphabet='{}[]()",:;bbox_2d<loc_>ref0123456789.-eE \n', max_size=200))
def test_any_text_is_read(text: str) -> None:
    for name in (*MODELS, *FORMS):
        found, findings = said_in(text, name)
        assert all(len(one.numbers) == 4 for one in found)
        assert found or findings.counts
