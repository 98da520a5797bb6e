"""Holds what is known of an image, and the questions that are made from it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from annotation.domain.answers import CampaignStage, Requirement
from annotation.domain.field_errors import NamedFieldError
from annotation.domain.geometry import Box, iou
from annotation.domain.mentions import Mention, representative

SMALLEST = 8
"""The least side of a box in pixels: nobody can see how well a smaller one fits, or draw it well."""
APART = 0.5
"""Boxes of one chain with a higher IoU are hard to tell apart: opinions differ on which is missing."""


class QuestionError(NamedFieldError):
    """A request about verification questions cannot be met. `field` names what was wrong with it."""


@dataclass(frozen=True)
class KnownChain:
    """A chain whose boxes and flags are known. `id` is opaque; `mentions` are in reading order."""

    id: int
    mentions: tuple[Mention, ...]
    boxes: tuple[Box, ...] = ()
    scene: bool = False
    nobndbox: bool = False

    @cached_property
    def types(self) -> frozenset[str]:
        """Return the types of all its mentions."""
        return frozenset(name for mention in self.mentions for name in mention.types)

    @cached_property
    def shown(self) -> Mention:
        """Return the mention that represents the chain from box requirement on."""
        return representative(self.mentions)

    @property
    def requirement(self) -> Requirement | None:
        """Return the right answer to box requirement, or None if the source gives none, or several."""
        known = {
            Requirement.BOX: bool(self.boxes),
            Requirement.SCENE: self.scene,
            Requirement.NOBOX: self.nobndbox,
        }
        said = [answer for answer, holds in known.items() if holds]
        return said[0] if len(said) == 1 else None


@dataclass(frozen=True)
class KnownImage:
    """An image of `width` x `height` pixels and the chains known of it."""

    id: int
    width: int
    height: int
    chains: tuple[KnownChain, ...]

    def boxed(self) -> list[KnownChain]:
        """Return the chains whose boxes can be asked about: inside the image, not tiny, and distinct."""
        return [chain for chain in self.chains if chain.boxes and self._clear(chain.boxes)]

    def _clear(self, boxes: Sequence[Box]) -> bool:
        fit = (self.fits(box) for box in boxes)
        return all(fit) and all(iou(a, b) < APART for a, b in combinations(boxes, 2))

    def fits(self, box: Box) -> bool:
        """Return whether the box lies inside the image and is large enough to be judged."""
        large = box.width >= SMALLEST and box.height >= SMALLEST
        return large and box.right <= self.width and box.bottom <= self.height


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its right answer, as `VerificationQuestion` keeps it."""

    stage: str
    kind: str
    chain: int  # id of the known chain it is about
    mentions: tuple[int, ...]
    answer: Mapping[str, Any]
    explanation: str
    boxes: tuple[Box, ...] = ()
    box: Box | None = None
    new_boxes: tuple[Box, ...] = ()
    points: tuple[tuple[int, int], ...] = ()


def caption_digest(image: int, stage: str, captions: Sequence[str]) -> str:
    """Return a digest of the captions that are shown for an image, or of the sentence of a language test."""
    writing = stage == CampaignStage.WRITING
    content = [stage, *captions] if writing else [image, stage, list(captions)]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def content_digest(
    image: int,
    stage: str,
    mentions: Sequence[int],
    boxes: Sequence[Box],
    box: Box | None,
    new_boxes: Sequence[Box] = (),
) -> str:
    """Return a digest of what is shown: 64 hexadecimal digits. The order of boxes does not matter."""
    shown, new = (sorted(list(one.edges) for one in some) for some in (boxes, new_boxes))
    content = [image, stage, list(mentions), shown, list(box.edges) if box else None, *([new] if new else [])]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
