"""Verification questions about whole captions, from captions that are known to describe an image or not.

The source is Hodosh, Young and Hockenmaier (2013), section 4.3.2: a control has ten captions for an image of
the development data, one to three of which are its own. The wrong ones were looked at. Here, they are those
that experts have graded so, and then such as share no content word with any caption of the image [ours].
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import fmean
from typing import Any

from annotation.domain.answers import CampaignStage, CaptionJudgment
from evaluation.caption_words import content_words

CONTROL_CAPTIONS = 10
MAX_OWN_CAPTIONS = 3
"""The most captions of a control that are the image's own."""
MIN_JUDGES = 2
"""So many experts must have graded a caption before a question relies on it [ours]."""
WRONG_BELOW, RIGHT_FROM = 1.5, 3.0
"""The mean grades below which a caption is certainly wrong for an image, and from which on its own caption is
right: *minor errors* [ours]."""
MADE_STAGES = (CampaignStage.CAPTION_CHECK, CampaignStage.GRADING, CampaignStage.RELEVANCE)
"""The stages whose questions can be made from known captions."""


@dataclass(frozen=True, slots=True)
class CaptionQuestion:
    """The captions that are shown for an image, the right answer object, and why it is right."""

    kind: str
    captions: tuple[str, ...]
    answer: Mapping[str, Any]
    explanation: str


@dataclass(frozen=True, slots=True)
class Graded:
    """What experts' grades say about captions for one image: which are certainly wrong, and which are not."""

    wrong: Sequence[str] = ()
    not_wrong: Collection[str] = field(default_factory=frozenset)
    not_right: Collection[str] = field(default_factory=frozenset)


def graded_captions(grades: Iterable[tuple[str, int]]) -> Graded:
    """Return what these grades of captions (text, 1 to 4) for one image say.

    >>> graded_captions([("A dog .", 1), ("A dog .", 1), ("A cat .", 4), ("A cat .", 4), ("A cow .", 1)])
    Graded(wrong=['A dog .'], not_wrong={'A cat .'}, not_right={'A dog .'})
    """
    by_text: dict[str, list[int]] = {}
    for text, grade in grades:
        by_text.setdefault(text, []).append(grade)
    means = {text: fmean(given) for text, given in by_text.items() if len(given) >= MIN_JUDGES}
    return Graded(
        wrong=[text for text, mean in means.items() if mean < WRONG_BELOW],
        not_wrong={text for text, mean in means.items() if mean >= WRONG_BELOW},
        not_right={text for text, mean in means.items() if mean < RIGHT_FROM},
    )


def images_by_role(
    images: Iterable[int], roles: Mapping[int, Collection[str]], wanted: Mapping[str, int]
) -> dict[str, list[int]]:
    """Return which images serve which role, up to the `wanted` number for each role.

    Images without questions come first, so that workers do not see one again and again. Each goes to the role
    that lacks the largest share of what is wanted, so that too few images still serve every role. An image
    that has questions keeps their role.

    >>> images_by_role([1, 2, 3, 4], {1: {"test"}, 2: {"test"}}, {"gold": 2, "test": 2})
    {'gold': [3], 'test': [4, 1]}
    """
    found: dict[str, list[int]] = {role: [] for role in wanted}
    for image in sorted(images, key=lambda image: bool(roles.get(image))):
        held = roles.get(image)
        lacking = {
            role: 1 - len(found[role]) / number
            for role, number in wanted.items()
            if not held or set(held) == {role}
        }
        if lacking and max(lacking.values()) > 0:
            found[max(lacking, key=lambda role: lacking[role])].append(image)
    return found


NOTHING_GRADED = Graded()


def make_caption_question(
    stage: str, own: Sequence[str], others: Sequence[str], rng: Random, graded: Graded = NOTHING_GRADED
) -> CaptionQuestion | None:
    """Return a question of the stage about an image, or None if there are too few captions for it.

    `own` are the captions of the image, and `others` some of other images. A question about one caption
    shows one of either kind, as often. Captions that experts have `graded` as wrong come first among the
    wrong ones.
    """
    taken = {word for caption in own for word in content_words(caption)}
    verified = [one for one in graded.wrong if one not in own]
    own = [one for one in own if one not in graded.not_right]
    shuffled = rng.sample(list(others), len(others))
    unlike = (one for one in shuffled if one not in graded.not_wrong and taken.isdisjoint(content_words(one)))
    wrong = list(dict.fromkeys((*rng.sample(verified, len(verified)), *unlike)))
    if not own:
        return None
    if stage == CampaignStage.RELEVANCE:
        right = rng.sample(list(own), rng.randint(1, min(MAX_OWN_CAPTIONS, len(own))))
        if len(wrong) < CONTROL_CAPTIONS - len(right):
            return None
        shown = [(one, True) for one in right]
        shown += [(one, False) for one in wrong[: CONTROL_CAPTIONS - len(right)]]
        rng.shuffle(shown)
        describes = [is_own for _, is_own in shown]
        places = [str(place) for place, is_own in enumerate(describes, start=1) if is_own]
        said = f"{', '.join(places[:-1])} and {places[-1]} were" if len(places) > 1 else f"{places[0]} was"
        why = f"Caption{'s' * (len(places) > 1)} {said} written about this photograph, the others were not."
        return CaptionQuestion("control", tuple(text for text, _ in shown), {"describes": describes}, why)
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
    why = f"It was written about {'this' if is_own else 'another'} photograph."
    return CaptionQuestion("own" if is_own else "other", (text,), answer, why)
