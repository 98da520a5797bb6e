"""How many images are done, in words: every page that says this says it from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from annotation.domain.protocols import Campaign
from annotation.models import Batch
from console.common.numbers import say
from workflows.analysis.counts.selectors import Kept
from workflows.analysis.domain.kept_counts import Items

NAMES: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        Campaign.ENTITIES: ("Images done", "images done", "others are done"),
        Campaign.CAPTIONS: (
            "Images with collected captions",
            "images have their captions",
            "others have their captions",
        ),
        Campaign.RELEVANCE: (
            "Images judged",
            "images have their captions judged",
            "have their captions judged",
        ),
    }
)
"""Of what is made of images: a title, the words after *5 of 10*, and these words beside other images."""
BEHIND = "being counted: a batch has ended since"


@dataclass(frozen=True, slots=True)
class Progress:
    """Images that are done, of those that batches want. Each image is counted once."""

    done: int = 0
    total: int = 0
    title: str = NAMES[Campaign.ENTITIES][0]
    words: str = NAMES[Campaign.ENTITIES][1]
    beside: tuple[str, ...] = ()

    @property
    def share(self) -> str:
        """Return the share of images that are done, rounded down so that only all of them is 100%."""
        return f"{min(100 * self.done // self.total, 100)}%" if self.total else ""


def progress_of(items: Items | None) -> Progress:
    """Return how far the images of these counts are."""
    if items is None:
        return Progress()
    title, words, _ = NAMES[items.campaign]
    beside = tuple(
        f"{say(found.done)} of {say(found.wanted)} {NAMES[campaign][2]}"
        for campaign, found in items.beside.items()
        if found.wanted
    )
    return Progress(items.images_done, items.wanted, title, words, beside)


def is_behind(batch: Batch, kept: Kept) -> bool:
    """Return whether the batch has ended since its images were counted."""
    return batch.state in Batch.OVER and kept.state not in ("", batch.state)
