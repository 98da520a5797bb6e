"""A unit of a spot check on its page, and error rates in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from annotation.models import Box, Chain, Mention
from console.common.chain_page import GONE, Line, captions_of, letters_of, marked_mentions, mentions_of
from console.common.numbers import say, say_count
from console.common.pictures import Picture, Shape, picture
from console.common.spot_check_rates import NAMES
from workflows.review.domain.spot_checks import BOX, CHAIN, MENTION, Unit
from workflows.review.spot_checks import CHOSEN, Progress

QUESTIONS: Mapping[str, str] = MappingProxyType(
    {
        MENTION: "Is this one phrase that names something?",
        CHAIN: "Do these mentions mean the same, and is none missing?",
        BOX: "Is the box tight around one thing that the mentions mean?",
    }
)
"""What is asked about a unit of each kind."""

REASONS: Mapping[str, Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        MENTION: {
            "cut": ("C", "Words are missing, or too many"),
            "unseen": ("V", "It names nothing that can be seen"),
            "other": ("O", "Something else"),
        },
        CHAIN: {
            "different": ("D", "They mean different things"),
            "missing": ("M", "A mention of the same is missing"),
            "other": ("O", "Something else"),
        },
        BOX: {
            "thing": ("T", "It is around another thing"),
            "loose": ("L", "It is too large or too small"),
            "several": ("S", "It holds several things that need boxes of their own"),
            "other": ("O", "Something else"),
        },
    }
)
"""The key and the words of each reason, by the kind of unit."""


@dataclass(frozen=True, slots=True)
class UnitPage:
    """Everything that the page shows of one unit."""

    kind: str
    chain: Chain
    text: str
    picture: Picture
    captions: list[Line]
    changed: bool  # it is not in use any more as it was drawn


def unit_page(unit: Unit) -> UnitPage | None:
    """Return the page of a unit, or None if its rows were erased with their project. Six queries."""
    found = Chain.objects.select_related("representative", "work__image", "work__batch__project")
    chain = found.filter(pk=unit.chain).first()
    if chain is None:
        return None
    work = chain.work
    ever = mentions_of(work, superseded=True)
    chains = list(Chain.objects.filter(work=work).order_by("pk"))
    letters = letters_of(chains, [mention for mention in ever if not mention.superseded])
    own = [unit.id] if unit.kind == MENTION else list(chain.members)
    boxes = list(Box.objects.filter(chain=chain).order_by("pk"))
    shown = [box for box in boxes if box.pk == unit.id] if unit.kind == BOX else _accepted(boxes)
    shapes = [
        Shape("accepted", str(number), box.left, box.top, box.right, box.bottom)
        for number, box in enumerate(shown, start=1)
    ]
    return UnitPage(
        kind=unit.kind,
        chain=chain,
        text=_text(ever, own, chain),
        picture=picture(work.image, shapes),
        captions=captions_of(work, marked_mentions(ever, own), chains, letters, own=own),
        changed=_changed(unit, chain, ever, shown),
    )


def _accepted(boxes: list[Box]) -> list[Box]:
    return [box for box in boxes if box.state == Box.State.ACCEPTED]


def _text(ever: list[Mention], own: list[int], chain: Chain) -> str:
    if len(own) > 1:
        return str(chain.representative.text)
    return next((mention.text for mention in ever if mention.pk == own[0]), "")


def _changed(unit: Unit, chain: Chain, ever: list[Mention], shown: list[Box]) -> bool:
    """Return whether the unit went out of use after it was drawn."""
    if unit.kind == MENTION:
        return any(mention.superseded for mention in ever if mention.pk == unit.id)
    return chain.state in GONE or (unit.kind == BOX and not _accepted(shown))


def reason_rows(progress: Progress) -> list[tuple[str, str]]:
    """Return what was wrong, the most frequent first, and how often."""
    return [
        (f"{NAMES[kind][0].capitalize()}: {REASONS[kind][reason][1]}", say(number))
        for (kind, reason), number in progress.reasons.most_common()
    ]


def drawn_of(totals: Mapping[str, int]) -> str:
    """Return what a spot check was drawn from, in words."""
    parts = [say_count(totals[kind], *NAMES[kind]) for kind in NAMES]
    images = f"{say_count(totals['image'], 'finished image')}{', selected' if CHOSEN in totals else ''}"
    return f"{', '.join(parts[:-1])} and {parts[-1]} of {images}"
