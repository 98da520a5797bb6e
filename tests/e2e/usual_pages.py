"""Pages of the API as they usually are: captions of twelve words, and a photograph of 500 x 375 pixels.

`hard_pages` has the longest ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.domain.answers import CampaignStage, JointStage, Stage
from tests.e2e.hard_pages import PAGE_ID

STAGES: tuple[Stage | JointStage | CampaignStage, ...] = (*Stage, *JointStage, *CampaignStage)
SIZE = (500, 375)
CAPTIONS = (
    ("A man in a blue shirt is standing on ", "a ladder", " cleaning a window ."),
    ("Someone in a blue shirt and hat is standing on ", "stair", " and leaning against a window ."),
)
"""Two real captions of one photograph: before the mention, the mention, and after it."""
FIRST, SECOND = [30, 40, 120, 200], [200, 140, 290, 300]
COUNTS: Mapping[str, int] = {
    Stage.LINK: 2,
    Stage.VERIFICATION: 4,
    CampaignStage.RELEVANCE: 10,
    CampaignStage.WRITING: 0,
}
"""How many captions a question has, where it is not one."""


def usual_page(stage: str, items: int = 2, captions: int | None = None) -> dict[str, Any]:
    """Return a page of the API, with so many captions a question, or as many as usual."""
    count = COUNTS.get(stage, 1) if captions is None else captions
    question: dict[str, Any] = {
        "image": {"id": "usual", "url": "/media/usual.jpg", "width": SIZE[0], "height": SIZE[1]},
        "captions": [_caption(number) for number in range(count)],
        "language": "en",
    }
    if stage in (Stage.DRAWING, Stage.QUALITY, Stage.COVERAGE):
        question["boxes"] = [FIRST]
    if stage == Stage.QUALITY:
        question["box"] = SECOND
    if stage == JointStage.CHECK:
        question |= {"boxes": [], "new_boxes": [FIRST, SECOND]}
    return {
        "id": PAGE_ID,
        "stage": stage,
        "state": "live",
        "expires_at": "2030-01-01T00:00:00Z",
        "expires_in": 900,
        "reward": {"amount": 25, "currency": "USD"},
        "usual_seconds": 75,
        "drawing": {"method": "either", "minimum_side": 3},
        "check": {"preset": "good"},
        "items": [{"item": number, "question": question} for number in range(1, items + 1)],
    }


def _caption(number: int) -> dict[str, Any]:
    before, mention, after = CAPTIONS[number % 2]
    words = [(before, False), (mention, True), (after, False)]
    return {"index": number, "segments": [{"text": text, "mention": marked} for text, marked in words]}
