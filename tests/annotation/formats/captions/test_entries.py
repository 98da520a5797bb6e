from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.captions.entries import Entry, Refused, parse_entry, records_of

PATH = Path("captions.json")


@pytest.mark.parametrize(
    ("fields", "entry"),
    [
        ({"image": "a.jpg", "caption": "A man ."}, Entry("a.jpg", ("A man .",))),
        ({"File Name": " a.jpg", "Text": " A man .\n"}, Entry("a.jpg", ("A man .",))),
        ({"image": "x/y/a.jpg", "caption": ["A", "B"]}, Entry("a.jpg", ("A", "B"), folder="x/y")),
        ({"image": "/data/a.jpg", "caption": "A"}, Entry("a.jpg", ("A",), folder="data")),
        ({"image": "x\\a.jpg", "caption": "A"}, Entry("a.jpg", ("A",), folder="x")),
        ({"filename": "a.jpg", "filepath": "val", "text": "A"}, Entry("a.jpg", ("A",), folder="val")),
        ({"filename": "a.jpg", "filepath": "val/a.jpg", "text": "A"}, Entry("a.jpg", ("A",), folder="val")),
        ({"filepath": "val/a.jpg", "text": "A"}, Entry("a.jpg", ("A",), folder="val")),
        ({"image": "a", "sentences": [{"raw": "A .", "tokens": ["a"]}], "text": "B"}, Entry("a", ("A .",))),
        ({"image": "a", "caption_0": "A", "caption_1": "B", "caption_2": None}, Entry("a", ("A", "B"))),
        ({"image": "a", "caption_0": "A", "caption": ["A", "B"]}, Entry("a", ("A", "B"))),
        ({"image": "a", "caption": ["A\n b", " "]}, Entry("a", ("A b",))),
        ({"image": {"bytes": b"x", "path": "p.jpg"}, "text": "A"}, Entry("p.jpg", ("A",), picture=b"x")),
        ({"image": {"bytes": b"x", "path": None}, "text": "A"}, Entry("made up", ("A",), picture=b"x")),
        (
            {"image": {"bytes": b"x", "path": "p.jpg"}, "filename": "f.jpg", "text": "A"},
            Entry("f.jpg", ("A",), picture=b"x"),
        ),
        ({"image": b"x", "text": "A"}, Entry("made up", ("A",), picture=b"x")),
        ({"image": "a", "text": "A", "split": "restval"}, Entry("a", ("A",), split="restval")),
        ({"image": "nan", "file_name": "a.jpg", "text": "A"}, Entry("a.jpg", ("A",))),
        ({"image": "a.jpg", "path": "None", "text": "A"}, Entry("a.jpg", ("A",))),
    ],
)
def test_the_fields_of_other_people_are_understood(fields: dict[str, Any], entry: Entry) -> None:
    assert parse_entry(fields, fallback="made up") == entry


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"image": "a.jpg"}, "no captions (caption, captions, text, sentences) are among 'image'"),
        (
            {"image_id": 3, "caption": "A"},
            "no name of a file (image, file_name) is among 'image_id', 'caption'",
        ),
        ({}, "no name of a file (image, file_name) is among its fields"),
        ({"image": 3, "caption": "A"}, "the name of the image's file is missing, or is not a text"),
        ({"image": "", "caption": "A"}, "the name of the image's file is missing"),
        ({"image": "nan", "caption": "A"}, "the name of the image's file is missing"),
        (
            {"image": ["None"], "path": "null", "url": "nan", "caption": "A"},
            "the name of the image's file is",
        ),
        ({"image": {"path": "null"}, "caption": "A"}, "the name of the image's file is missing"),
        ({"image": "../a.jpg", "caption": "A"}, "is not a plain file name"),
        ({"image": "http://example.org/a.jpg", "caption": "A"}, "is not a plain file name"),
    ],
)
def test_what_is_missing_or_wrong_is_said(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        parse_entry(fields)


@pytest.mark.parametrize(
    ("caption", "says"),
    [
        ([], "a.jpg has no caption"),
        (None, "a.jpg has no caption"),
        (3, "a.jpg: a caption is not a text"),
        ([3], "caption 0 of a.jpg: a caption is not a text"),
        ([None], "caption 0 of a.jpg: the caption is missing"),
        ([{"tokens": ["a"]}], "caption 0 of a.jpg: a caption is not a text"),
        ("x" * 10_001, "a.jpg: the caption has more than"),
        (["nan"], "caption 0 of a.jpg: the caption is 'nan'"),
    ],
)
def test_a_caption_that_cannot_be_used_is_refused(caption: object, says: str) -> None:
    (refused,) = parse_entry({"image": "a.jpg", "caption": caption}).texts
    assert isinstance(refused, Refused) and refused.message.startswith(says) and refused.hint


def test_captions_after_refused_ones_keep_their_numbers() -> None:
    entry = parse_entry({"image": "a.jpg", "captions": ["A", None, "nan", "B"]}, place="entry 7")
    first, second, record = records_of(PATH, [entry])
    assert isinstance(first, Problem) and isinstance(second, Problem)
    assert first.message == "entry 7: caption 1 of a.jpg: the caption is missing"
    assert second.message.startswith("entry 7: caption 2 of a.jpg: the caption is 'nan'")
    assert isinstance(record, ImageRecord)
    assert record.captions == (CaptionRecord(0, "A"), CaptionRecord(3, "B"))


def test_an_image_whose_captions_are_all_refused_is_only_a_problem() -> None:
    (problem,) = records_of(PATH, [Entry("a.jpg", (Refused("a.jpg: no"),), 2)])
    assert problem == Problem(str(PATH), 2, "a.jpg: no", "this caption was left out")


def test_captions_are_numbered_over_all_entries_of_an_image() -> None:
    entries = [Entry("a", ("A",), 1), Entry("a", ("B", "C"), 2), Entry("b", ("D",), 3), Entry("a", ("E",), 4)]
    assert list(records_of(PATH, entries)) == [
        ImageRecord("a", (CaptionRecord(0, "A"), CaptionRecord(1, "B"), CaptionRecord(2, "C"))),
        ImageRecord("b", (CaptionRecord(0, "D"),)),
        ImageRecord("a", (CaptionRecord(3, "E"),)),
    ]


def test_numbers_of_the_file_count_and_none_counts_twice() -> None:
    problem, record = records_of(
        PATH, [Entry("a", (text,), first=n) for n, text in ((4, "A"), (2, "B"), (4, "C"))]
    )
    assert isinstance(problem, Problem) and problem.message == "caption 4 of a is given twice"
    assert isinstance(record, ImageRecord)
    assert record.captions == (CaptionRecord(4, "A"), CaptionRecord(2, "B"))


@pytest.mark.parametrize(
    ("said", "split"),
    [
        ("train", "train"),
        ("restval", "train"),
        ("Validation", "val"),
        ("dev", "val"),
        ("test", "test"),
        ("", ""),
    ],
)
def test_splits_have_the_names_that_other_people_give_them(said: str, split: str) -> None:
    (record,) = records_of(PATH, [Entry("a", ("A",), split=said)])
    assert isinstance(record, ImageRecord) and record.split == split


def test_a_split_that_nobody_knows_is_said_once() -> None:
    found = list(records_of(PATH, [Entry(f"{n}.jpg", ("A",), split="extra") for n in range(5)]))
    (problem,) = [one for one in found if isinstance(one, Problem)]
    assert "'extra' is none of the splits" in problem.message
    assert [one.split for one in found if isinstance(one, ImageRecord)] == [""] * 5
