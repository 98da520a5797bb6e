"""The statistics name the models that helped, with the counts of the manifest."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.domain.statistics import Sums
from annotation.exporting.dataset import export_dataset
from annotation.exporting.statistics import count_dataset, options_of
from annotation.models import Batch
from console.statistics.domain.figures import model_shares, to_json
from console.statistics.sections import sections
from tests.annotation.exporting.test_box_origins import suggested
from tests.annotation.exporting.test_models_that_judged import judged

pytestmark = pytest.mark.django_db


def sums_of(batch: Batch) -> Sums:
    return count_dataset(project=batch.project, options=options_of("crowd"))[0]


def test_of_suggestions_the_shares_are_drawn_accepted_and_adjusted() -> None:
    batch = suggested()
    sums = sums_of(batch)
    assert {figure.name: figure.value for figure in model_shares(sums)} == pytest.approx(
        {f"boxes_{name}:detector/1": 100 / 3 for name in ("drawn", "accepted", "adjusted")}
    )
    assert Sums.from_json(sums.to_json()) == sums
    out = StringIO()
    call_command("dataset_stats", project=batch.project.name, stdout=out)
    lines = [" ".join(line.split()) for line in out.getvalue().splitlines()]
    assert "Boxes of detector/1 accepted as they were 33.3%" in lines


@pytest.mark.parametrize("alone", [True, False])
def test_of_a_judge_the_share_that_no_worker_judged_is_said(alone: bool, tmp_path: Path) -> None:
    batch = judged(alone)
    figures = to_json(sums_of(batch))["figures"]
    assert figures["boxes_judged:judge/1"]["value"] == 100
    assert figures["boxes_unjudged:judge/1"]["value"] == (100 if alone else 0)
    section = next(one for one in sections(sums_of(batch)) if one.name == "models")
    assert section.rows[0][:2] == ("Boxes that judge/1 judged", "100.0%")
    manifest = export_dataset(project=batch.project, format="huggingface", out=tmp_path / "out")
    assert manifest.models.unjudged["judge/1"] == alone
    card = (tmp_path / "out" / "README.md").read_text()
    none = "1 (100%)" if alone else "0 (0%)"
    said = f"judged 1 (100%) of the 1 boxes before workers did; {none} of them no worker judged."
    assert f"The model `judge/1` {said}" in card


def test_without_models_nothing_is_said() -> None:
    sums = Sums.from_json({name: one for name, one in Sums().to_json().items() if name != "models"})
    assert model_shares(sums) == []
    assert all(one.name != "models" for one in sections(Sums(images=1)))
