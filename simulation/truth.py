"""The truth about images: for every mention, the chain that it belongs to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from annotation.domain.geometry import Box

Span = tuple[int, int, int]
"""A mention as a worker sees it: caption index, first character, character after the last."""


@dataclass(frozen=True, slots=True)
class KnownChain:
    """A chain of the truth. Its `id` is unique within its image."""

    id: int
    boxes: tuple[Box, ...] = ()
    scene: bool = False

    @property
    def requirement(self) -> str:
        """Return the right answer to box requirement. Without boxes and flags, no box can be drawn."""
        if self.boxes:
            return "box"
        return "scene" if self.scene else "nobox"


@dataclass(frozen=True, slots=True)
class Truth:
    """The chains by image id and mention. A mention that is in no chain has its own, without boxes.

    `captions` are all that describe an image, by its id, and `corrections` those of the language test's
    sentences.
    """

    images: Mapping[int, Mapping[Span, KnownChain]] = field(default_factory=dict)
    image_of: Callable[[str], int] = int
    """Returns the id of the image that a page shows under this alias. People recognise the photograph."""
    captions: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    corrections: Mapping[str, str] = field(default_factory=dict)

    def chain(self, image: int, span: Span) -> KnownChain | None:
        """Return the chain of a mention, or None if the mention is not known."""
        return self.images.get(image, {}).get(span)

    def others(self, image: int, chain: KnownChain) -> list[Box]:
        """Return the boxes of the image's other chains that are not also boxes of this chain, sorted."""
        known = {box for other in self.images.get(image, {}).values() for box in other.boxes}
        return sorted(known - set(chain.boxes))
