"""Spot checks: mentions, chains and boxes that are drawn at random, and what is wrong with them.

The paper looked for errors in this way (section 3.3.3): chunking errors in less than 1% of the mentions,
coreference errors in less than 1% of the chains, and an error of some kind in about 8% of the images.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from annotation.domain.field_errors import NamedFieldError

if TYPE_CHECKING:
    from evaluation.audit import ErrorRate

MENTION, CHAIN, BOX = "mention", "chain", "box"
KINDS = (MENTION, CHAIN, BOX)
MAX_UNITS = 2000
"""The most units of one kind that are drawn. Two thousand take a researcher some hours."""
OTHER = "other"
REASONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        MENTION: ("cut", "unseen", OTHER),
        CHAIN: ("different", "missing", OTHER),
        BOX: ("thing", "loose", "several", OTHER),
    }
)
"""What can be wrong with a unit of each kind."""
MAX_NOTE_LENGTH = 2000


class SpotCheckError(NamedFieldError):
    """A spot check cannot be drawn, or a verdict cannot be given. `field` names what is wrong."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing to look at: its `kind`, and the ids of its row, its chain and its image."""

    kind: str
    id: int
    chain: int
    image: int


def draw_units(
    population: Mapping[str, Sequence[Unit]], sizes: Mapping[str, int], rng: random.Random
) -> list[Unit]:
    """Draw `sizes` units of each kind without replacement; where there are fewer, take all.

    Units of one image come one after the other, so that its photograph is looked at once. The images come in
    random order, so that those who stop early have looked at a random part. Raises SpotCheckError for sizes
    that are not possible, and if there is nothing to draw.
    """
    for kind in KINDS:
        if not 0 <= sizes.get(kind, 0) <= MAX_UNITS:
            raise SpotCheckError(kind, f"must be from 0 to {MAX_UNITS}")
    if not any(sizes.get(kind) for kind in KINDS):
        raise SpotCheckError(MENTION, "is 0 like the others: draw at least one mention, chain or box")
    drawn: defaultdict[int, list[Unit]] = defaultdict(list)
    for kind in KINDS:
        units = population.get(kind, ())
        for unit in rng.sample(units, min(sizes.get(kind, 0), len(units))):
            drawn[unit.image].append(unit)
    if not drawn:
        raise SpotCheckError("", "there is nothing to draw: no image of the project is finished")
    images = sorted(drawn)
    rng.shuffle(images)
    return [unit for image in images for unit in sorted(drawn[image], key=_place)]


def _place(unit: Unit) -> tuple[int, int, int]:
    return KINDS.index(unit.kind), unit.chain, unit.id


def check_verdict(kind: str, *, right: bool, reason: str, note: str) -> None:
    """Raise SpotCheckError unless the verdict can be stored: what is wrong needs one of its REASONS."""
    if right == bool(reason) or (reason and reason not in REASONS[kind]):
        raise SpotCheckError(
            "reason", f"must be one of {', '.join(REASONS[kind])} if it is wrong, else empty"
        )
    if len(note) > MAX_NOTE_LENGTH or "\0" in note:
        raise SpotCheckError("note", f"has at most {MAX_NOTE_LENGTH} characters")


def error_rates(units: Sequence[Unit], wrong: Mapping[int, bool]) -> dict[str, ErrorRate]:
    """Return the error rate of each kind, with Wilson's 95% interval.

    `wrong` says of each judged unit, by its place, whether it is.
    """
    # It brings numpy along, which is large, so only processes that show error rates load it.
    from evaluation.audit import error_rate

    judged, bad = Counter[str](), Counter[str]()
    for place, one in wrong.items():
        judged[units[place].kind] += 1
        bad[units[place].kind] += one
    return {kind: error_rate(bad[kind], judged[kind]) for kind in KINDS}


def images_with_error(
    rates: Mapping[str, ErrorRate], a_image: Mapping[str, float]
) -> tuple[float, float, float] | None:
    """Return the share of images with a wrong mention or chain, and the ends of its interval, from 0 to 1.

    `a_image` says how many mentions and chains an image has on average. The ends follow from those of both
    rates, so the interval is rather too wide [ours]. None if no mention or no chain was judged.
    """
    from evaluation.audit import images_with_an_error

    mentions, chains = rates[MENTION], rates[CHAIN]
    if not (mentions.judged and chains.judged):
        return None
    share, low, high = (
        images_with_an_error(*both, mentions_an_image=a_image[MENTION], chains_an_image=a_image[CHAIN])
        for both in ((mentions.share, chains.share), (mentions.low, chains.low), (mentions.high, chains.high))
    )
    return share, low, high
