"""A plausible truth for images about which none is known, to try settings and costs with a simulated crowd.

Mentions of a type with the same head noun are one chain, and others are joined by chance. Boxes lie anywhere.
The shares are like the paper's. What comes out has nothing to do with what is in the photographs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from annotation.domain.geometry import Box, iou
from simulation.truth import KnownChain, Span

WITHOUT_BOX = {"scene": 0.75, "other": 0.25}
"""The share of the chains of a type that have no box. It makes a fifth of all chains."""
BOXES = (0.75, 0.17, 0.08)
"""The shares of the other chains that have one box, two and three."""
JOINED = 0.5
"""The chance that a mention belongs to an earlier chain of its type although its head noun is another."""
_APART = 0.3
"""The largest IoU of two boxes of a chain, so that they can be told apart."""
_TRIES = 200
_USUAL_SIZE = (640, 480)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A mention: where it is, its first type, and its head noun."""

    span: Span
    kind: str
    head: str


@dataclass(slots=True)
class _Group:
    kind: str
    heads: set[str] = field(default_factory=set)
    spans: list[Span] = field(default_factory=list)


def make_up_truth(
    phrases: Sequence[Phrase], size: tuple[int, int] | None, rng: random.Random
) -> dict[Span, KnownChain]:
    """Return a chain for every mention of an image. `size` is its width and height, if they are known."""
    groups: list[_Group] = []
    for phrase in sorted(phrases, key=lambda one: one.span):
        group = _group_of(phrase, groups, rng)
        group.heads.add(phrase.head)
        group.spans.append(phrase.span)
    truth = {}
    for number, group in enumerate(groups, start=1):
        without = rng.random() < WITHOUT_BOX.get(group.kind, 0.0)
        boxes = () if without else _boxes(size or _USUAL_SIZE, rng)
        chain = KnownChain(number, boxes, scene=without and group.kind == "scene")
        truth.update(dict.fromkeys(group.spans, chain))
    return truth


def _group_of(phrase: Phrase, groups: list[_Group], rng: random.Random) -> _Group:
    """Return the chain of a mention, perhaps a new one. Mentions of one caption are different things."""
    caption = phrase.span[0]
    alike = [
        group
        for group in groups
        if group.kind == phrase.kind and all(span[0] != caption for span in group.spans)
    ]
    for group in alike:
        if phrase.head in group.heads:
            return group
    if alike and rng.random() < JOINED:
        return rng.choice(alike)
    groups.append(_Group(phrase.kind))
    return groups[-1]


def _boxes(size: tuple[int, int], rng: random.Random) -> tuple[Box, ...]:
    wanted = rng.choices((1, 2, 3), BOXES)[0]
    found: list[Box] = []
    for _ in range(_TRIES):
        if len(found) == wanted:
            break
        width, height = (max(1, rng.randint(side // 10, side // 2)) for side in size)
        left, top = rng.randint(0, size[0] - width), rng.randint(0, size[1] - height)
        box = Box(left, top, left + width, top + height)
        if all(iou(box, other) <= _APART for other in found):
            found.append(box)
    return tuple(found)
