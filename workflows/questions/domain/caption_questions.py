"""Verification questions about whole captions, from captions that are known to describe an image or not.

The source is Hodosh, Young and Hockenmaier (2013), section 4.3.2: a control has ten captions for an image of
the development data, one to three of which are its own. The wrong ones were looked at. Here, they share no
content word with any caption of the image [ours].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from annotation.domain.answers import CampaignStage, CaptionJudgment
from evaluation.caption_words import content_words

CONTROL_CAPTIONS = 10
MOST_OWN = 3
"""The most captions of a control that are the image's own."""
MADE_STAGES = (CampaignStage.CAPTION_CHECK, CampaignStage.GRADING, CampaignStage.RELEVANCE)
"""The stages whose questions can be made from known captions."""


@dataclass(frozen=True, slots=True)
class CaptionQuestion:
    """The captions that are shown for an image, and the right answer object."""

    kind: str
    captions: tuple[str, ...]
    answer: Mapping[str, Any]


def make_caption_question(
    stage: str, own: Sequence[str], others: Sequence[str], rng: Random
) -> CaptionQuestion | None:
    """Return a question of the stage about an image, or None if there are too few captions for it.

    `own` are the captions of the image, and `others` some of other images. A question about one caption
    shows one of either kind, as often.
    """
    taken = {word for caption in own for word in content_words(caption)}
    shuffled = rng.sample(list(others), len(others))
    wrong = list(dict.fromkeys(one for one in shuffled if taken.isdisjoint(content_words(one))))
    if not own:
        return None
    if stage == CampaignStage.RELEVANCE:
        right = rng.sample(list(own), rng.randint(1, min(MOST_OWN, len(own))))
        if len(wrong) < CONTROL_CAPTIONS - len(right):
            return None
        shown = [(one, True) for one in right]
        shown += [(one, False) for one in wrong[: CONTROL_CAPTIONS - len(right)]]
        rng.shuffle(shown)
        describes = [is_own for _, is_own in shown]
        return CaptionQuestion("control", tuple(text for text, _ in shown), {"describes": describes})
    is_own = rng.random() < 0.5
    if not is_own and not wrong:
        return None
    text = rng.choice(list(own)) if is_own else wrong[0]
    answer: Mapping[str, Any]
    if stage == CampaignStage.GRADING:
        answer = {"grade": 4 if is_own else 1}
    elif stage == CampaignStage.CAPTION_CHECK:
        answer = {"caption": (CaptionJudgment.RIGHT if is_own else CaptionJudgment.WRONG).value}
    else:
        raise ValueError(f"no questions of {stage} are made from captions")
    return CaptionQuestion("own" if is_own else "other", (text,), answer)
