"""A picture that is drawn at several times its size and remembers which entity painted which pixel."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from annotation.domain.geometry import Box
from simulation.scenes.palette import Colour, darker, lighter

SUPERSAMPLE = 3
"""Drawn pixels for each pixel of the finished picture, along each axis. This smooths the edges."""

Point = tuple[float, float]
_MASK_MARGIN = 2


class NothingSeenError(Exception):
    """Something that a caption may name is covered by what was drawn later."""


class Canvas:
    """A picture of `width` x `height` pixels under construction.

    Coordinates are pixels of the finished picture, y downwards, and may be fractions. A stroke may name its
    owner, a path such as "man/shirt". The extent of "man" is then everything that "man" and "man/..." painted
    and no later stroke covered. Strokes of the owner `hidden` leave no colour: the picture looks as if it
    were not there. Tests use this to measure an extent from outside.
    """

    def __init__(self, width: int, height: int, hidden: str = "") -> None:
        self.width, self.height, self._hidden = width, height, hidden
        size = (width * SUPERSAMPLE, height * SUPERSAMPLE)
        self._image = Image.new("RGB", size, "white")
        self._owned = Image.new("L", size, 0)
        self._owners: list[str] = [""]

    def polygon(self, points: Sequence[Point], fill: Colour, owner: str = "", shade: float = 0.1) -> None:
        """Fill a polygon. `shade` (0 to 1) is how much lighter its top is, and how much darker its bottom."""
        drawn = self._mask(points)
        if drawn is None:
            return
        mask, origin, local = drawn
        ImageDraw.Draw(mask).polygon(local, fill=255)
        self._stamp(mask, origin, fill, owner, shade)

    def line(
        self, points: Sequence[Point], width: float, fill: Colour, owner: str = "", shade: float = 0.06
    ) -> None:
        """Draw a stroke with round ends and joints. `width` is in pixels."""
        drawn = self._mask(points, width / 2)
        if drawn is None:
            return
        mask, origin, local = drawn
        pen, radius = ImageDraw.Draw(mask), width * SUPERSAMPLE / 2
        pen.line(local, fill=255, width=max(1, round(2 * radius)), joint="curve")
        for x, y in local:
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
        self._stamp(mask, origin, fill, owner, shade)

    def soft(self, points: Sequence[Point], fill: Colour, opacity: float, blur: float) -> None:
        """Draw a blurred, half-transparent patch (shadow, glow, cloud) without an owner.

        `blur` is in pixels.
        """
        drawn = self._mask(points, 3 * blur)
        if drawn is None:
            return
        mask, origin, local = drawn
        ImageDraw.Draw(mask).polygon(local, fill=round(255 * opacity))
        mask = mask.filter(ImageFilter.GaussianBlur(blur * SUPERSAMPLE))
        self._image.paste(fill, origin, mask)

    def extent(self, owner: str) -> Box:
        """Return the tightest box around what is still seen of `owner`. Raises NothingSeenError."""
        mine = set(self._numbers(owner))
        fine = self._owned.point([255 * (number in mine) for number in range(256)]).getbbox()
        if fine is None:
            raise NothingSeenError(f"nothing is seen of {owner!r}")
        left, top, right, bottom = fine
        return Box(
            left // SUPERSAMPLE, top // SUPERSAMPLE, -(-right // SUPERSAMPLE), -(-bottom // SUPERSAMPLE)
        )

    def owners(self) -> list[str]:
        """Return all owners of which something is still seen, in the order in which they were drawn."""
        seen = self._owned.histogram()
        return [name for number, name in enumerate(self._owners) if name and seen[number]]

    def mask(self, owner: str) -> NDArray[np.bool_]:
        """Return an array (height x width) that is true where `owner` is seen in any part of the pixel."""
        fine = np.isin(np.asarray(self._owned), self._numbers(owner))
        blocks = fine.reshape(self.height, SUPERSAMPLE, self.width, SUPERSAMPLE)
        return np.asarray(blocks.any(axis=(1, 3)), dtype=np.bool_)

    def _numbers(self, owner: str) -> list[int]:
        return [i for i, name in enumerate(self._owners) if name == owner or name.startswith(owner + "/")]

    def finished(self) -> Image.Image:
        """Return the picture at its final size."""
        return self._image.resize((self.width, self.height), Image.Resampling.BOX)

    def _mask(
        self, points: Sequence[Point], margin: float = 0.0
    ) -> tuple[Image.Image, tuple[int, int], list[Point]] | None:
        """Return an empty mask just large enough, its place, and the points within it.

        Return None if it is wholly outside of the picture.
        """
        reach = margin * SUPERSAMPLE + _MASK_MARGIN
        xs, ys = [x * SUPERSAMPLE for x, _ in points], [y * SUPERSAMPLE for _, y in points]
        left, top = max(0, int(min(xs) - reach)), max(0, int(min(ys) - reach))
        right = min(self._image.width, int(max(xs) + reach) + 1)
        bottom = min(self._image.height, int(max(ys) + reach) + 1)
        if right <= left or bottom <= top:
            return None
        local = [(x - left, y - top) for x, y in zip(xs, ys, strict=True)]
        return Image.new("L", (right - left, bottom - top), 0), (left, top), local

    def _stamp(
        self, mask: Image.Image, origin: tuple[int, int], fill: Colour, owner: str, shade: float
    ) -> None:
        inked = mask.getbbox()
        if inked is None:
            return
        mask = mask.crop(inked)
        place = (origin[0] + inked[0], origin[1] + inked[1])
        self._owned.paste(self._number(owner), place, mask)
        if not self._is_hidden(owner):
            self._colour(mask, place, fill, shade)

    def _colour(self, mask: Image.Image, place: tuple[int, int], fill: Colour, shade: float) -> None:
        if shade:
            ramp = Image.linear_gradient("L").resize(mask.size)
            low, high = (
                Image.new("RGB", mask.size, darker(fill, shade)),
                Image.new("RGB", mask.size, lighter(fill, shade)),
            )
            self._image.paste(Image.composite(low, high, ramp), place, mask)
        else:
            self._image.paste(fill, place, mask)

    def _is_hidden(self, owner: str) -> bool:
        return bool(self._hidden) and (owner == self._hidden or owner.startswith(self._hidden + "/"))

    def _number(self, owner: str) -> int:
        if owner not in self._owners:
            if len(self._owners) == 256:
                raise ValueError("a scene holds at most 255 owners of pixels")
            self._owners.append(owner)
        return self._owners.index(owner)
