from __future__ import annotations

import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Project
from tests.annotation.exporting.annotated_projects import Made, make_annotated
from tests.factories import make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    chains = [Made([0], [(0, 0, 100, 100), (0, 0, 50, 50)]), Made([1], (), "nonvisual", "nobndbox")]
    return make_annotated(chains, [["man", "dog"]])


def test_it_prints_and_writes_every_figure(project: Project, tmp_path: Path) -> None:
    out = io.StringIO()
    call_command(
        "dataset_stats",
        project=project.name,
        json=tmp_path / "s.json",
        plots=tmp_path / "new" / "plots",
        stdout=out,
    )
    lines = [" ".join(line.split()) for line in out.getvalue().splitlines()]
    assert "Boxes that another encloses 50.0% (paper: 49.2%)" in lines
    # with as many digits as the number beside it, as on the page
    assert "Mentions an image 2.00 (paper: 16.16)" in lines
    assert "Mean IoU of a box with the nearest other of its image 0.25 (paper: 0.37)" in lines
    said = json.loads((tmp_path / "s.json").read_text())
    assert said["figures"]["chains_no_box"] == {"value": 50.0, "paper": 20.9, "unit": "%"}
    assert said["types"]["people"]["boxes_per_chain"] == 2.0
    assert said["types"]["people"]["paper"]["boxes_per_chain"] == 1.95
    assert [word["word"] for word in said["nouns"]] == ["dog", "man"]
    assert said["nouns"][1] | {"word": "man", "boxes": 2, "boxes_percent": 100.0} == said["nouns"][1]
    plots = list((tmp_path / "new" / "plots").glob("*.svg"))
    assert len(plots) == 9
    assert all(ElementTree.fromstring(plot.read_bytes()).tag.endswith("svg") for plot in plots)  # noqa: S314


def test_refusals_name_what_is_wrong(project: Project, tmp_path: Path) -> None:
    for options, said in (
        ({"project": "none"}, "there is no project 'none'"),
        ({"project": project.name, "batch": "none"}, "has no batch 'none'"),
        (
            {"project": project.name, "source": "gold", "batch": "main"},
            "only the crowd's annotation has batches",
        ),
        ({"project": project.name, "json": tmp_path / "no" / "s.json"}, "s.json cannot be written"),
        ({"project": make_project().name}, "no image would be exported"),
    ):
        with pytest.raises(CommandError, match=said):
            call_command("dataset_stats", **options, stdout=io.StringIO())
