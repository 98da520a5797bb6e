"""Makes verification questions of all stages from what is known of an image.

All chance comes from the random source that the caller gives. Nothing is asked that is not known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from types import MappingProxyType

from annotation.domain.answers import JointStage, Requirement, Stage
from workflows.questions.domain import box_questions, choice_questions
from workflows.questions.domain.flawed_boxes import FLAWS as DRAWN_WRONG
from workflows.questions.domain.known_images import KnownImage, Question, content_digest

Maker = Callable[[KnownImage, Random], Iterator[Question]]


@dataclass(frozen=True, slots=True)
class Part:
    """The share of a stage's questions that have one answer, and the kinds of these questions.

    `most` limits the share if images admit no other answers. None: see MAX_EXCESS.
    """

    share: float
    kinds: tuple[str, ...]
    most: float | None = None

    @property
    def limit(self) -> float:
        """Return the largest share that the questions with this answer may have."""
        return max(self.share, 0.5) + MAX_EXCESS if self.most is None else self.most


FLAWS = ("shifted", "loose", "cut-off", "duplicate", "other-entity")
"""In which way a box that is to be judged is bad."""


MIX: Mapping[str, tuple[Part, ...]] = MappingProxyType(
    {
        # With greedy linking 38% of the links are "the same", in the gold sample and in drawn scenes.
        Stage.LINK: (Part(0.4, ("same",)), Part(0.6, ("different",))),
        # 90.2% of the paper's chains pass. But a worker who always says yes must not pass.
        Stage.VERIFICATION: (Part(0.6, ("whole",)), Part(0.4, ("mixed",))),
        Stage.REQUIREMENT: (Part(0.6, ("box",)), Part(0.15, ("scene",)), Part(0.25, ("nobox",))),
        Stage.DRAWING: (Part(0.7, ("missing",)), Part(0.3, ("all-drawn",))),
        Stage.QUALITY: (
            Part(0.5, ("good",)),
            Part(0.5, FLAWS),
        ),
        Stage.COVERAGE: (Part(0.5, ("complete",)), Part(0.5, ("incomplete",))),
        JointStage.BOXES: (
            Part(0.5, ("all-missing",)),
            Part(0.15, ("some-missing",)),
            Part(0.2, ("all-drawn",)),
            Part(0.15, ("no-box",)),
        ),
        # Boxes count as good unless marked, so whoever waves everything through must be found out within a
        # page's worth of questions: with at most so many `clean`, one in thirty of them is not.
        JointStage.CHECK: (Part(0.25, ("clean",), most=0.3), Part(0.45, FLAWS), Part(0.3, ("incomplete",))),
    }
)
"""How often each answer is right [ours].

It is nearly as often as in honest work, but never so often that a worker who always gives the same answer
would reach the minimum score of the stage (table 3)."""

MAX_EXCESS = 0.1
"""How much an answer may exceed its share, or a half if that is more, if images admit no other [ours]."""


def make_questions(
    known: KnownImage, stage: str, number: int, rng: Random, *, skip: tuple[str, ...]
) -> list[Question]:
    """Return up to `number` different questions of a stage, in the shares of MIX and about many chains.

    `skip` are the types whose chains never come to box requirement. If the image does not admit an answer,
    there are fewer questions: others in place of them would make one answer too likely.
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
    """Return the questions without the last ones of an answer that too many of them have.

    Call it with the questions of many images. If all of them have the same answer, none is left: questions
    that nearly always want one answer test nobody.
    """
    parts = [[question for question in made if question.kind in part.kinds] for part in MIX[stage]]
    left = _left(stage, [len(part) for part in parts])
    kept = {id(question) for part, number in zip(parts, left, strict=True) for question in part[:number]}
    return [question for question in made if id(question) in kept]


def balanced_number(stage: str, kinds: Mapping[str, int]) -> int:
    """Return how many questions `balanced` leaves of these numbers by kind."""
    return sum(_left(stage, [sum(kinds.get(kind, 0) for kind in part.kinds) for part in MIX[stage]]))


def _left(stage: str, counts: list[int]) -> list[int]:
    """Return how many questions of each part may stay."""
    most = [part.limit for part in MIX[stage]]
    left = list(counts)
    while total := sum(left):
        full = max(range(len(left)), key=lambda n: left[n] - most[n] * total)
        if left[full] <= most[full] * total:
            break
        left[full] -= 1
    return left


def _content(known: KnownImage, question: Question) -> str:
    shown = question.boxes, question.box, question.new_boxes
    return content_digest(known.id, question.stage, question.mentions, *shown)


def _drawn(parts: tuple[Part, ...], number: int, rng: Random) -> list[Part]:
    """Draw so many parts. Each comes within one of its share, and over many images exactly at its share."""
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
    """Return the functions that make the questions of a stage, by kind. Raise ValueError for no stage."""
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
                **{kind: partial(box_questions.badly_drawn, kind) for kind in DRAWN_WRONG},
            }
        case Stage.COVERAGE:
            return {"complete": box_questions.complete_sets, "incomplete": box_questions.incomplete_sets}
        case JointStage.BOXES:
            return {
                "all-drawn": box_questions.whole_sets,
                "no-box": box_questions.boxless,
                **{
                    kind: partial(box_questions.missing_sets, kind)
                    for kind in ("all-missing", "some-missing")
                },
            }
        case JointStage.CHECK:
            return {
                "clean": box_questions.clean_checks,
                "incomplete": box_questions.incomplete_checks,
                "duplicate": box_questions.checks_of_duplicates,
                "other-entity": box_questions.checks_of_other_entities,
                **{kind: partial(box_questions.checks_of_badly_drawn, kind) for kind in DRAWN_WRONG},
            }
    raise ValueError(f"there is no stage {stage!r}")
