"""Verification questions of all six stages, made from what is known of an image.

Pure: what is drawn is drawn from the random source one gives. Nothing is asked that the source does not say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from types import MappingProxyType

from annotation.domain.answers import Requirement, Stage
from workflows.questions.domain import box_questions, choice_questions
from workflows.questions.domain.known_images import KnownImage, Question, content_digest

Maker = Callable[[KnownImage, Random], Iterator[Question]]


@dataclass(frozen=True, slots=True)
class Part:
    """A share of a stage's questions that has one answer, and the kinds of questions it is made of."""

    share: float
    kinds: tuple[str, ...]


MIX: Mapping[str, tuple[Part, ...]] = MappingProxyType(
    {
        # Greedy linking asks 38% yes, of the gold sample as of drawn scenes.
        Stage.LINK: (Part(0.4, ("same",)), Part(0.6, ("different",))),
        # Of the paper's chains 90.2% pass. Whoever always says yes must not pass, too.
        Stage.VERIFICATION: (Part(0.6, ("whole",)), Part(0.4, ("mixed",))),
        Stage.REQUIREMENT: (Part(0.6, ("box",)), Part(0.15, ("scene",)), Part(0.25, ("nobox",))),
        Stage.DRAWING: (Part(0.7, ("missing",)), Part(0.3, ("all-drawn",))),
        Stage.QUALITY: (
            Part(0.5, ("good",)),
            Part(0.5, ("shifted", "loose", "cut-off", "duplicate", "other-entity")),
        ),
        Stage.COVERAGE: (Part(0.5, ("complete",)), Part(0.5, ("incomplete",))),
    }
)
"""How often each answer is right [ours]: nearly as honest work meets it, but never so often that one who
always gives it would reach the minimum score of the stage (table 3)."""

MOST_OVER = 0.1
"""How much more often than that, or than half, an answer may be right where images admit no other [ours]."""


def make_questions(
    known: KnownImage, stage: str, number: int, rng: Random, *, skip: tuple[str, ...]
) -> list[Question]:
    """Up to `number` different questions of a stage in the shares of MIX, about as many chains as possible.

    `skip` are the types whose chains never come to box requirement. Where the image does not admit an
    answer, its share is left out: another one in its place would tell.
    """
    makers = _makers(stage, skip)
    pools: dict[str, list[Question]] = {}
    seen: set[str] = set()
    about: Counter[int] = Counter()
    made = []
    for part in _drawn(MIX[stage], number, rng):
        for kind in rng.sample(part.kinds, len(part.kinds)):
            if kind not in pools:
                pools[kind] = list(makers[kind](known, rng))
            # Stable: among chains asked about equally often, the maker's order holds.
            pools[kind].sort(key=lambda question: about[question.chain])
            new = (one for one in pools[kind] if _content(known, one) not in seen)
            question = next(new, None)
            if question is not None:
                made.append(question)
                seen.add(_content(known, question))
                about[question.chain] += 1
                break
    return made


def balanced(stage: str, made: Sequence[Question]) -> list[Question]:
    """The questions (of many images) without the last ones of an answer that too many of them have.

    A test that nearly always wants one answer is none, so none is left where all of them have the same.
    """
    parts = [[question for question in made if question.kind in part.kinds] for part in MIX[stage]]
    left = _left(stage, [len(part) for part in parts])
    kept = {id(question) for part, number in zip(parts, left, strict=True) for question in part[:number]}
    return [question for question in made if id(question) in kept]


def balanced_number(stage: str, kinds: Mapping[str, int]) -> int:
    """How many questions of these kinds `balanced` leaves."""
    return sum(_left(stage, [sum(kinds.get(kind, 0) for kind in part.kinds) for part in MIX[stage]]))


def _left(stage: str, counts: list[int]) -> list[int]:
    """So many of each part may stay."""
    most = [max(part.share, 0.5) + MOST_OVER for part in MIX[stage]]
    left = list(counts)
    while total := sum(left):
        full = max(range(len(left)), key=lambda n: left[n] - most[n] * total)
        if left[full] <= most[full] * total:
            break
        left[full] -= 1
    return left


def _content(known: KnownImage, question: Question) -> str:
    return content_digest(known.id, question.stage, question.mentions, question.boxes, question.box)


def _drawn(parts: tuple[Part, ...], number: int, rng: Random) -> list[Part]:
    """So many parts, each as often as its share says but for less than one; over many images, exactly."""
    start = rng.random()
    drawn = []
    for n in range(number):
        place = (start + n) / number
        for part in parts:
            place -= part.share
            if place < 0:
                break
        drawn.append(part)
    rng.shuffle(drawn)
    return drawn


def _makers(stage: str, skip: tuple[str, ...]) -> Mapping[str, Maker]:
    """By kind of question, what makes it."""
    match stage:
        case Stage.LINK:
            return {"same": choice_questions.same_links, "different": choice_questions.different_links}
        case Stage.VERIFICATION:
            return {"whole": choice_questions.whole_chains, "mixed": choice_questions.mixed_chains}
        case Stage.REQUIREMENT:
            return {
                answer.value: partial(choice_questions.required, answer, skip=skip) for answer in Requirement
            }
        case Stage.DRAWING:
            return {"missing": box_questions.missing_boxes, "all-drawn": box_questions.all_drawn}
        case Stage.QUALITY:
            return {
                "good": box_questions.good_boxes,
                "duplicate": box_questions.duplicates,
                "other-entity": box_questions.other_entities,
                **{
                    kind: partial(box_questions.badly_drawn, kind) for kind in ("shifted", "loose", "cut-off")
                },
            }
        case Stage.COVERAGE:
            return {"complete": box_questions.complete_sets, "incomplete": box_questions.incomplete_sets}
    raise ValueError(f"there is no stage {stage!r}")
