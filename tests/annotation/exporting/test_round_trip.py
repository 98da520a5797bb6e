"""Importing an exported set and exporting it again gives the same bytes."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from annotation.domain.merge import MergeSettings
from annotation.formats.datasets import jsonl
from annotation.formats.recognition import recognise
from tests.annotation.exporting.annotated_projects import export, files, import_as_gold, make_random
from tests.shared import shared

pytestmark = pytest.mark.django_db

BESIDE = ("about/manifest.json", "about/imported_chains.csv", "provenance.jsonl")
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
@pytest.mark.parametrize("merging", [True, False])
def test_jsonl_of_the_crowd_comes_back_the_same(seed: int, merging: bool, tmp_path: Path) -> None:
    manifest = export(
        make_random(seed), tmp_path / "one", "jsonl", merge=MergeSettings() if merging else None
    )
    again = import_as_gold(tmp_path / "one" / jsonl.FILE, "jsonl")
    second = export(again, tmp_path / "two", "jsonl", source="gold", merge=None)
    first = files(tmp_path / "one", without=BESIDE)
    assert list(first) == [jsonl.FILE] and b'"boxes"' in first[jsonl.FILE]
    assert files(tmp_path / "two", without=BESIDE) == first
    hashed = hashlib.sha256(first[jsonl.FILE]).hexdigest()
    assert second.content_hash == manifest.content_hash == f"sha256:{hashed}"


@pytest.mark.parametrize("format", ["jsonl", "flickr30k-entities"])
def test_an_exported_folder_is_recognised_although_there_is_more_in_it(format: str, tmp_path: Path) -> None:
    export(make_random(1), tmp_path / "one")
    again = import_as_gold(tmp_path / "one", "flickr30k-entities")
    export(again, tmp_path / "two", format, source="gold", merge=None)
    assert (tmp_path / "two" / "about" / "imported_chains.csv").exists()
    assert recognise(tmp_path / "two").format == format
    assert recognise(tmp_path / "two", "jsonl" if format == "jsonl" else "").format == format


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
