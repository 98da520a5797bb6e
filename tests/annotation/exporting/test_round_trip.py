"""Importing an exported set and exporting it again gives the same bytes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from annotation.domain.merging import MergeSettings
from annotation.formats import jsonl
from tests.annotation.exporting.making import export, files, import_as_gold, make_random
from tests.shared import shared

pytestmark = pytest.mark.django_db

BESIDE = ("manifest.json", "provenance.jsonl")
CHAIN = re.compile(r"(?<=EN#)\d+")


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("merging", [True, False])
def test_entities_files_of_the_crowd_come_back_the_same(seed: int, merging: bool, tmp_path: Path) -> None:
    project = make_random(seed)
    export(project, tmp_path / "one", merge=MergeSettings() if merging else None)
    again = import_as_gold(tmp_path / "one", "flickr30k-entities")
    export(again, tmp_path / "two", source="gold", merge=None)
    first = files(tmp_path / "one", without=BESIDE)
    assert any(name.startswith("Annotations/") for name in first)
    assert files(tmp_path / "two", without=BESIDE) == first


@pytest.mark.parametrize("seed", range(4))
def test_jsonl_comes_back_the_same(seed: int, tmp_path: Path) -> None:
    """From the second time on: judgments belong to the database they were made in, and do not travel."""
    manifest = export(make_random(seed), tmp_path / "crowd", "jsonl")
    project = import_as_gold(tmp_path / "crowd" / jsonl.FILE, "jsonl")
    first = export(project, tmp_path / "one", "jsonl", source="gold", merge=None)
    assert first.content_hash == manifest.content_hash
    again = import_as_gold(tmp_path / "one" / jsonl.FILE, "jsonl")
    export(again, tmp_path / "two", "jsonl", source="gold", merge=None)
    assert files(tmp_path / "two", without=BESIDE) == files(tmp_path / "one", without=BESIDE)


def test_the_real_sample_comes_back_but_for_its_numbers(tmp_path: Path) -> None:
    sample = shared("data", "entities_sample")
    export(import_as_gold(sample, "flickr30k-entities"), tmp_path / "one", source="gold", merge=None)
    theirs = [path.read_text() for path in sorted(sample.glob("Sentences/*.txt"))]
    ours = [path.read_text() for path in sorted((tmp_path / "one").glob("Sentences/*.txt"))]
    assert ours and [CHAIN.sub("", text) for text in ours] == [CHAIN.sub("", text) for text in theirs]
    numbers = [int(number) for text in ours for number in CHAIN.findall(text) if number != "0"]
    assert list(dict.fromkeys(numbers)) == list(range(1, max(numbers) + 1))  # from 1, in reading order
    again = import_as_gold(tmp_path / "one", "flickr30k-entities")
    export(again, tmp_path / "two", source="gold", merge=None)
    assert files(tmp_path / "two", without=BESIDE) == files(tmp_path / "one", without=BESIDE)
