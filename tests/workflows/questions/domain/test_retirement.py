from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflows.batch_settings.domain.quality_control import Control
from workflows.questions.domain.retirement import DOUBTFUL, WORN_OUT, Record, retired_for

CONTROL = Control(exposures=100, retire_after=10, retire_below=0.5)


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (Record(exposures=99, good_asked=99, good_right=99), ""),
        (Record(exposures=100, good_asked=99, good_right=99), WORN_OUT),
        (Record(exposures=9, good_asked=9, good_right=0), ""),  # too few answers to decide
        (Record(exposures=10, good_asked=10, good_right=4), DOUBTFUL),
        (Record(exposures=10, good_asked=10, good_right=5), ""),  # half of them is not below half
        (Record(exposures=100, good_asked=10, good_right=4), DOUBTFUL),
    ],
)
def test_a_question_is_retired_for_what_became_of_it(record: Record, reason: str) -> None:
    assert retired_for(record, CONTROL) == reason


@given(st.integers(0, 50), st.integers(0, 50))
def test_one_more_right_answer_of_a_good_worker_never_makes_it_doubtful(asked: int, wrong: int) -> None:
    record = Record(exposures=0, good_asked=asked + wrong, good_right=asked)
    better = Record(exposures=0, good_asked=asked + wrong + 1, good_right=asked + 1)
    if not retired_for(record, CONTROL) and record.good_asked >= CONTROL.retire_after:
        assert not retired_for(better, CONTROL)
