"""What every report names at its top."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

import pytest

from evaluation import tasks
from evaluation.report.model import Report
from evaluation.tasks import clean
from evaluation.tasks.common import Inputs
from tests.evaluation.predictions.test_strategies import line
from tests.evaluation.small_set import small_set, write_lines

TASKS = {
    one.name: module
    for one in iter_modules(tasks.__path__)
    if hasattr(module := import_module(f"{tasks.__name__}.{one.name}"), "evaluate")
}
VERDICT = {"kind": "chain", "image": "a.jpg", "chain": "1", "wrong": False}
GRADE = {"image": "a.jpg", "caption": ["a.jpg", 0], "judge": "anna", "grade": 4}
NEEDED = {"audit": VERDICT, "judgments": GRADE, "strategies": line()}
"""A line of the predictions without which a task has nothing to report."""


def report_of(name: str, module: ModuleType, inputs: Inputs) -> Report:
    if not hasattr(module, "Settings"):
        report = module.evaluate(inputs)
    else:
        report = module.evaluate(
            inputs, clean.Settings(compounds=True) if name == "clean" else module.Settings()
        )
    assert isinstance(report, Report)
    return report


def test_the_tasks_are_those_of_the_command() -> None:
    assert {*TASKS} == {
        *("audit", "captions", "clean", "components", "judgments", "localization"),
        *("pairs", "retrieval", "selection", "strategies"),
    }


@pytest.mark.parametrize("name", TASKS)
def test_every_report_names_the_data_set_and_its_language(name: str, tmp_path: Path) -> None:
    files = {"one": write_lines(tmp_path / "one.jsonl", NEEDED[name])} if name in NEEDED else {}
    dataset = replace(small_set(), language="en-GB")
    facts = report_of(name, TASKS[name], Inputs(dataset, files, resamples=0)).facts
    assert facts[:2] == (("Data set", "small, 2 images"), ("Language", "en-GB"))


@pytest.mark.parametrize("name", sorted({*TASKS} - {"components"}))
def test_reports_about_other_languages_say_what_is_english(name: str, tmp_path: Path) -> None:
    files = {"one": write_lines(tmp_path / "one.jsonl", NEEDED[name])} if name in NEEDED else {}
    german = replace(small_set(), language="de")
    facts = dict(report_of(name, TASKS[name], Inputs(german, files, resamples=0)).facts)
    assert facts["Language"].startswith(
        "de; mind that plural phrases, stop words, lemmas and verbs are English"
    )
