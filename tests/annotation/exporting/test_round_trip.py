"""Importing an exported set and exporting it again gives the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.domain.merging import MergeSettings
from annotation.formats import jsonl
from tests.annotation.exporting.making import export, files, import_as_gold, make_random
from tests.shared import shared

pytestmark = pytest.mark.django_db

BESIDE = ("manifest.json", "provenance.jsonl")


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
    ours = (tmp_path / "one" / "Sentences" / "134206.txt").read_text()
    assert ours.startswith("[/EN#1/people The members of the rowing club] are sitting in [/EN#2/scene the")
    again = import_as_gold(tmp_path / "one", "flickr30k-entities")
    export(again, tmp_path / "two", source="gold", merge=None)
    assert files(tmp_path / "two", without=BESIDE) == files(tmp_path / "one", without=BESIDE)
