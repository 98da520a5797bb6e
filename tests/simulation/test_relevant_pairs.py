"""Exported judgments are compared with which captions are an image's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from simulation.relevant_pairs import Relevant, relevant_pairs


def write(path: Path, name: str, *judged: tuple[str, str, list[float]]) -> Path:
    lines = [
        {"image": image, "caption": [of, 0], "judge": f"judge {number}", name: value}
        for image, of, values in judged
        for number, value in enumerate(values)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


@pytest.mark.parametrize(("name", "no", "yes"), [("ticked", 0, 1), ("grade", 1, 4)])
def test_a_pair_is_relevant_by_its_mean(tmp_path: Path, name: str, no: float, yes: float) -> None:
    path = write(
        tmp_path / "judgments.jsonl",
        name,
        ("a", "a", [yes, yes, no]),
        ("b", "b", [yes, no, no]),
        ("a", "b", [no, no, no]),
        ("b", "a", [yes, yes, yes]),
    )
    found = relevant_pairs(path)
    assert found == Relevant(pairs=4, own=2, hits=1, false=1)
    assert found.right == 2
