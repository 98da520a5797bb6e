"""Figures that MDETR's and GLIP's evaluators gave for made-up predictions, which ours gives as well.

Both evaluators (MDETR's `datasets/flickr_eval.py` at commit ea09acc, GLIP's `flickr_eval.py` at 9dda955) were
run on the folder and the predictions that `tests.evaluation.made_entities` makes with this seed, and gave the
same. docs/evaluation.md explains where our defaults differ.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.localization import Rule
from evaluation.readers.recognition import read_dataset
from evaluation.tasks.common import Inputs
from evaluation.tasks.localization import Settings, evaluate
from tests.evaluation.made_entities import write_made_entities
from tests.evaluation.small_set import write_lines
from tests.evaluation.tasks.reading import row

PUBLISHED: dict[Rule, tuple[float, float, float, float]] = {
    "merged": (0.15159574468085107, 0.39893617021276595, 0.47606382978723405, 0.4867021276595745),
    "any": (0.3271276595744681, 0.7340425531914894, 0.8164893617021277, 0.8271276595744681),
}
"""R@1, R@5, R@10 and the upper bound."""
BY_TYPE: dict[Rule, dict[str, float]] = {
    "merged": {
        "people": 0.1346153846153846,
        "clothing": 0.140625,
        "bodyparts": 0.16129032258064516,
        "animals": 0.21311475409836064,
        "vehicles": 0.10909090909090909,
        "instruments": 0.15517241379310345,
        "scene": 0.19298245614035087,
        "other": 0.1518987341772152,
    },
    "any": {
        "people": 0.3076923076923077,
        "clothing": 0.375,
        "bodyparts": 0.3870967741935484,
        "animals": 0.4098360655737705,
        "vehicles": 0.21818181818181817,
        "instruments": 0.3620689655172414,
        "scene": 0.3684210526315789,
        "other": 0.2911392405063291,
    },
}
"""R@1."""


@pytest.mark.parametrize("rule", PUBLISHED)
def test_figures_are_equal_to_the_last_digit(rule: Rule, tmp_path: Path) -> None:
    predictions = write_made_entities(tmp_path / "set", 30, 2017)
    path = write_lines(tmp_path / "p.json", predictions)
    inputs = Inputs(read_dataset(tmp_path / "set", split="test"), {"p": path}, resamples=0)
    report = evaluate(inputs, Settings(rule=rule, suppression=None, published=True))
    total = row(report, "recall", "p")
    assert total["queries"] == 376
    assert (total["R@1"], total["R@5"], total["R@10"], total["upper bound"]) == PUBLISHED[rule]
    assert {name: row(report, "all", "p", name, "type")["R@1"] for name in BY_TYPE[rule]} == BY_TYPE[rule]


def test_in_pixel_edges_boxes_of_exactly_half_the_width_miss(tmp_path: Path) -> None:
    predictions = write_made_entities(tmp_path / "set", 30, 2017)
    path = write_lines(tmp_path / "p.json", predictions)
    inputs = Inputs(read_dataset(tmp_path / "set"), {"p": path}, resamples=0)
    total = row(evaluate(inputs, Settings(suppression=None)), "recall", "p")
    assert isinstance(total["R@1"], float) and total["R@1"] < PUBLISHED["merged"][0]
