from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.captions import json_captions
from annotation.formats.captions.json_captions import listed, read

GOOD = {"image": "a.jpg", "caption": "A man ."}
IMAGE = ImageRecord("a.jpg", (CaptionRecord(0, "A man ."),))


def written(folder: Path, content: object) -> Path:
    path = folder / "captions.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_entries_are_those_of_the_list_or_of_the_lists_in_the_object(tmp_path: Path) -> None:
    content = {"info": {"x": [1, [2]]}, "n": 3, "images": [{"a": [1]}, 7], "z": [[], {}]}
    found = [(one.list, one.index, one.value) for one in listed(written(tmp_path, content))]
    assert found == [("images", 0, {"a": [1]}), ("images", 1, 7), ("z", 0, []), ("z", 1, {})]
    found = [
        (one.list, one.index, one.value) for one in listed(written(tmp_path, [[1, [2]], "x", {"a": {}}]))
    ]
    assert found == [("", 0, [1, [2]]), ("", 1, "x"), ("", 2, {"a": {}})]


@pytest.mark.parametrize("entry", [7, "x", [GOOD], {"image": "b.jpg"}, {"image": "b.jpg", "caption": 3}])
@pytest.mark.parametrize("shape", ["list", "images", "lines"])
def test_a_bad_entry_is_said_with_its_place_and_the_rest_is_read(
    tmp_path: Path, shape: str, entry: Any
) -> None:
    if shape == "lines":
        path = written(tmp_path, f"{json.dumps(GOOD)}\n{json.dumps(entry)}\n")
    else:
        path = written(tmp_path, [GOOD, entry] if shape == "list" else {"images": [GOOD, entry]})
    problem, image = sorted(read(path), key=lambda one: isinstance(one, ImageRecord))
    assert image == IMAGE and isinstance(problem, Problem)
    place = {"list": "entry 1: ", "images": "images[1]: ", "lines": ""}[shape]
    assert problem.message.startswith(place) and problem.line == (2 if shape == "lines" else None)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (f"[{json.dumps(GOOD)}, ", "premature EOF"),
        (f"[{json.dumps(GOOD)}, " + "[" * 40, "nested deeper than 32"),
        (f'[{json.dumps(GOOD)}, {{"x": "{"x" * 5_000_000}"}}]', "entry 1 of a list is too large"),
        (f"[{json.dumps(GOOD)}, [{'0,' * 500_000}0]]", "entry 1 of a list is too large"),
    ],
)
def test_a_damaged_or_huge_file_is_one_problem_after_what_came_before(
    tmp_path: Path, content: str, says: str
) -> None:
    found = list(read(written(tmp_path, content)))
    (problem,) = [one for one in found if isinstance(one, Problem)]
    assert problem.whole and says in problem.message and IMAGE in found


def test_packed_files_are_read_to_their_damage(tmp_path: Path) -> None:
    path = tmp_path / "captions.json.gz"
    path.write_bytes(gzip.compress(json.dumps([GOOD]).encode()))
    assert list(read(path)) == [IMAGE]
    path.write_bytes(path.read_bytes()[:-9])
    found = list(read(path))
    assert any(isinstance(one, Problem) and one.whole for one in found)


def test_a_line_that_is_no_json_is_said_with_its_number(tmp_path: Path) -> None:
    found = list(read(written(tmp_path, f"{json.dumps(GOOD)}\nnonsense\n\n{json.dumps(GOOD)}\n")))
    (problem,) = [one for one in found if isinstance(one, Problem)]
    assert problem.line == 2 and "not JSON" in problem.message


@pytest.mark.parametrize("bad", ["NaN", "null", '"nan"', "3", '""'])
def test_lines_after_a_refused_caption_keep_their_numbers(tmp_path: Path, bad: str) -> None:
    lines = "".join(f'{{"image": "a.jpg", "caption": {text}}}\n' for text in ('"A dog."', bad, '"A cat."'))
    problem, record = read(written(tmp_path, lines))
    assert isinstance(problem, Problem) and problem.line == 2
    assert record == ImageRecord("a.jpg", (CaptionRecord(0, "A dog."), CaptionRecord(2, "A cat.")))


@pytest.mark.parametrize("content", ['[{"image": "a.jpg", "caption": %s}]', '{"a.jpg": %s}'])
def test_one_missing_caption_leaves_the_others_of_its_list(tmp_path: Path, content: str) -> None:
    problem, record = read(written(tmp_path, content % '["A dog.", NaN, "A cat."]'))
    assert isinstance(problem, Problem) and "caption 1 of a.jpg: the caption is missing" in problem.message
    assert record == ImageRecord("a.jpg", (CaptionRecord(0, "A dog."), CaptionRecord(2, "A cat.")))


def test_a_line_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_captions, "MAX_RECORD", 100)
    long = json.dumps({"image": "b.jpg", "caption": "x" * 100})
    found = list(read(written(tmp_path, f"{json.dumps(GOOD)}\n{long}\n")))
    assert IMAGE in found and any("longer than 100 bytes" in str(one) for one in found)
