"""A reader of the published Flickr30k Entities format, written from its description.

It stands for other people's parsers, so it shares no code with `annotation.formats`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict
from xml.etree import ElementTree


class Phrase(TypedDict):
    first_word_index: int
    phrase: str
    phrase_id: str
    phrase_type: list[str]


class Sentence(TypedDict):
    sentence: str
    phrases: list[Phrase]


class Annotations(TypedDict):
    boxes: dict[str, list[list[int]]]
    scene: list[str]
    nobox: list[str]
    width: int
    height: int
    depth: int


def sentence_data(path: Path) -> list[Sentence]:
    """Return the sentences of a file: their words, and their phrases by the index of their first word."""
    sentences: list[Sentence] = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        if not line:
            continue
        words: list[str] = []
        phrases: list[Phrase] = []
        current: list[str] | None = None
        for token in line.split():
            if current is not None:
                word = token[:-1] if token[-1] == "]" else token
                current.append(word)
                words.append(word)
                if token[-1] == "]":
                    phrases[-1]["phrase"] = " ".join(current)
                    current = None
            elif token[0] == "[":
                parts = token.split("/")
                phrases.append(
                    {
                        "first_word_index": len(words),
                        "phrase": "",
                        "phrase_id": parts[1][3:],
                        "phrase_type": parts[2:],
                    }
                )
                current = []
            else:
                words.append(token)
        sentences.append({"sentence": " ".join(words), "phrases": phrases})
    return sentences


def annotation_data(path: Path) -> Annotations:
    """Return the boxes (0-based corners, as the published tools return them) and flags of a file."""
    root = ElementTree.parse(path).getroot()  # noqa: S314 (a file the test has just written)
    size = {element.tag: int(element.text or "") for element in root.findall("size")[0]}
    found: Annotations = {
        "boxes": {},
        "scene": [],
        "nobox": [],
        "width": size["width"],
        "height": size["height"],
        "depth": size["depth"],
    }
    for element in root.findall("object"):
        names = [name.text or "" for name in element.findall("name")]
        if box := element.findall("bndbox"):
            corners = [int(box[0].findtext(corner) or "") - 1 for corner in ("xmin", "ymin", "xmax", "ymax")]
            for name in names:
                found["boxes"].setdefault(name, []).append(corners)
        else:
            if int(element.findtext("nobndbox") or "") == 1:
                found["nobox"] += names
            if int(element.findtext("scene") or "") == 1:
                found["scene"] += names
    return found
