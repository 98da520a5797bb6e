"""Boxes are read from what vision-language models answer, in both of their ways and in both units."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.dataset import Dataset
from evaluation.errors import InputError, Place
from evaluation.predictions import chat
from evaluation.predictions.chat import Coordinates, Said, boxes_said
from evaluation.predictions.findings import Findings
from evaluation.predictions.localization import read_localization
from tests.evaluation.small_set import lookup_of, small_set, write_lines

PLACE = Place("p.jsonl", 1)
UNKNOWN = "prediction for a mention that the data set does not have"


def wide() -> Dataset:
    """Return the small set with images of 200 x 400 pixels."""
    small = small_set()
    return replace(small, images=tuple(replace(image, width=200, height=400) for image in small.images))


def read(
    path: Path, coordinates: Coordinates | None = "thousandths", dataset: Dataset | None = None
) -> tuple[dict[str, list[list[float]]], Findings]:
    lookup, findings = lookup_of(dataset or wide()), Findings()
    found: dict[str, list[list[float]]] = {}
    for part in read_localization(path, lookup, findings, coordinates=coordinates):
        for at, row in enumerate(part.rows.tolist()):
            if len(part.ranked.lists[at]):
                found[lookup.name(row)] = part.ranked.lists[at].tolist()
    del findings.counts["query without a prediction"]
    return found, findings


def answer(text: object, **more: object) -> dict[str, object]:
    said = text if isinstance(text, str) else json.dumps(text)
    return {"image": "a.jpg", "answer": said, **more}


QWEN = 'Sure!\n```json\n[\n\t{"bbox_2d": [100, 50, 500, 1000], "label": "a man"}\n]\n```'


@pytest.mark.parametrize(
    ("text", "boxes"),
    [
        (QWEN, [Said((100, 50, 500, 1000), "a man")]),
        ('{"bbox_2d": [1, 2, 3, 4], "score": 0.5}', [Said((1, 2, 3, 4), "", 0.5)]),
        ('{"bbox_2d": [[1, 2, 3, 4], [5, 6, 7.5, 8]]}', [Said((1, 2, 3, 4)), Said((5, 6, 7.5, 8))]),
        ('[{"bbox_2d": [1, 2, 3, 4]}, {"bbox_2d": [5, 6', [Said((1, 2, 3, 4))]),
        ('{"objects": [{"bbox_2d": [1, 2, 3, 4], "label": 7}]}', [Said((1, 2, 3, 4))]),
        (
            "</s><s>A man<loc_1><loc_2><loc_3><loc_999>, two dogs"
            "<loc_5><loc_6><loc_7><loc_8><loc_1><loc_1><loc_9><loc_9></s>",
            [
                Said((1, 2, 3, 999), "A man"),
                Said((5, 6, 7, 8), "two dogs"),
                Said((1, 1, 9, 9), "two dogs"),
            ],
        ),
    ],
)
def test_boxes_are_found_in_an_answer(text: str, boxes: list[Said]) -> None:
    findings = Findings()
    assert boxes_said(text, PLACE, findings) == boxes
    assert not findings.counts


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("There is no dog.", {"answer in which no box was found": 1}),
        ("[]", {"answer in which no box was found": 1}),
        (
            '{"bbox_2d": [1, 2, 3]} {"bbox_2d": [1, 2, 3, 4]}',
            {"box of an answer that cannot be read": 1},
        ),
        ('{"bbox_2d": [1, 2, 3, 4,]} <loc', None),
        ('{"bbox_2d": [1, 2, 3, 4], "score": "high"}', None),
        (
            "a<loc_1><loc_2><loc_3>b<loc_1><loc_2><loc_3><loc_4><loc_5>",
            {"box of an answer that cannot be read": 2},
        ),
    ],
)
def test_what_cannot_be_read_is_counted(text: str, kinds: dict[str, int] | None) -> None:
    findings = Findings()
    boxes_said(text, PLACE, findings)
    both = {"box of an answer that cannot be read": 1, "answer in which no box was found": 1}
    assert findings.counts == (kinds or both)


def test_thousandths_are_of_the_sides_of_the_image(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "p.jsonl", answer(QWEN, phrase="a man"))
    assert read(path)[0] == {"a.jpg caption 0 tokens 0 to 2": [[20, 20, 100, 400]]}
    assert read(path, "pixels")[0] == {"a.jpg caption 0 tokens 0 to 2": [[100, 50, 500, 1000]]}


def test_an_answer_is_for_a_mention_for_words_or_for_what_its_labels_say(tmp_path: Path) -> None:
    tokens = "Two dogs<loc_0><loc_0><loc_10><loc_10><loc_20><loc_0><loc_30><loc_10>a cat" + "<loc_5>" * 4
    path = write_lines(
        tmp_path / "p.jsonl",
        answer([{"bbox_2d": [0, 0, 500, 500], "label": "x"}], caption=1, start=3, end=5),
        answer(tokens, image="b.jpg", caption=1),
        answer(
            [
                {"bbox_2d": [0, 0, 100, 100], "label": "two dogs", "score": 0.2},
                {"bbox_2d": [0, 0, 300, 300], "label": "a man", "score": 0.1},
                {"bbox_2d": [0, 0, 200, 200], "label": "two dogs", "score": 0.9},
            ]
        ),
        answer(tokens, image="z.jpg"),
        answer(tokens, image="z.jpg", phrase="two dogs"),
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
    }
    assert findings.examples[UNKNOWN] == ["line 2: 'a cat' in b.jpg", "line 5: 'two dogs' in z.jpg"]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (answer(QWEN, boxes=[]), r"line 1: boxes: is not known here; the fields are image, answer, phrase"),
        (answer(QWEN, start=1, end=2), r"line 1: caption: is missing"),
        ({"image": "a.jpg", "answer": 3}, r"line 1: answer: is not a text"),
        (answer(QWEN, caption="x"), r"line 1: caption: is not a whole number"),
        (answer("x" * 11), r"line 1: answer: has more than 10 characters"),
    ],
)
def test_a_bad_answer_is_named(
    line: object, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if isinstance(line, dict) and line["answer"] == "x" * 11:
        monkeypatch.setattr(chat, "MAX_ANSWER", 10)
    with pytest.raises(InputError, match=error):
        read(write_lines(tmp_path / "p.jsonl", line))


def test_an_answer_has_a_limit_of_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "MAX_BOXES", 2)
    with pytest.raises(InputError, match="has more than 2 boxes"):
        boxes_said('{"bbox_2d": [1, 2, 3, 4]}' * 3, PLACE, Findings())


def test_nobody_guesses_the_unit_nor_the_size_of_an_image(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "p.jsonl", answer(QWEN, phrase="a man"))
    with pytest.raises(InputError, match=r"line 1: answer: its numbers may be .* with --coordinates"):
        read(path, None)
    unsized = replace(wide(), images=tuple(replace(one, width=0) for one in wide().images))
    with pytest.raises(InputError, match=r"line 1: image: the size of a\.jpg is not known"):
        read(path, "thousandths", unsized)
    assert read(path, "pixels", unsized)[0]


@given(st.text(alphabet='{}[]",:bbox_2d<loc_>0123456789.-eE \n', max_size=200))
def test_any_text_is_read(text: str) -> None:
    assert all(len(one.numbers) == 4 for one in boxes_said(text, PLACE, Findings()))
