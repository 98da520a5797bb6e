"""Whether two answers say the same."""

from __future__ import annotations

from typing import Any

import pytest

from workflows.analysis.domain.same_answers import agrees, same_answer

BOX, NEAR, FAR = [0, 0, 100, 100], [0, 0, 100, 75], [0, 0, 100, 69]


@pytest.mark.parametrize(
    ("stage", "one", "other", "same"),
    [
        ("link", {"same": True}, {"same": True}, True),
        ("link", {"same": True}, {"same": False}, False),
        ("requirement", {"requirement": "scene"}, {"requirement": "nobox"}, True),
        ("requirement", {"requirement": "box"}, {"requirement": "nobox"}, False),
        ("drawing", {"box": BOX}, {"box": NEAR}, True),
        ("drawing", {"box": BOX}, {"box": FAR}, False),
        ("drawing", {"box": BOX}, {"box": None}, False),
        ("drawing", {"box": None}, {"box": None}, True),
        ("boxes", {"boxes": [{"box": BOX}]}, {"boxes": [{"box": NEAR}]}, True),
        ("boxes", {"boxes": [{"box": BOX}]}, {"boxes": [{"box": BOX}, {"box": FAR}]}, False),
        (
            *("boxes", {"boxes": [{"box": BOX}, {"box": [200, 0, 300, 9]}]}),
            *({"boxes": [{"box": BOX}, {"box": NEAR}]}, False),
        ),
        ("boxes", {"none": "scene"}, {"none": "nobox"}, True),
        (
            *("check", {"boxes": ["good", "cut"], "missing": False}),
            *({"boxes": ["good", "loose"], "missing": False}, True),
        ),
        (
            *("check", {"boxes": ["good", "cut"], "missing": False}),
            *({"boxes": ["cut", "good"], "missing": False}, False),
        ),
        ("check", {"boxes": ["good"], "missing": True}, {"boxes": ["wrong"], "missing": True}, False),
        ("relevance", {"describes": [True, False]}, {"describes": [True, False]}, True),
        ("relevance", {"describes": [True, False]}, {"describes": [False, True]}, False),
        ("caption_check", {"caption": "right"}, {"caption": "minor"}, False),
        ("grading", {"grade": 3}, {"grade": 3}, True),
        ("writing", {"caption": "A dog ."}, {"caption": "A dog ."}, None),
        ("link", {"unusable": True}, {"same": True}, None),
        ("link", {"same": True}, {"unusable": True}, None),
    ],
)
def test_answers_are_the_same_or_not(
    stage: str, one: dict[str, Any], other: dict[str, Any], *, same: bool | None
) -> None:
    assert same_answer(stage, one, other) is same
    assert same_answer(stage, other, one) is same


def test_reasons_for_no_box_agree() -> None:
    assert agrees("requirement", 1, 2)
    assert not agrees("requirement", 0, 2)
    assert not agrees("caption_check", 1, 2)
