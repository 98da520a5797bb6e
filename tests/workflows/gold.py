"""Images whose chains and boxes are known."""

from __future__ import annotations

from annotation.models import GoldChain, Image, Mention, Project
from tests.factories import make_image

CAPTIONS = (["man", "dog"], ["man", "dog", "park"], ["woman", "ball"])
KNOWN: tuple[tuple[tuple[int, ...], list[list[int]], str], ...] = (
    ((0, 2), [[50, 60, 180, 400]], ""),
    ((1, 3), [[300, 100, 400, 200], [450, 250, 600, 380]], ""),
    ((4,), [], "scene"),
    ((5,), [[200, 50, 290, 390]], ""),
    ((6,), [], "nobndbox"),
)
"""Mentions by their place in reading order, boxes, and a flag."""


def make_known(project: Project, *, name: str = "", picture: bool = True) -> Image:
    """Make an image of a man, two dogs, a park, a woman, and a ball that cannot be seen."""
    image = make_image(project, CAPTIONS, name=name, picture=picture)
    mentions = list(Mention.objects.filter(image=image).order_by("caption__index", "start"))
    for number, (members, boxes, flag) in enumerate(KNOWN):
        GoldChain.objects.create(
            image=image,
            number=number,
            members=[mentions[place].pk for place in members],
            boxes=boxes,
            scene=flag == "scene",
            nobndbox=flag == "nobndbox",
        )
    return image
