"""The recipes of the documentation work on our exports."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotation.formats.datasets.odvg import OdvgWriter
from tests.annotation.formats.records import IMAGE
from tests.shared import ROOT


def chat(out: Path, *options: str) -> list[dict[str, Any]]:
    """Export two images, and return the lines that the recipe makes of them."""
    with OdvgWriter(out) as writer:
        writer.add(IMAGE)
        writer.add(replace(IMAGE, name="b.jpg"))
    recipe = [sys.executable, str(ROOT / "docs" / "recipes" / "chat_lines.py")]
    files = [str(out / "odvg_train.jsonl"), str(out / "chat.jsonl")]
    subprocess.run([*recipe, *files, *options], check=True)
    return [json.loads(line) for line in (out / "chat.jsonl").read_text(encoding="utf-8").splitlines()]


def test_tags_stand_around_the_phrases_of_the_caption(tmp_path: Path) -> None:
    """Boxes are in thousandths of the image of 100 x 80 pixels."""
    first, second = chat(tmp_path)
    asked, answer = first["conversations"]
    assert (first["image"], second["image"]) == ("a.jpg", "b.jpg")
    assert (asked["from"], answer["from"]) == ("human", "gpt") and asked["value"].startswith("<image>\n")
    assert answer["value"] == (
        "<ref>Two guys</ref><box>(0,0),(500,1000)</box><box>(100,250),(1000,1000)</box> in "
        "<ref>shirts</ref><box>(100,250),(1000,1000)</box> and air ."
    )


@pytest.mark.parametrize(
    ("options", "box"), [((), [10, 20, 100, 80]), (("--scale", "1000"), [100, 250, 1000, 1000])]
)
def test_json_names_a_phrase_for_each_box(options: tuple[str, ...], box: list[int], tmp_path: Path) -> None:
    asked, answer = chat(tmp_path, "--style", "json", *options)[0]["conversations"]
    assert '"Two guys", "shirts"' in asked["value"]
    found = json.loads(answer["value"])
    assert [one["label"] for one in found] == ["Two guys", "Two guys", "shirts"]
    assert found[2]["bbox_2d"] == box
