"""A scene in the making: what is drawn, and what captions may say about it."""

import random
from collections.abc import Iterable
from dataclasses import dataclass

from PIL import Image

from annotation.domain.geometry import Box
from annotation.domain.records import BoxRecord, CaptionRecord, ChainRecord, ImageRecord
from annotation.domain.types import TYPES
from simulation.scenes.canvas import Canvas
from simulation.scenes.captions import Topic, article, write_caption
from simulation.scenes.palette import CLOTH
from simulation.scenes.pen import Pen
from simulation.scenes.people import STAND, Look, Pose, person

CAPTIONS = 5
_PEOPLE = {
    "man": ("a man", "a man", "a young man", "a guy"),
    "woman": ("a woman", "a woman", "a young woman", "a lady"),
    "boy": ("a boy", "a little boy", "a young boy", "a child"),
    "girl": ("a girl", "a little girl", "a young girl", "a child"),
}
_BEARDED = ("a bearded man", "a man", "a man")
_LEGS = {"trousers": ("pants", "trousers"), "shorts": ("shorts",), "skirt": ("skirt",)}
_HATS = {"cap": ("cap", "baseball cap"), "straw": ("straw hat", "hat"), "chef": ("chef 's hat", "hat")}


@dataclass(frozen=True, slots=True)
class Scene:
    """A finished picture and everything that is true of it."""

    picture: Image.Image
    record: ImageRecord
    canvas: Canvas
    owners: dict[Box, str]
    """The owner whose extent each box is, so that tests can measure it again."""
    last_id: int
    """The largest id reserved for its chains. Not every topic becomes a chain."""
    nouns: dict[str, str]
    """What captions may call the owners that they may name alone, such as "man"."""

    def labelled(self) -> list[tuple[Box, str]]:
        """Return the boxes of all that was drawn, named by captions or not, each with a word for it.

        Something has the word that captions may use, or else the last part of its owner's path: a "man" has
        a "face", although no caption names it.
        """
        found = []
        for owner in self.canvas.owners():
            part = owner.rpartition("/")[2].rpartition("_")[2].rstrip("0123456789")
            found.append((self.canvas.extent(owner), self.nouns.get(owner, part)))
        return found


class Sketch:
    """The canvas, random numbers and topics of one scene. `first_id` is the id of its first chain."""

    def __init__(
        self, rng: random.Random, width: int, height: int, first_id: int = 1, hidden: str = ""
    ) -> None:
        self.rng, self.width, self.height = rng, width, height
        self.canvas = Canvas(width, height, hidden)
        self._next_id = first_id
        self._topics: dict[str, Topic] = {}

    def pen(self, owner: str, x: float, y: float, unit: float, flip: bool = False) -> Pen:
        """Return a pen at (x, y), as shares of the picture's width and height.

        `unit` is a share of its shorter side.
        """
        side = min(self.width, self.height)
        return Pen(self.canvas, x * self.width, y * self.height, unit * side, owner, flip)

    def topic(
        self, key: str, types: str, names: Iterable[str], owners: Iterable[str] = (), scene: bool = False
    ) -> None:
        """Let captions name `key`. Without owners and `scene`, it can be named but not seen."""
        self._topics[key] = Topic(self._next_id, tuple(types.split("/")), tuple(names), tuple(owners), scene)
        self._next_id += 1

    def place(self, *names: str) -> None:
        """Name the whole scene ("the beach"). Its key is `place`."""
        self.topic("place", "scene", names, scene=True)

    def draw_person(
        self, pen: Pen, look: Look, pose: Pose = STAND, names: Iterable[str] = (), shadow: bool = True
    ) -> None:
        """Draw someone. Captions may then name them and their parts ("man", "man.shirt", "man.arm")."""
        person(pen, look, pose, shadow)
        key = pen.owner
        people = tuple(names) or (_BEARDED if look.beard else _PEOPLE[look.kind])
        self.topic(key, "people", people, [key])
        self._clothes(key, look)

    def finish(self, name: str, templates: list[str]) -> Scene:
        """Caption the picture with five of the templates, and return it with its truth."""
        chosen = self.rng.sample(templates, CAPTIONS)
        captions = tuple(write_caption(i, text, self._topics, self.rng) for i, text in enumerate(chosen))
        boxes: dict[Box, str] = {}
        found = (self._chain(topic, captions, boxes) for topic in self._topics.values())
        chains = tuple(chain for chain in found if chain)
        record = ImageRecord(
            name=name,
            captions=captions,
            width=self.width,
            height=self.height,
            chains=chains,
            boxes=tuple(BoxRecord(box) for box in boxes),
        )
        nouns = {
            topic.owners[0]: topic.names[0].partition("|")[0].split()[-1]
            for topic in self._topics.values()
            if len(topic.owners) == 1
        }
        return Scene(self.canvas.finished(), record, self.canvas, boxes, self._next_id - 1, nouns)

    def _chain(
        self, topic: Topic, captions: tuple[CaptionRecord, ...], boxes: dict[Box, str]
    ) -> ChainRecord | None:
        """Return the chain of a topic, or None if no caption names it. New boxes are added to `boxes`."""
        found = [(c.index, m) for c in captions for m in c.mentions or () if m.chain == topic.id]
        if not found:
            return None
        for owner in topic.owners:
            boxes.setdefault(self.canvas.extent(owner), owner)
        places = list(boxes.values())
        seen = {kind for _, mention in found for kind in mention.types}
        return ChainRecord(
            id=topic.id,
            types=tuple(kind for kind in TYPES if kind in seen),
            mentions=tuple(sorted((index, m.start, m.end) for index, m in found)),
            boxes=tuple(sorted(places.index(owner) for owner in topic.owners)),
            scene=topic.scene,
            nobndbox=topic.nobndbox,
        )

    def _clothes(self, key: str, look: Look) -> None:
        whose = "her" if look.female else "his"
        self.topic(
            f"{key}.shirt", "clothing", _worn(look.shirt, ("shirt", "shirt", "top"), whose), [f"{key}/shirt"]
        )
        legs = _worn(look.legs_colour, _LEGS[look.legs], whose, plural=look.legs != "skirt")
        self.topic(f"{key}.legs", "clothing", legs, [f"{key}/{look.legs}"])
        if look.hat:
            hat = _worn(look.hat_colour, _HATS[look.hat], whose)
            self.topic(f"{key}.hat", "clothing", hat, [f"{key}/hat"])
        if look.apron:
            self.topic(f"{key}.apron", "clothing", ("a white apron", "an apron"), [f"{key}/apron"])
        self.topic(
            f"{key}.arm",
            "bodyparts",
            (f"{whose} arm", f"a {look.kind} 's arm|bodyparts/people"),
            [f"{key}/arm"],
        )
        if look.female:
            self.topic(f"{key}.hair", "bodyparts", ("long hair",), [f"{key}/hair"])


def _worn(colour: str, nouns: tuple[str, ...], whose: str, plural: bool = False) -> tuple[str, ...]:
    """Return ways to name a garment."""
    words = [f"{colour} {noun}" for noun in nouns]
    return (*(word if plural else article(word) for word in words), f"{whose} {words[0]}")


def cloth(rng: random.Random, *avoid: str) -> str:
    """Return the word of a colour that is not in `avoid`."""
    return rng.choice(
        [name for name in CLOTH if name not in avoid and name not in ("white", "black", "gray", "brown")]
    )
