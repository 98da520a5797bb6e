"""Figures of a data set beside those of Flickr30k Entities."""

from __future__ import annotations

import pytest

from annotation.domain.statistics import Sums
from console.statistics.domain.figures import all_figures


@pytest.mark.parametrize(
    ("name", "value", "paper"),
    [
        ("captions_per_image", 5.0, 5.0),
        ("chains_judged", 100, 123_758),
        ("chains_decided", 3, 4_000),
        ("chains_verified", 90.0, 90.2),
    ],
)
def test_a_figure_stands_beside_the_papers(name: str, value: float, paper: float) -> None:
    sums = Sums(images=4, captions=20, verified=90, broken=10, decided=3)
    found = {one.name: one for one in all_figures(sums)}[name]
    assert (found.value, found.paper) == (value, paper)
