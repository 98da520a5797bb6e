"""Made-up images whose answers are known: what captions say, where things are, and what the crowd drew.

Every stage has more than one kind of scene, so that a test cannot pass by giving one answer to everything.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import PIL.Image
from PIL import ImageDraw

from annotation.domain.answers import JointStage, Stage
from annotation.models import Caption, Image, Mention, Project

Edges = tuple[int, int, int, int]

SIZE = (640, 480)
"""Width and height of a picture, in pixels, unless told otherwise."""

FIRST: Edges = (180, 120, 300, 380)
SECOND: Edges = (400, 140, 500, 360)
ASTRAY: Edges = (20, 20, 120, 90)
"""Two things that a picture may show, and a box with nothing in it: pixel edges of the stored image."""

TYPES = {
    "a man": "people",
    "a young man": "people",
    "a woman": "people",
    "two men": "people",
    "a dog": "animals",
    "a park": "scene",
    "a good day": "other",
}
SENTENCES = (
    ("On the left , ", " looks at the camera ."),
    ("", " can be seen in the middle of the picture ."),
    ("Somebody took a picture of ", " this morning ."),
)
"""What is written before and after the mention in the first, second and third caption: tokens and spaces."""


@dataclass(frozen=True)
class Scene:
    """An image, how its question of a stage comes about, and the right answer to it."""

    mentions: tuple[str, ...]
    answer: Mapping[str, Any]
    targets: tuple[Edges, ...] = (FIRST,)
    drawn: tuple[Edges, ...] = ()
    """The boxes that the crowd draws before, in this order.

    All are accepted, except one that the question is about.
    """
    size: tuple[int, int] = SIZE
    picture: bytes | None = None
    """A file that is shown instead of the drawn picture.

    It has this size after EXIF orientation is applied.
    """


def _box(edges: Edges | None) -> dict[str, Any]:
    return {"box": None if edges is None else list(edges)}


def _boxes(*edges: Edges) -> dict[str, Any]:
    return {"boxes": [{"box": list(one)} for one in edges]}


def _check(*boxes: str, missing: bool = False) -> dict[str, Any]:
    return {"boxes": list(boxes), "missing": missing}


SCENES: Mapping[str, Sequence[Scene]] = MappingProxyType(
    {
        Stage.LINK: (
            Scene(("a man", "a young man"), {"same": True}),
            Scene(("a man", "a woman"), {"same": False}),
        ),
        Stage.VERIFICATION: (
            Scene(("a man", "a young man", "a man"), {"same": True}),
            Scene(("a man", "a woman"), {"same": False}),
        ),
        Stage.REQUIREMENT: (
            Scene(("a dog",), {"requirement": "box"}),
            Scene(("a park",), {"requirement": "scene"}),
            Scene(("a good day",), {"requirement": "nobox"}),
        ),
        Stage.DRAWING: (
            Scene(("a man",), _box(FIRST)),
            Scene(("two men",), _box(SECOND), (FIRST, SECOND), (FIRST,)),
            Scene(("a man",), _box(None), (FIRST,), (FIRST,)),
        ),
        Stage.QUALITY: (
            Scene(("a man",), {"good": True}, (FIRST,), (FIRST,)),
            Scene(("two men",), {"good": False}, (FIRST, SECOND), (FIRST, ASTRAY)),
        ),
        Stage.COVERAGE: (
            Scene(("a man",), {"complete": True}, (FIRST,), (FIRST,)),
            Scene(("two men",), {"complete": False}, (FIRST, SECOND), (FIRST,)),
        ),
        JointStage.BOXES: (
            Scene(("two men",), _boxes(FIRST, SECOND), (FIRST, SECOND)),
            Scene(("two men",), _boxes(SECOND), (FIRST, SECOND), (FIRST,)),
            Scene(("a man",), {"none": "nobox"}, ()),
        ),
        JointStage.CHECK: (
            Scene(("two men",), _check("good", "good"), (FIRST, SECOND), (FIRST, SECOND)),
            Scene(("two men",), _check("good", "wrong", missing=True), (FIRST, SECOND), (FIRST, ASTRAY)),
        ),
    }
)
"""The kinds of questions of each stage. The items of a batch take them in turn."""


def make_image(project: Project, scene: Scene, name: str) -> Image:
    """Make the image with its captions, without a picture on disk."""
    width, height = scene.size
    image = Image.objects.create(
        project=project, name=name, file=f"{project.name}/{name}", width=width, height=height
    )
    for index, (chunk, (before, after)) in enumerate(zip(scene.mentions, SENTENCES, strict=False)):
        text = f"{before}{chunk}{after}"
        caption = Caption.objects.create(image=image, index=index, text=text, tokens=text)
        start, tokens = len(before.split()), chunk.split()
        Mention.objects.create(
            image=image,
            caption=caption,
            start=start,
            end=start + len(tokens),
            text=chunk,
            head=tokens[-1],
            types=TYPES[chunk],
        )
    return image


def picture(size: tuple[int, int] = SIZE, targets: Sequence[Edges] = (FIRST,), **save: Any) -> bytes:
    """Return a JPEG in which each target is filled with a colour of its own. `save` has options of Pillow."""
    drawn = PIL.Image.new("RGB", size, (214, 222, 214))
    pen = ImageDraw.Draw(drawn)
    for (left, top, right, bottom), colour in zip(
        targets, ("firebrick", "navy", "seagreen", "purple"), strict=False
    ):
        pen.rectangle((left, top, right - 1, bottom - 1), colour)  # Pillow includes the last pixel
    file = io.BytesIO()
    drawn.save(file, "JPEG", **{"quality": 90, **save})
    return file.getvalue()
