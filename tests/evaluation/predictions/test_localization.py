"""Boxes for mentions are read from every format, and what else a file has is counted and named."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.dataset import Caption, Mention, MentionKey
from evaluation.errors import InputError
from evaluation.predictions import localization, parts
from evaluation.predictions.coco import CATEGORIES, categories
from evaluation.predictions.findings import EFFECTS, Findings
from evaluation.predictions.localization import read_localization
from evaluation.predictions.lookup import Lookup
from tests.evaluation.small_set import MAN, QUERIES, error_of, lookup_of, mention, small_set, write_lines

ONE, TWO = (1.0, 2.0, 30.0, 40.0), (5.0, 5.0, 9.5, 9.0)
NAN = float("nan")


def read(path: Path) -> tuple[dict[int, list[list[float]]], Findings, Lookup]:
    """Return the boxes of each query, what else was found, and the lookup. Every query comes once."""
    lookup, findings = lookup_of(small_set()), Findings()
    found: dict[int, list[list[float]]] = {}
    for part in read_localization(path, lookup, findings):
        assert len(part.rows) == len(part.ranked)
        for at, row in enumerate(part.rows.tolist()):
            assert row not in found
            found[row] = part.ranked.lists[at].tolist()
    assert sorted(found) == list(range(2 * QUERIES))
    return found, findings, lookup


def only(findings: Findings) -> dict[str, int]:
    """Return the counts of all but queries without a prediction."""
    return {kind: count for kind, count in findings.counts.items() if kind != "query without a prediction"}


def test_boxes_come_for_their_mentions_with_the_best_first(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "p.jsonl",
        mention("b.jpg", 1, 0, 2, ONE, TWO, scores=[0.1, 0.9]),
        mention("a.jpg", 0, 0, 2, ONE, TWO),
    )
    found, findings, lookup = read(path)
    named = {lookup.name(row): boxes for row, boxes in found.items() if boxes}
    assert named == {
        "a.jpg caption 0 tokens 0 to 2": [list(ONE), list(TWO)],
        "b.jpg caption 1 tokens 0 to 2": [list(TWO), list(ONE)],
    }
    assert findings.counts == {"query without a prediction": 2 * QUERIES - 2}
    assert findings.examples["query without a prediction"][0] == "a.jpg caption 0 tokens 3 to 5"


def test_images_may_be_named_without_their_suffix_and_files_packed(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(mention("a", 0, 0, 2, ONE)).encode()))
    assert read(path)[0][0] == [list(ONE)]


def test_what_cannot_be_used_is_counted_and_named(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "p.jsonl",
        mention("a.jpg", 0, 0, 2, ONE),
        mention("a.jpg", 0, 0, 2, TWO),
        mention("a.jpg", 0, 0, 3, ONE),
        mention("c.jpg", 0, 0, 2, ONE),
        mention("a.jpg", 0, 6, 8, ONE),
    )
    found, findings, _ = read(path)
    assert found[0] == [list(ONE)]
    assert only(findings) == {
        "second prediction for the same mention": 1,
        "prediction for a mention that the data set does not have": 2,
        "prediction for a mention without a box": 1,
    }
    named = findings.examples["prediction for a mention that the data set does not have"]
    assert named == ["line 3: a.jpg caption 0 tokens 0 to 3", "line 4: c.jpg caption 0 tokens 0 to 2"]
    assert findings.examples["prediction for a mention without a box"] == [
        "line 5: a.jpg caption 0 tokens 6 to 8"
    ]
    assert [row[0] for row in findings.rows()] == [kind for kind in EFFECTS if findings.counts[kind]]


def test_boxes_that_hit_nothing_keep_their_rank(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    boxes = [(NAN, 0, 1, 1), (0, 0, 1e300, 5), (3, 3, 3, 9), (9, 0, 4, 4), ONE]
    path.write_text(json.dumps(mention("a.jpg", 0, 0, 2, *boxes)))
    found, findings, _ = read(path)
    assert found[0] == [[0.0] * 4] * 4 + [list(ONE)]
    assert only(findings) == {"box with NaN or infinity": 2, "box of zero or negative area": 2}


def test_a_box_whose_score_is_nan_comes_last(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps(mention("a.jpg", 0, 0, 2, ONE, TWO, scores=[NAN, -5])))
    found, findings, _ = read(path)
    assert found[0] == [list(TWO), list(ONE)]
    assert only(findings) == {"score with NaN or infinity": 1}


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("nothing", r"p\.jsonl, line 2: is not JSON"),
        ("3", r"line 2: is not an object"),
        ('{"image": "\\ud800", "boxes": [NaN]}', r"line 2: is not JSON in UTF-8"),
        ({"image": "a.jpg"}, r"line 2: caption: is missing"),
        (mention("a.jpg", 0, 0, 2, ONE, score=[1]), r"line 2: score: is not known here; the fields are"),
        (mention("a.jpg", 0, 0, 2, (1, 2, 3)), r"line 2: boxes\[0\]: is not four numbers"),
        (mention("a.jpg", 0, 0, 2, ONE, scores=[]), r"line 2: scores: has 0 numbers for 1 boxes"),
        (mention("a.jpg", 0, 0, 2, ONE, scores=["x"]), r"line 2: scores\[0\]: is not a number"),
        (mention("a.jpg", -1, 0, 2), r"line 2: caption: is -1, not from 0"),
        ({"image": 4, "caption": 0, "start": 0, "end": 1, "boxes": []}, r"line 2: image: is not a text"),
        (
            {"image": "a.jpg", "caption": 0, "start": 0, "end": 1, "boxes": [[1, 2, 3, "4"]]},
            r"boxes\[0\]: is not",
        ),
        (
            {"image": "a.jpg", "caption": 0, "start": 0, "end": 1, "boxes": [[0, 0, 1, 1], [2]]},
            r"boxes\[1\]: is",
        ),
    ],
)
def test_a_bad_line_is_named(line: object, error: str, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "p.jsonl", mention("a.jpg", 0, 0, 2, ONE), line)
    with pytest.raises(InputError, match=error):
        read(path)


def test_a_file_that_is_missing_or_a_damaged_gzip_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.jsonl: cannot be read: No such file"):
        read(tmp_path / "none.jsonl")
    (tmp_path / "p.gz").write_bytes(gzip.compress(b"x" * 1000)[:20])
    with pytest.raises(InputError, match=r"p\.gz: the gzip file is damaged"):
        read(tmp_path / "p.gz")


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_named(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("x") / "p.jsonl"
    path.write_bytes(content)
    said = error_of(lambda: read(path))
    assert not said or "p.jsonl" in said


def test_parts_are_of_bounded_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MAX_PART_BOXES", 4)
    lines = [mention("a.jpg", 0, 0, 2, *[ONE] * 3), mention("a.jpg", 0, 3, 5, *[ONE] * 3)]
    path = write_lines(tmp_path / "p.jsonl", *lines, mention("b.jpg", 0, 0, 2, ONE))
    lookup = lookup_of(small_set())
    sizes = [len(part.ranked.lists.boxes) for part in read_localization(path, lookup, Findings())]
    assert sizes == [6, 1, 0]


def test_boxes_for_words_are_for_all_mentions_with_them(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "p.jsonl",
        {"image": "a.jpg", "phrase": "TWO  dogs", "boxes": [ONE]},
        {"image": "b", "phrase": "two dogs", "caption": 1, "boxes": [TWO], "scores": [0.5]},
        {"image": "b.jpg", "phrase": "two dogs", "caption": 0, "start": 3, "end": 4, "boxes": [ONE, TWO]},
        {"image": "b.jpg", "phrase": "a cat", "boxes": [ONE]},
        {"image": "c.jpg", "phrase": "two dogs", "boxes": [ONE]},
        {"image": "a.jpg", "phrase": "a man", "caption": 0, "start": 3, "end": 5, "boxes": [TWO]},
    )
    found, findings, lookup = read(path)
    named = {lookup.name(row): boxes for row, boxes in found.items() if boxes}
    assert named == {
        "a.jpg caption 0 tokens 3 to 5": [list(ONE)],
        "a.jpg caption 1 tokens 0 to 2": [list(ONE)],
        "b.jpg caption 1 tokens 0 to 2": [list(TWO)],
        "b.jpg caption 0 tokens 3 to 5": [list(ONE), list(TWO)],
    }
    # The last line has the tokens of the dogs, which the first line was for: its words do not count.
    assert only(findings) == {
        "prediction for a mention that the data set does not have": 2,
        "second prediction for the same mention": 1,
    }
    assert findings.examples["prediction for a mention that the data set does not have"] == [
        "line 4: 'a cat' in b.jpg",
        "line 5: 'two dogs' in c.jpg",
    ]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (mention("a.jpg", 0, 0, 2, ONE, scores=[NAN]), "scores"),
        (mention("a.jpg", 0, 0, 2, (0, 0, float("inf"), 4)), "boxes"),
        ({"image": "a.jpg", "phrase": "a man", "boxes": [ONE], "scores": [float("-inf")]}, "scores"),
    ],
)
def test_what_is_not_finite_is_refused_with_its_line_if_that_is_asked_for(
    line: object, field: str, tmp_path: Path
) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps(mention("b.jpg", 0, 0, 2, ONE)) + "\n" + json.dumps(line))
    with pytest.raises(InputError, match=rf"line 2: {field}: has NaN or infinity for a\.jpg caption"):
        list(read_localization(path, lookup_of(small_set()), Findings(), strict=True))
    assert read(path)


def test_a_coco_result_that_is_not_finite_is_refused_with_its_entry(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps([result(1, phrase_id=1), result(1, NAN, phrase_id=1)]))
    with pytest.raises(InputError, match=r"entry 1: scores: has NaN or infinity for image 1"):
        list(read_localization(path, lookup_of(small_set()), Findings(), strict=True))


# Sentences as MDETR's and GLIP's evaluations take them ------------------------------------------------------


SENTENCES = [
    {"image_id": "a", "sentence_id": 1, "boxes": [[ONE], [TWO, ONE], []]},
    {"image_id": "b", "sentence_id": "0", "boxes": [[ONE], [TWO]]},
]


@pytest.mark.parametrize("one_list", [True, False])
def test_sentences_have_a_list_for_each_mention_with_a_box(one_list: bool, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "p.json", *([SENTENCES] if one_list else SENTENCES))
    found, findings, lookup = read(path)
    named = {lookup.name(row): boxes for row, boxes in found.items() if boxes}
    assert named == {
        "a.jpg caption 1 tokens 0 to 2": [list(ONE)],
        "a.jpg caption 1 tokens 3 to 5": [list(TWO), list(ONE)],
        "b.jpg caption 0 tokens 0 to 2": [list(ONE)],
        "b.jpg caption 0 tokens 3 to 5": [list(TWO)],
    }
    assert not only(findings)


def test_the_box_with_which_glip_ends_each_list_is_no_prediction(tmp_path: Path) -> None:
    entry = {
        "image_id": "a",
        "sentence_id": 0,
        "boxes": [[ONE, [0.0] * 4], [[0.0] * 4]],
        "scores": [[0.5], []],
    }
    found, findings, _ = read(write_lines(tmp_path / "p.json", [entry]))
    assert found[0] == [list(ONE)] and found[1] == []
    assert not only(findings)


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        (
            {"image_id": "a", "sentence_id": 0, "boxes": [[ONE]]},
            r"entry 1: boxes: has 1 lists for 2 mentions",
        ),
        ({"image_id": "a", "sentence_id": "x", "boxes": []}, r"entry 1: sentence_id: is not a whole number"),
        (
            {"image_id": [], "sentence_id": 0, "boxes": []},
            r"entry 1: image_id: is neither a text nor a number",
        ),
        (
            {"image_id": "a", "sentence_id": 0, "boxes": [[ONE], [[1]]]},
            r"entry 1: boxes\[1\]\[0\]: is not four",
        ),
    ],
)
def test_a_bad_sentence_is_named(entry: object, error: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=error):
        read(write_lines(tmp_path / "p.json", [SENTENCES[0], entry]))


def test_sentences_that_do_not_exist_are_counted_by_their_mentions(tmp_path: Path) -> None:
    entries = [
        {"image_id": "a", "sentence_id": 2, "boxes": [[ONE], []]},
        {"image_id": 9, "sentence_id": 0, "boxes": []},
    ]
    _, findings, _ = read(write_lines(tmp_path / "p.json", entries))
    assert only(findings) == {"prediction for a mention that the data set does not have": 2}


def test_predictions_for_a_sentence_without_phrases_are_counted_and_change_nothing(tmp_path: Path) -> None:
    """MDETR's evaluator goes over the phrases of a sentence, so it never comes to such predictions."""
    first, second = small_set().images
    bare = replace(first.captions[0], mentions=())
    dataset = replace(small_set(), images=(replace(first, captions=(*first.captions, bare)), second))
    entries = [*SENTENCES, {"image_id": "a", "sentence_id": 2, "boxes": [[ONE], [TWO]]}]
    path = write_lines(tmp_path / "p.json", entries)
    findings = Findings()
    list(read_localization(path, lookup_of(dataset), findings))
    assert only(findings) == {"prediction for a sentence without phrases that have boxes": 2}


# COCO results -----------------------------------------------------------------------------------------------


def result(image: object, score: float = 0.5, **more: object) -> dict[str, object]:
    return {"image_id": image, "bbox": [1, 2, 29, 38], "score": score, **more}


def test_coco_results_are_for_phrases_or_for_types(tmp_path: Path) -> None:
    results = [
        result(1, phrase_id=2, score=0.2),
        {**result(1, phrase_id=2, score=0.9), "bbox": [5, 5, 4.5, 4]},
        result("b.jpg", category_id=1),
        result(1, phrase_id=3),
        result(7, phrase_id=2),
        result(2, phrase_id=2),
        result(2, category_id=3 + 3),
        {**result(2, phrase_id=8), "bbox": [float("-inf"), 0, float("inf"), 5]},
    ]
    (tmp_path / "p.json").write_text("\n" + json.dumps(results))  # orjson writes no infinity
    found, findings, lookup = read(tmp_path / "p.json")
    named = {lookup.name(row): boxes for row, boxes in found.items() if boxes}
    assert named == {
        "a.jpg caption 0 tokens 3 to 5": [list(TWO), list(ONE)],
        "b.jpg caption 0 tokens 0 to 2": [list(ONE)],
        "b.jpg caption 1 tokens 3 to 5": [list(ONE)],
        "b.jpg caption 0 tokens 3 to 5": [[0.0] * 4],
    }
    assert only(findings) == {
        "prediction for a mention without a box": 1,
        "prediction for an image that the data set does not have": 1,
        "prediction for a mention that the data set does not have": 1,
        "prediction for a type without a query in its image": 1,
        "box with NaN or infinity": 1,
    }
    named_images = findings.examples["prediction for an image that the data set does not have"]
    assert named_images == ["entry 4: 7"]


def test_coco_results_may_say_which_characters_of_a_caption_they_are_for(tmp_path: Path) -> None:
    """`A man with two dogs in a park .` and `Two dogs pull the man in a shirt .`"""
    lower = "two dogs pull the man in a shirt ."
    results = [
        result(1, caption=0, tokens_positive=[[0, 5]]),
        {**result("b.jpg", caption=1, tokens_positive=[[14, 17], [23, 26]]), "bbox": [5, 5, 4.5, 4]},
        result("a.jpg", caption=1, tokens_positive=[[14, 21]]),
        result("a", caption=lower, tokens_positive=[[25, 32]]),
        result("b", caption="two dogs run .", tokens_positive=[[0, 8]]),
        result("b", caption=0, tokens_positive=[[900, 901]]),
        result("b", caption=7, tokens_positive=[[0, 8]]),
    ]
    found, findings, lookup = read(write_lines(tmp_path / "p.json", json.dumps(results)))
    named = {lookup.name(row): boxes for row, boxes in found.items() if boxes}
    assert named == {
        "a.jpg caption 0 tokens 0 to 2": [list(ONE)],
        "a.jpg caption 1 tokens 3 to 5": [list(ONE)],
        "a.jpg caption 1 tokens 6 to 8": [list(ONE)],
        "b.jpg caption 0 tokens 3 to 5": [list(ONE)],  # by its words, in both captions
        "b.jpg caption 1 tokens 0 to 2": [list(ONE)],
    }
    assert only(findings) == {
        "prediction for a mention that the data set does not have": 2,
        "characters that do not begin and end with tokens": 1,
    }
    assert findings.examples["prediction for a mention that the data set does not have"] == [
        "entry 1: 'the man in a' in b.jpg",
        "entry 6: caption 7 of b.jpg",
    ]


def test_characters_of_a_coco_result_count_in_the_caption_as_it_was_given(tmp_path: Path) -> None:
    """Exports such as coco-grounding count in `A man with two dogs' toys`, and not in its tokens."""
    text = "A man , with two dogs ' , in a park ."
    tokens = tuple(text.split())
    small = small_set(("a.jpg",))
    own = small.images[0]
    mentions = tuple(
        Mention(MentionKey("a.jpg", 0, start, end), tokens[start:end], ("other",), MAN)
        for start, end in ((0, 2), (4, 7), (9, 11))
    )
    dataset = replace(small, images=(replace(own, captions=(Caption(0, tokens, mentions),)),))
    text = "A man, with two dogs', in a park."
    results = [
        result(1, caption=text.upper(), tokens_positive=[[12, 21]]),
        result(1, caption=text, tokens_positive=[[26, 32]]),
        result(1, caption=0, tokens_positive=[[0, 5]]),
        result(1, tokens_positive=[[12, 21]]),  # in the tokens, this is " two dogs", which is no mention
        result(1, caption=0, tokens_positive=[[12, 20]]),
        result(1, caption=text, tokens_positive=[[13, 21]]),
    ]
    path = write_lines(tmp_path / "p.json", json.dumps(results))
    lookup, findings = lookup_of(dataset), Findings()
    found = [
        lookup.name(row)
        for part in read_localization(path, lookup, findings)
        for at, row in enumerate(part.rows.tolist())
        if len(part.ranked.lists[at])
    ]
    assert found == [f"a.jpg caption 0 tokens {span}" for span in ("4 to 7", "9 to 11", "0 to 2")]
    assert findings.counts["prediction for a mention that the data set does not have"] == 1
    assert findings.examples["characters that do not begin and end with tokens"] == [
        "entry 4: ' two dog' in a.jpg",
        'entry 5: "wo dogs\'" in a.jpg',
    ]


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"tokens_positive": []}, r"tokens_positive: is empty"),
        ({"tokens_positive": [[3]]}, r"tokens_positive\[0\]: is not two numbers"),
        ({"tokens_positive": [[3, 3]]}, r"tokens_positive\[0\]: is empty: begin < end"),
        ({"tokens_positive": [[0, -1]]}, r"tokens_positive\[0\]: is -1, not from 0"),
        ({"tokens_positive": [[0, 5]], "caption": None}, r"caption: is missing"),
        ({"tokens_positive": [[0, 5]], "caption": [0]}, r"caption: is not a whole number"),
    ],
)
def test_bad_characters_of_a_coco_result_are_named(
    wrong: dict[str, object], error: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="entry 0: " + error):
        read(write_lines(tmp_path / "p.json", json.dumps([result(1, caption=0) | wrong])))


def test_a_list_of_many_lines_is_read_no_further_than_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(localization, "MAX_LIST", 1000)
    path = tmp_path / "p.json.gz"
    path.write_bytes(gzip.compress(b"[" + b"0,\n" * 10_000 + b"x" * 5000 + b"]"))
    with pytest.raises(InputError, match=r"has more than 1,000 bytes; use \.npz"):
        read(path)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"bbox": [1, 2, 3, 4], "score": 1}, r"entry 1: image_id: is missing"),
        (result(1), r"entry 1: phrase_id: is missing, and so are tokens_positive and category_id"),
        (result(1, category_id=9), r"entry 1: category_id: is 9, not from 1 to 8"),
        ({**result(1, phrase_id=1), "score": "1"}, r"entry 1: score: is not a number"),
        ({**result(1, phrase_id=1), "score": 10**400}, r"entry 1: score: is not a number"),
    ],
)
def test_a_bad_coco_result_is_named(wrong: object, error: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=error):
        read(write_lines(tmp_path / "p.json", json.dumps([result(1, phrase_id=1), wrong])))


def test_a_category_of_a_projects_own_comes_after_the_eight() -> None:
    """By the first chain that has it, as exports in COCO's format count them."""
    small = small_set()
    first, second = small.images
    park, dogs = first.chains["4"], second.chains["2"]
    changed = (
        replace(first, chains={**first.chains, "4": replace(park, types=("scene", "toys"))}),
        replace(second, chains={**second.chains, "2": replace(dogs, types=("food", "toys"))}),
    )
    assert categories(replace(small, images=changed)) == (*CATEGORIES, "toys", "food")


# Compact ----------------------------------------------------------------------------------------------------


def arrays(**changes: object) -> dict[str, np.ndarray]:
    found: dict[str, object] = {
        "images": np.array(["b.jpg", "a.jpg"]),
        "mentions": np.array([[0, 1, 0, 2], [1, 0, 0, 2], [1, 0, 6, 8]]),
        "offsets": np.array([0, 2, 3, 3]),
        "boxes": np.array([ONE, TWO, TWO], dtype=np.float32),
        "scores": np.array([0.1, 0.9, 0.5]),
        **changes,
    }
    return {name: np.asarray(value) for name, value in found.items() if value is not None}


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_compact_files_are_read(save: object, tmp_path: Path) -> None:
    path = tmp_path / "p.npz"
    save(path, **arrays())  # type: ignore[operator]
    found, findings, lookup = read(path)
    named = {lookup.name(row): boxes for row, boxes in found.items() if boxes}
    assert named == {
        "b.jpg caption 1 tokens 0 to 2": [list(TWO), list(ONE)],
        "a.jpg caption 0 tokens 0 to 2": [list(TWO)],
    }
    assert only(findings) == {"prediction for a mention without a box": 1}


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"boxes": None}, r"p\.npz: boxes: is missing"),
        ({"mentions": None}, r"p\.npz: offsets: has 4 entries for 2 images"),
        ({"mentions": [[0, 1, 0]]}, r"mentions: has the shape \(1, 3\), not \(3, 4\)"),
        ({"mentions": [[5, 1, 0, 2]] * 3}, r"mentions: names an image that is not one of the 2"),
        ({"offsets": [0, 2, 1, 3]}, r"offsets: does not rise from 0"),
        ({"offsets": [0, 2, 20_000, 20_000]}, r"offsets: gives one list more than 10,000 boxes"),
        ({"offsets": [0.0, 2, 3, 3]}, r"offsets: has the type float64, not whole numbers"),
        ({"boxes": np.zeros((2, 4))}, r"boxes: has the shape \(2, 4\), not \(3, 4\)"),
        ({"boxes": np.asfortranarray(np.ones((3, 4)))}, r"boxes: is stored by columns"),
        ({"boxes": np.full((3, 4), "x")}, r"boxes: has the type"),
        ({"scores": [1.0]}, r"scores: has the shape \(1,\), not \(3,\)"),
        ({"images": [1, 2]}, r"images: is not a list of texts"),
    ],
)
def test_a_bad_array_is_named(changes: dict[str, object], error: str, tmp_path: Path) -> None:
    path = tmp_path / "p.npz"
    np.savez(path, **arrays(**changes))  # type: ignore[arg-type]
    with pytest.raises(InputError, match=error):
        read(path)


@given(at=st.integers(0, 10_000), byte=st.integers(0, 255), cut=st.booleans())
def test_a_damaged_archive_is_read_or_named(
    tmp_path_factory: pytest.TempPathFactory, at: int, byte: int, cut: bool
) -> None:
    path = tmp_path_factory.mktemp("x") / "p.npz"
    np.savez(path, **arrays())  # type: ignore[arg-type]
    content = bytearray(path.read_bytes())
    if cut:
        content = content[: at % len(content)]
    else:
        content[at % len(content)] = byte
    path.write_bytes(bytes(content))
    said = error_of(lambda: read(path))
    assert not said or "p.npz" in said
