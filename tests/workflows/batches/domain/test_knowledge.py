"""What a forecast begins with: the paper's numbers, the project's own, or those of the batch itself."""

from __future__ import annotations

import pytest

from annotation.domain.answers import Stage
from workflows.analysis.domain.kept_counts import Judgments, StageJudgments, Times
from workflows.batch_settings.domain.paper import SECONDS
from workflows.batches.domain.knowledge import PHOTOGRAPH, learnt, with_visits


def test_the_projects_own_numbers_are_taken_once_there_are_enough() -> None:
    few = StageJudgments(judgments=49, median=2.0, p90=2.0)
    enough = StageJudgments(judgments=50, median=2.0, p90=4.0, pages_judged=50, rejected_pages=10)
    known = learnt(Judgments({"link": few, "drawing": enough}), None).stages
    assert (known["link"].seconds, known["link"].own) == (SECONDS[Stage.LINK], False)
    assert known["drawing"].own and known["drawing"].rejected == 0.2
    assert 2.0 < known["drawing"].seconds < 4.0, "a mean, of times with a long tail"


def test_the_batchs_own_times_come_before_those_of_the_project() -> None:
    project = Judgments({"link": StageJudgments(judgments=5000, median=9.0, p90=9.0)})
    few = Judgments({"link": StageJudgments(judgments=49, median=2.0, p90=2.0)})
    enough = Judgments({"link": StageJudgments(judgments=50, median=2.0, p90=2.0)})
    assert learnt(project, None, here=few).stages["link"].seconds == 9.0
    assert learnt(project, None, here=enough).stages["link"].seconds == 2.0


def test_times_that_were_measured_with_visits_have_saved_that_already() -> None:
    ways = {"first": Times(20, 8.0, 9.0), "further": Times(30, 4.0, 5.0)}
    measured = Judgments({"link": StageJudgments(judgments=50, median=5.0, p90=5.0, ways=ways)})
    elsewhere, here = learnt(measured, None), learnt(None, None, here=measured)
    assert with_visits(elsewhere, {"link": 0.6}).stages["link"].seconds == pytest.approx(5.0)
    assert with_visits(elsewhere, {"link": 0.8}).stages["link"].seconds == pytest.approx(
        5.0 - 0.2 * PHOTOGRAPH
    )
    assert with_visits(elsewhere, {}) == elsewhere
    assert with_visits(here, {"link": 0.1}).stages["link"].seconds == 5.0
