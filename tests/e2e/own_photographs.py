"""Photographs and captions of a researcher's own: drawn pictures of which everything is known."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from annotation.domain.geometry import Box
from annotation.domain.tokens import align
from annotation.image_names import image_of
from annotation.models import Image, Mention
from simulation.truth import KnownChain, Truth
from tests.e2e.scenes import Edges, picture

SIZE = (640, 480)
NAMES = (
    ("man", "woman", "dog", "balls", "park"),
    ("boy", "girl", "horse", "buckets", "field"),
    ("cook", "waiter", "cat", "plates", "kitchen"),
    ("farmer", "lady", "cow", "baskets", "meadow"),
)
"""What captions call two people, an animal, two things that are alike, and the place."""


@dataclass(frozen=True)
class Photograph:
    """A photograph: its file name, its captions, and the boxes of each thing by the last word of its phrases.

    A thing without a box is the scene, or none that a box could be drawn round.
    """

    name: str
    captions: tuple[str, ...]
    things: Mapping[str, tuple[Edges, ...]]

    def is_scene(self, thing: str) -> bool:
        """Return whether this is the scene of the photograph."""
        return thing in {place for *_, place in NAMES}

    def thing(self, phrase: str) -> str:
        """Return the thing that a phrase names."""
        word = phrase.split()[-1].lower()
        assert word in self.things, f"nothing in {self.name} is called {phrase!r}"
        return word


def photographs(number: int) -> dict[str, Photograph]:
    """Return so many photographs by their names. The same number gives the same ones."""
    return {one.name: one for one in map(_photograph, range(number))}


def _photograph(number: int) -> Photograph:
    rng = random.Random(number)
    first, second, animal, alike, place = NAMES[number % len(NAMES)]
    # Each in a column of its own, so that no two boxes can be taken for each other.
    columns = rng.sample(range(5), 5)
    boxes = [_in_column(column, rng) for column in columns]
    left, top, right, bottom = boxes[0]
    third = (bottom - top) // 3
    return Photograph(
        f"holiday-{number:02}.jpg",
        (
            f"A {first} in a red coat shows two {alike} to a {animal} on a sunny day .",
            f"A {second} stands in the {place} beside a {first} and a {animal} .",
            f"Near two {alike} , the {second} looks at the {animal} in a green {place} .",
        ),
        {
            first: (boxes[0],),
            second: (boxes[1],),
            animal: (boxes[2],),
            alike: (boxes[3], boxes[4]),
            "coat": ((left, top + third, right, bottom - third),),
            place: (),
            "day": (),
        },
    )


def _in_column(column: int, rng: random.Random) -> Edges:
    left, top = 20 + column * 122 + rng.randint(0, 20), rng.randint(20, 140)
    return left, top, left + rng.randint(70, 95), top + rng.randint(120, 300)


def archive(photographs: Iterable[Photograph]) -> bytes:
    """Return a ZIP archive with the photographs and one file of captions."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        lines = []
        for one in photographs:
            boxes = [box for word, boxes in one.things.items() if word != "coat" for box in boxes]
            packed.writestr(f"photos/{one.name}", picture(SIZE, boxes))
            lines += [f"{one.name}#{number}\t{said}\n" for number, said in enumerate(one.captions)]
        packed.writestr("captions.txt", "".join(lines))
    return buffer.getvalue()


def truth_of(photographs: Mapping[str, Photograph]) -> Truth:
    """Return what people see in the photographs that were imported, for a simulated crowd."""
    images: dict[int, dict[tuple[int, int, int], KnownChain]] = {}
    mentions = Mention.objects.filter(annotatable=True, superseded=False).select_related("caption")
    for image in Image.objects.all():
        shown = photographs[image.name]
        known = {
            word: KnownChain(number, tuple(Box(*box) for box in boxes), scene=shown.is_scene(word))
            for number, (word, boxes) in enumerate(shown.things.items(), start=1)
        }
        spans = images[image.pk] = {}
        for mention in mentions.filter(image=image):
            places = align(mention.caption.text, mention.caption.tokens.split(" "))
            span = (mention.caption.index, places[mention.start][0], places[mention.end - 1][1])
            spans[span] = known[shown.thing(mention.text)]
    return Truth(images, image_of)
