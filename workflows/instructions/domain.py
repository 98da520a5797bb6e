"""What instructions of a project may say: texts by language, and examples cut from its photographs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from annotation.domain.answers import JointStage, Stage
from annotation.domain.field_errors import NamedFieldError

LANGUAGES = ("en", "de")
"""The languages of the workers' pages."""
MAX_TEXT_LENGTH = 6000
"""The most characters of a text in one language."""
MAX_EXAMPLES = 12
MAX_WHY_LENGTH = 240
MAX_WORDS = 6
"""The most marked phrases of an example."""
MAX_WORDS_LENGTH = 80
MIN_VIEW = 24
"""The least width and height of the part of a photograph that an example shows, in pixels."""
MAX_BOXES: Mapping[str, int] = MappingProxyType(
    {Stage.DRAWING: 1, Stage.QUALITY: 1, Stage.COVERAGE: 8, JointStage.BOXES: 8, JointStage.CHECK: 8}
)
"""How many boxes an example may have. The other stages show no boxes."""

Edges = tuple[int, int, int, int]
"""left, top, right and bottom, in pixels of the photograph."""


class InstructionsError(NamedFieldError):
    """Instructions cannot be saved like this. `field` is the path of what is wrong, as in examples[2].why."""


@dataclass(frozen=True, slots=True)
class Photograph:
    """The file of an image, and its size in pixels."""

    file: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Example:
    """A part of a photograph that shows what is right or wrong, and why."""

    image: int
    view: Edges
    good: bool
    why: Mapping[str, str]
    words: tuple[str, ...] = ()
    boxes: tuple[Edges, ...] = ()
    file: str = ""
    """The photograph that the image had when the example was saved."""


@dataclass(frozen=True, slots=True)
class Content:
    """The instructions of a stage. Without a text, workers read the built-in one."""

    texts: Mapping[str, str] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()
    usual_examples: bool = True
    """Whether the built-in examples are shown as well."""

    @property
    def is_built_in(self) -> bool:
        return not self.texts and not self.examples and self.usual_examples


BUILT_IN = Content()


def parse_content(data: Any, stage: str) -> Content:
    """Return the content that a researcher's page sent. Raise InstructionsError for the first mistake."""
    fields = _bag(data, "", ("texts", "examples", "usual_examples"))
    rows = _list(fields.get("examples", []), "examples", MAX_EXAMPLES)
    return Content(
        texts=_by_language(fields.get("texts", {}), "texts", MAX_TEXT_LENGTH, lines=True),
        examples=tuple(_example(row, f"examples[{place}]", stage) for place, row in enumerate(rows)),
        usual_examples=_truth(fields.get("usual_examples", True), "usual_examples"),
    )


def with_photographs(content: Content, photographs: Mapping[int, Photograph]) -> Content:
    """Return the content with the file of each example's photograph.

    Raise InstructionsError if an image is not among the photographs, or a part of it lies outside of it.
    """
    examples = []
    for place, one in enumerate(content.examples):
        where = f"examples[{place}]"
        photograph = photographs.get(one.image)
        if photograph is None:
            raise InstructionsError(
                f"{where}.image",
                "has no photograph in this project any more: remove the example, or choose another image",
            )
        whole = (0, 0, photograph.width, photograph.height)
        if not _within(one.view, whole):
            raise InstructionsError(f"{where}.view", "must lie inside of the photograph: cut it out again")
        examples.append(
            Example(
                image=one.image,
                view=one.view,
                good=one.good,
                why=one.why,
                words=one.words,
                boxes=one.boxes,
                file=photograph.file,
            )
        )
    return Content(content.texts, tuple(examples), content.usual_examples)


def to_json(content: Content) -> dict[str, Any]:
    """Return the content as a version stores it."""
    return {
        "texts": dict(content.texts),
        "usual_examples": content.usual_examples,
        "examples": [
            {
                "image": one.image,
                "file": one.file,
                "view": list(one.view),
                "boxes": [list(box) for box in one.boxes],
                "good": one.good,
                "words": list(one.words),
                "why": dict(one.why),
            }
            for one in content.examples
        ],
    }


def from_json(stored: Mapping[str, Any]) -> Content:
    """Return the content of a stored version."""
    return Content(
        texts=stored["texts"],
        usual_examples=stored["usual_examples"],
        examples=tuple(
            Example(
                image=one["image"],
                view=_edges_of(one["view"]),
                good=one["good"],
                why=one["why"],
                words=tuple(one["words"]),
                boxes=tuple(_edges_of(box) for box in one["boxes"]),
                file=one["file"],
            )
            for one in stored["examples"]
        ),
    )


def _example(row: Any, where: str, stage: str) -> Example:
    said = _bag(row, where, ("image", "view", "boxes", "good", "words", "why"))
    image = said.get("image")
    if not isinstance(image, int) or isinstance(image, bool) or not 0 < image < 2**63:
        raise InstructionsError(f"{where}.image", "must be the number of an image")
    view = _edges(said.get("view"), f"{where}.view")
    if min(view[2] - view[0], view[3] - view[1]) < MIN_VIEW:
        raise InstructionsError(
            f"{where}.view", f"must be at least {MIN_VIEW} pixels wide and high: cut out more"
        )
    rows = _list(said.get("boxes", []), f"{where}.boxes", MAX_BOXES.get(stage, 0))
    boxes = tuple(_edges(box, f"{where}.boxes[{place}]") for place, box in enumerate(rows))
    for place, box in enumerate(boxes):
        if not _within(box, view):
            raise InstructionsError(f"{where}.boxes[{place}]", "must lie inside of the part that is shown")
    why = _by_language(said.get("why", {}), f"{where}.why", MAX_WHY_LENGTH, lines=False)
    if not why:
        raise InstructionsError(f"{where}.why", "must say in a sentence why it is good or bad")
    phrases = _list(said.get("words", []), f"{where}.words", MAX_WORDS)
    words = (
        _text(one, f"{where}.words[{place}]", MAX_WORDS_LENGTH, lines=False)
        for place, one in enumerate(phrases)
    )
    return Example(
        image=image,
        view=view,
        good=_truth(said.get("good"), f"{where}.good"),
        why=why,
        words=tuple(one for one in words if one),
        boxes=boxes,
    )


def _bag(data: Any, where: str, known: Iterable[str]) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise InstructionsError(where, "must be an object")
    strange = sorted(str(name)[:40] for name in set(data) - set(known))
    if strange:
        raise InstructionsError(f"{where}.{strange[0]}".lstrip("."), "is not a part of instructions")
    return data


def _list(value: Any, where: str, most: int) -> Sequence[Any]:
    if not isinstance(value, list):
        raise InstructionsError(where, "must be a list")
    if len(value) > most:
        raise InstructionsError(where, f"must be at most {most}" if most else "must be empty in this stage")
    return value


def _truth(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise InstructionsError(where, "must be true or false")
    return value


def _by_language(value: Any, where: str, longest: int, *, lines: bool) -> dict[str, str]:
    """Return the texts that are not empty, by language."""
    said = _bag(value, where, LANGUAGES)
    texts = {
        language: _text(said[language], f"{where}.{language}", longest, lines=lines)
        for language in LANGUAGES
        if language in said
    }
    return {language: text for language, text in texts.items() if text}


def _text(value: Any, where: str, longest: int, *, lines: bool) -> str:
    """Return the text without control characters, and without spaces around it and at the ends of lines."""
    if not isinstance(value, str):
        raise InstructionsError(where, "must be a text")
    text = re.sub(r"\r\n?|\u2028|\u2029", "\n", value)
    if not lines:
        text = re.sub(r"\s+", " ", text)
    text = "".join(letter for letter in text if letter == "\n" or not _control(letter))
    text = re.sub(r"[ \t]+\n", "\n", re.sub(r"\n{3,}", "\n\n", text)).strip()
    if len(text) > longest:
        raise InstructionsError(where, f"has {len(text)} characters, and may have {longest}: shorten it")
    return text


def _control(letter: str) -> bool:
    """Return whether databases refuse the character, or it cannot be seen (surrogates and controls)."""
    code = ord(letter)
    return code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000


def _edges(value: Any, where: str) -> Edges:
    if not (
        isinstance(value, list)
        and len(value) == 4
        and all(isinstance(edge, int) and not isinstance(edge, bool) for edge in value)
        and 0 <= value[0] < value[2] < 2**31
        and 0 <= value[1] < value[3] < 2**31
    ):
        raise InstructionsError(where, "must be left, top, right and bottom, in whole pixels")
    return _edges_of(value)


def _edges_of(value: Sequence[int]) -> Edges:
    left, top, right, bottom = value
    return left, top, right, bottom


def _within(inner: Edges, outer: Edges) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]
