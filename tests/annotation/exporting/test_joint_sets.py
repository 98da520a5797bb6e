"""A data set that was annotated by `entities-fast` is exported and read like any other."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from annotation.exporting.dataset import export_dataset
from annotation.formats.datasets.jsonl import FILE
from annotation.models import GoldChain, Judgment
from tests.annotation.exporting.annotated_projects import import_as_gold
from tests.entities_fast import ONE, THREE, TWO, answer, drawn, make_fast, said

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("format", ["jsonl", "flickr30k-entities"])
def test_boxes_that_were_drawn_and_checked_together_are_known_boxes_elsewhere(
    format: str, tmp_path: Path
) -> None:
    batch = make_fast([["man"], ["man"]])
    answer(batch, {"same": True})
    answer(batch, drawn(ONE, TWO, THREE))
    for _ in range(2):
        answer(batch, said("good", "good", "double"))
    manifest = export_dataset(project=batch.project, format=format, out=tmp_path / "out")
    assert manifest.to_json()["protocols"] == {"entities-fast": 1}
    lines = (tmp_path / "out" / "provenance.jsonl").read_bytes().splitlines()
    (box, other) = orjson.loads(lines[0])["boxes"]
    drawer, *checks = Judgment.objects.exclude(item__stage="link").order_by("pk").values_list("pk", flat=True)
    assert box["judgments"] == other["judgments"] == [drawer, *checks]
    source = tmp_path / "out" / FILE if format == "jsonl" else tmp_path / "out"
    project = import_as_gold(source, format)
    (chain,) = GoldChain.objects.filter(image__project=project)
    assert sorted(chain.boxes) == [ONE, TWO] and len(chain.members) == 2
