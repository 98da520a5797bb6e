"""What Prolific takes as a reason to reject."""

from __future__ import annotations

import pytest

from workflows.platforms.prolific.domain.rejections import (
    MAX_LENGTH,
    MIN_LENGTH,
    ReasonError,
    Rejection,
    read_reason,
)

TEXT = "x" * MIN_LENGTH


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (TEXT, Rejection("OTHER", TEXT)),
        (f"LOW_EFFORT: {TEXT}", Rejection("LOW_EFFORT", TEXT)),
        (f"  NO_DATA:{TEXT}\n", Rejection("NO_DATA", TEXT)),
        (f"Note: {TEXT}", Rejection("OTHER", f"Note: {TEXT}")),
    ],
)
def test_a_category_may_stand_before_the_text(reason: str, expected: Rejection) -> None:
    assert read_reason(reason) == expected


@pytest.mark.parametrize(
    "reason", ["", TEXT[1:], f"LOW_EFFORT: {TEXT[1:]}", " " * 200, "x" * (MAX_LENGTH + 1)]
)
def test_a_text_that_is_too_short_or_long_is_refused_with_its_length(reason: str) -> None:
    with pytest.raises(ReasonError, match="this one has"):
        read_reason(reason)


def test_an_unknown_category_is_refused_with_those_there_are() -> None:
    with pytest.raises(ReasonError, match=r"BORING is not a category.*LOW_EFFORT"):
        read_reason(f"BORING: {TEXT}")
