"""Which decisions about an image can be undone: those that no later decision rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class About(StrEnum):
    """What a decision is about, as far as undoing goes."""

    CHAIN = "chain"  # one chain: its boxes, its flag, and where it goes on
    IMAGE = "image"  # all phrases and chains of the image
    CAPTION = "caption"  # what one caption says, and its phrases
    CASE = "case"  # a case that was closed without a change


@dataclass(frozen=True, slots=True)
class Made:
    """A decision about an image."""

    id: int
    about: About
    work: int | None = None
    mentions: frozenset[int] = frozenset()  # of the chain that it is about
    chains: bool = False  # it says which chains the image has
    knows_before: bool = True  # it says what was there before, or changed no phrases

    def rests_on(self, other: Made) -> bool:
        """Return whether this later decision would mean something else without the `other` one."""
        if other.about == About.IMAGE:
            return self.about == About.CAPTION or (
                self.about in (About.CHAIN, About.IMAGE) and self.work == other.work
            )
        if other.about == About.CHAIN:
            same = self.about == About.CHAIN and bool(self.mentions & other.mentions)
            return self.work == other.work and (same or self.chains)
        return other.about == About.CAPTION and self.about in (About.CAPTION, About.IMAGE)


LATER = {
    About.CHAIN: "cannot be undone yet: there is a later decision about this chain. Undo that one first",
    About.IMAGE: "cannot be undone yet: the image as a whole was changed since. Undo that first",
    About.CAPTION: "cannot be undone yet: a caption was changed since. Undo that first",
}
"""Why a decision cannot be undone, by what the later one is about."""
UNDONE = "was undone already"
RELEASED = "cannot be undone: its batch has released the image"
SETTLED = "cannot be undone: the image's links are settled now. Edit the caption again"
OLD = "cannot be undone: it was stored before annotations kept what was there. Annotate the image again"


def why_not_undone(one: Made, standing: Sequence[Made], *, work: int | None, linked: bool) -> str:
    """Return why the decision cannot be undone, or "".

    `standing` are the decisions about its image that were not undone, in order. `work` is the one that has
    the image now, and `linked` says that its links are settled.
    """
    if one.about != About.CASE:
        for later in reversed(standing):
            if later.id > one.id and later.rests_on(one):
                return LATER[later.about]
    if one.about in (About.CHAIN, About.IMAGE) and one.work != work:
        return RELEASED
    if one.about == About.CAPTION and work is not None and work != one.work and linked:
        return SETTLED
    return "" if one.knows_before else OLD
