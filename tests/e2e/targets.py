"""Pictures of one rectangle each, whose place is known to the pixel, and ways to draw a box round it."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import PIL.Image

from annotation.models import Item
from tests.e2e.aiming import Hand, Seen, scale_of
from tests.e2e.scenes import Edges, Scene
from tests.e2e.seeing import PAPER, TARGET
from tests.e2e.site import Site, wait_for
from tests.e2e.working import UNREAD_MS, begin

LARGE = 4
"""Device pixels for each image pixel.

The mouse moves by whole device pixels, and with two roundings it is off by less than half an image pixel.
"""


@dataclass(frozen=True)
class Target:
    """A picture's size and its rectangle's edges, in image pixels, and how the box is drawn."""

    size: tuple[int, int]
    edges: Edges
    draw: Callable[[Hand, Edges], Seen]

    def scene(self) -> Scene:
        return Scene(("a man",), {"box": list(self.edges)}, size=self.size, picture=self.picture())

    def picture(self, **save: Any) -> bytes:
        """Return a JPEG with as little loss as possible. `save` has options of Pillow, such as `exif`."""
        image = PIL.Image.new("RGB", self.size, PAPER)
        image.paste(TARGET, self.edges)
        file = io.BytesIO()
        image.save(file, "JPEG", quality=98, subsampling=0, **save)
        return file.getvalue()


@dataclass(frozen=True)
class Drawn:
    """What became of one box."""

    target: Target
    seen: Seen
    stored: Edges

    @property
    def error(self) -> int:
        """The largest distance of a stored edge from the target's, in image pixels."""
        return max(abs(a - b) for a, b in zip(self.stored, self.target.edges, strict=True))

    @property
    def bound(self) -> int:
        """The largest allowed error. If an image pixel is large on the screen, no edge may be off by one."""
        return 0 if scale_of(self.seen.target, self.target.edges) >= LARGE else 1

    @property
    def shown_off(self) -> float:
        """The largest distance of the painted outline from the stored edge, in device pixels."""
        scale = scale_of(self.seen.target, self.target.edges)
        return max(
            abs(line - (edge + (stored - right) * scale))
            for line, edge, stored, right in zip(
                self.seen.outline, self.seen.target, self.stored, self.target.edges, strict=True
            )
        )


def fitted(hand: Hand, edges: Edges) -> Seen:
    """Draw while the whole picture is seen.

    A device pixel must not be larger than an image pixel, or nobody could aim.
    """
    seen = hand.by_dragging()
    assert scale_of(seen.target, edges) >= 1
    return seen


def magnified(hand: Hand, edges: Edges) -> Seen:
    hand.closer(edges)
    return hand.by_dragging()


FITTED = Target((230, 150), (41, 27, 190, 118), fitted)
POINTS = Target((211, 149), (38, 29, 169, 120), lambda hand, _: hand.by_points())
HANDLES = Target((230, 150), (43, 31, 187, 116), lambda hand, _: hand.by_handles())
MAGNIFIED = Target((2400, 1600), (1203, 611, 1289, 667), magnified)
RESIZED = Target((420, 300), (91, 67, 317, 233), lambda hand, _: hand.after_resizing())
EVERYWHERE = (FITTED, POINTS, HANDLES, MAGNIFIED)


def open_all(site: Site, targets: Sequence[Target]) -> None:
    site.open("drawing", items=len(targets), scenes=[target.scene() for target in targets])


def draw_all(hand: Hand, site: Site, targets: Sequence[Target]) -> list[Drawn]:
    """Draw a box in every item of the page that `hand` has just opened, and send them.

    Return what arrived.
    """
    begin(hand.view)
    (page,) = site.assignments("drawing")
    shown = [target_of(site, item, targets) for item in page.items]
    seen = []
    for number, target in enumerate(shown, start=1):
        name = f"Question {number} of {len(shown)}"
        hand.view.get_by_role("region", name=name, exact=True).wait_for()
        readable = time.monotonic() + UNREAD_MS / 1000
        seen.append(target.draw(hand, target.edges))
        hand.page.wait_for_timeout(max(0, readable - time.monotonic()) * 1000)
        hand.page.keyboard.press("Enter")
    hand.view.get_by_role("heading", name="Your answers").wait_for()
    hand.page.keyboard.press("Enter")
    stored = [judgment.answer["box"] for judgment in wait_for(hand.page, lambda: site.judgments("drawing"))]
    return [Drawn(*one) for one in zip(shown, seen, stored, strict=True)]


def target_of(site: Site, item: int, targets: Sequence[Target]) -> Target:
    """Return the target whose picture is shown by the item with this id."""
    scene = site.scenes[Item.objects.get(pk=item).work.image_id]
    return next(target for target in targets if list(target.edges) == scene.answer["box"])


def check_all(drawn: Sequence[Drawn]) -> str:
    """Fail unless each box is stored and shown where it was drawn. Return how far off the worst one is."""
    error, shown_off = max(box.error for box in drawn), max(box.shown_off for box in drawn)
    figure = f"{error} image pixels, outline {shown_off:.2f} device pixels"
    right = all(box.error <= box.bound and box.shown_off <= 1 for box in drawn)
    assert right, f"{figure}: {drawn}"
    return figure
