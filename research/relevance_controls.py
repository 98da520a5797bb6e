"""Tries careless judges of relevance on sets of controls: `make bench-relevance_controls`.

A control shows ten captions, of which one to three are the image's own (ranking task, section 4.3.2). A set
of 20 controls passes if 70% of them are right, and a control is right as
`questions.domain.right_answers.judges_captions_right` says. The last two columns show another rule, by which
70% of a control's captions had to be right, unless all got the same answer.

For honest judges, the paper has one figure: of the pairs that its filter dropped, all three judges said *no*
for 98.3%, so one judge wrongly ticks 0.57%. How often one misses a caption of the image is assumed.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from benchmarks.report import options, print_table, write_json
from workflows.questions.domain.caption_questions import CONTROL_CAPTIONS, MAX_OWN_CAPTIONS
from workflows.questions.domain.right_answers import judges_captions_right

SETS = {"full": 10_000, "quick": 1_000, "tiny": 20}
CONTROLS = 20
SHARE = Fraction(7, 10)
"""Of the controls of a set that must be right. The share of captions in the other rule is the same."""

Judge = Callable[[Sequence[bool], random.Random], Sequence[bool]]
"""Takes which captions are the image's, and returns which ones are ticked."""
Rule = Callable[[Sequence[bool], Sequence[bool]], bool]
"""Takes which captions are the image's and which are ticked, and returns whether the control is right."""


def ticking(number: int) -> Judge:
    """Return a judge who ticks so many captions, drawn at random."""

    def judge(known: Sequence[bool], rng: random.Random) -> Sequence[bool]:
        ticked = rng.sample(range(len(known)), number)
        return [place in ticked for place in range(len(known))]

    return judge


def honest(false: float, missed: float) -> Judge:
    """Return a judge who ticks a wrong caption, and misses one of the image, with these probabilities."""
    return lambda known, rng: [rng.random() >= missed if own else rng.random() < false for own in known]


SPAMMERS: Mapping[str, Judge] = {
    "one tick at random": ticking(1),
    "the first caption": lambda known, _: [place == 0 for place in range(len(known))],
    "two ticks at random": ticking(2),
    "each caption at random": lambda known, rng: [rng.random() < 0.5 for _ in known],
    "all captions": lambda known, _: [True] * len(known),
    "no caption": lambda known, _: [False] * len(known),
    "five ticks at random": ticking(5),
}
HONEST: Mapping[str, Judge] = {
    "honest: the paper's 0.6% false, misses 10%": honest(0.0057, 0.1),
    "honest: 2% false, misses 15%": honest(0.02, 0.15),
    "honest: 4% false, misses 20%": honest(0.04, 0.2),
}


def share_of_captions(known: Sequence[bool], given: Sequence[bool]) -> bool:
    """Return whether a control is right by the other rule."""
    if len(set(given)) == 1:
        return list(given) == list(known)
    return sum(one == other for one, other in zip(given, known, strict=True)) >= SHARE * len(known)


def draw_control(rng: random.Random) -> list[bool]:
    """Return which captions of a control are the image's."""
    own = rng.randint(1, MAX_OWN_CAPTIONS)
    known = [True] * own + [False] * (CONTROL_CAPTIONS - own)
    rng.shuffle(known)
    return known


def tried(judge: Judge, rule: Rule, sets: int, rng: random.Random) -> tuple[float, float]:
    """Return the share of controls that are right, and of sets that pass, from 0 to 1."""
    right = passed = 0
    for _ in range(sets):
        controls = [draw_control(rng) for _ in range(CONTROLS)]
        of_set = sum(rule(known, judge(known, rng)) for known in controls)
        right += of_set
        passed += of_set >= SHARE * CONTROLS
    return right / (sets * CONTROLS), passed / sets


def main() -> int:
    chosen = options(__doc__).parse_args()
    sets = SETS[chosen.size]
    rules = (judges_captions_right, share_of_captions)
    figures = {
        name: [tried(judge, rule, sets, random.Random(7)) for rule in rules]
        for name, judge in {**SPAMMERS, **HONEST}.items()
    }
    print_table(
        f"Judges of relevance, {sets:,} sets of {CONTROLS} controls, of which 70% must be right (per cent)",
        ("", "controls right", "sets that pass", "by share of captions: controls right", "sets that pass"),
        [[name, *(f"{100 * one:.2f}" for pair in found for one in pair)] for name, found in figures.items()],
    )
    write_json("relevance_controls", {"shares": figures}, references={}, folder=chosen.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
