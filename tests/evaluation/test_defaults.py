"""What a command takes without options is what the same task takes from Python without arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.report.model import Report
from evaluation.significance import REASSIGNMENTS
from evaluation.tasks import selection
from evaluation.tasks.common import Inputs
from tests.evaluation.small_set import small_set
from tests.evaluation.tasks.test_facts import TASKS


@pytest.mark.parametrize("name", TASKS)
def test_options_have_the_defaults_of_the_settings(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "captions.token").write_text("a.jpg#0\tA dog .\n")
    given: list[object] = []

    def evaluate(inputs: Inputs, settings: object = None) -> Report:
        given.extend((inputs.seed, inputs.resamples, settings))
        return Report(name, "", (("nothing", ""),), ())

    monkeypatch.setattr(TASKS[name], "evaluate", evaluate)
    monkeypatch.setattr("evaluation.__main__._for_screen", lambda report: [])
    assert main([name, "--dataset", str(tmp_path / "captions.token")]) == 0
    usual = Inputs(small_set(), {})
    settings = getattr(TASKS[name], "Settings", lambda: None)()
    assert given == [usual.seed, usual.resamples, settings]


def test_systems_are_compared_with_the_reassignments_of_the_paper() -> None:
    """R, section 4.2.2."""
    assert selection.Settings().reassignments == REASSIGNMENTS == 100_000
