"""An export says which models judged its boxes and chains, and leaves them out if you want."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from annotation.exporting.dataset import ExportOptions, NothingToExport, export_dataset
from annotation.models import Batch, Chain, Decision, ModelAnswer
from tests.entities_fast import ONE, answer, drawn, said
from tests.factories import NOW
from tests.judging_models import SURE, count_for, held, judge_all, make_judged

pytestmark = pytest.mark.django_db


def judged(alone: bool) -> Batch:
    """Return a batch whose only chain a model has judged, or a model and a worker."""
    batch = make_judged()
    answer(batch, drawn(ONE))
    count_for(held()[0], SURE if alone else 0.1, complete=SURE)
    if not alone:
        answer(batch, said("good"))
    assert Chain.objects.get().state == "done"
    return batch


def exported(batch: Batch, out: Path, *, people_only: bool = False) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the provenance of the only image, and the manifest."""
    manifest = export_dataset(
        project=batch.project, format="jsonl", out=out, options=ExportOptions(people_only=people_only)
    )
    (line,) = (out / "provenance.jsonl").read_text().splitlines()
    return json.loads(line), manifest.to_json()


@pytest.mark.parametrize("alone", [True, False])
def test_a_box_and_a_chain_name_the_model_that_judged_them(alone: bool, tmp_path: Path) -> None:
    found, manifest = exported(judged(alone), tmp_path / "out")
    (chain,), (box,) = found["chains"], found["boxes"]
    assert chain["models"] == box["models"] == ["judge/1"]
    assert len(box["judgments"]) == (1 if alone else 2)
    counts = {"judge/1: boxes": 1, "judge/1: chains": 1}
    assert manifest["models"] == (counts | {"judge/1: boxes that no worker judged": 1} if alone else counts)


def test_parquet_holds_the_names_of_models(tmp_path: Path) -> None:
    export_dataset(project=judged(True).project, format="parquet", out=tmp_path / "out")
    for table in ("boxes", "chains"):
        (file,) = (tmp_path / "out").rglob(f"{table}.parquet")
        assert pq.read_table(file)["models"].to_pylist() == [["judge/1"]]


def test_what_only_people_judged_can_be_exported_alone(tmp_path: Path) -> None:
    batch = judged(True)
    options = ExportOptions(people_only=True)
    with pytest.raises(NothingToExport):
        export_dataset(project=batch.project, format="jsonl", out=tmp_path / "none", options=options)
    decision = Decision.objects.create(project=batch.project, kind="distrust", by="ada", created_at=NOW)
    ModelAnswer.objects.update(set_aside=decision)
    found, manifest = exported(batch, tmp_path / "out", people_only=True)
    assert "models" not in manifest and "models" not in json.dumps(found)


def test_a_sealed_answer_is_nothing_that_data_rest_on(tmp_path: Path) -> None:
    batch = make_judged()
    answer(batch, drawn(ONE))
    judge_all(batch)
    answer(batch, said("good"))
    found, manifest = exported(batch, tmp_path / "out", people_only=True)
    assert "models" not in manifest and "models" not in json.dumps(found)


def test_which_model_judged_changes_nothing_of_the_content(tmp_path: Path) -> None:
    """The hash is that of the annotation, whoever judged it."""
    batch = judged(True)
    before = export_dataset(project=batch.project, format="jsonl", out=tmp_path / "a").content_hash
    ModelAnswer.objects.update(
        set_aside=Decision.objects.create(project=batch.project, kind="distrust", by="ada", created_at=NOW)
    )
    assert export_dataset(project=batch.project, format="jsonl", out=tmp_path / "b").content_hash == before
