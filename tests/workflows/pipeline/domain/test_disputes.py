"""docs/protocol.md, "Stage 1": when a chain that contradicts itself gets a case."""

from __future__ import annotations

import pytest

from annotation.domain.answers import Stage
from annotation.domain.chain_states import REVIEW, SPLIT, WITHDRAWN
from tests.workflows.pipeline.domain.image_builder import mention
from workflows.pipeline.domain.disputes import disputed_pairs

TWICE = [mention(1, 0), mention(2, 1), mention(3, 1)]
OF_LINKS = ((1, 2),)
OF_CAPTION = [(2, 3)]
VERIFICATION, DRAWING = Stage.VERIFICATION, Stage.DRAWING


@pytest.mark.parametrize(
    ("generation", "before", "now", "every", "pairs"),
    [
        (0, "", DRAWING, False, OF_LINKS),  # nobody verifies it
        (0, "", VERIFICATION, False, ()),  # the worker who verifies it is asked first
        (0, "", VERIFICATION, True, OF_LINKS),  # settle: cycles
        (0, WITHDRAWN, DRAWING, False, OF_LINKS),  # it follows again
        (0, "", SPLIT, False, ()),  # a replay finds it broken already
        (0, VERIFICATION, DRAWING, False, OF_CAPTION),  # verification kept it
        (0, VERIFICATION, SPLIT, False, ()),
        (0, VERIFICATION, REVIEW, False, ()),  # workers could not tell
        (0, VERIFICATION, VERIFICATION, False, ()),
        (0, VERIFICATION, WITHDRAWN, False, ()),
        (0, DRAWING, DRAWING, False, ()),
        (1, "", DRAWING, False, OF_CAPTION),  # a part of a broken chain
        (2, "", DRAWING, False, ()),  # a researcher made it
        (2, VERIFICATION, DRAWING, False, OF_CAPTION),
    ],
)
def test_a_chain_gets_its_case_where_no_worker_is_asked_any_more(
    generation: int, before: str, now: str, every: bool, pairs: object
) -> None:
    found = disputed_pairs(TWICE, OF_LINKS, generation=generation, before=before, now=now, every=every)
    assert found == pairs
