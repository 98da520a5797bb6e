"""Data sets in the published format of Flickr30k Entities. docs/formats.md has its files."""

from __future__ import annotations

from collections.abc import Iterator
from sys import intern

import numpy as np

from evaluation.dataset import Boxes, Caption, Chain, Image, Mention, MentionKey
from evaluation.readers.annotation_files import XmlFile, XmlObject, parse
from evaluation.readers.files import Files
from evaluation.readers.records import MAX_CAPTIONS, MAX_SIDE, NOTVISUAL, SPLITS, types_of_chains
from evaluation.readers.sentences import parse_sentence

MAX_BYTES = 4 * 1024 * 1024
"""Of a file of sentences or of annotations."""


def read_entities(files: Files) -> Iterator[Image]:
    """Yield the images in the order of their files.

    Corners in `Annotations` are 1-based and inclusive, so a box's left and top edges are one less than
    `xmin` and `ymin`. A box that is partly outside its image is kept as it is. Boxes of
    objects whose chain no sentence mentions are `unmentioned`. Raise InputError for the first mistake.
    """
    splits = {stem: split for split in SPLITS for stem in _split_list(files, f"{split}.txt")}
    annotated = set(files.within("Annotations", ".xml"))
    stems = files.within("Sentences", ".txt")
    if alone := sorted(annotated.difference(stems)):
        raise files.place(f"Annotations/{alone[0]}.xml").error("", f"there is no Sentences/{alone[0]}.txt")
    for stem in stems:
        annotation = XmlFile()
        if stem in annotated:
            file = f"Annotations/{stem}.xml"
            annotation = parse(files.read(file, MAX_BYTES), str(files.place(file)))
        name = annotation.filename or f"{stem}.jpg"
        captions = tuple(_captions(files, f"Sentences/{stem}.txt", name))
        size = (annotation.width or 0, annotation.height or 0)
        chains, others = _chains(captions, annotation.objects)
        yield Image(name, *size, splits.get(stem, ""), captions, chains, others)


def _captions(files: Files, name: str, image: str) -> Iterator[Caption]:
    try:
        lines = files.read(name, MAX_BYTES).decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise files.place(name).error("", f"is not UTF-8: {error}") from error
    if len(lines) > MAX_CAPTIONS:
        raise files.place(name).error("", f"has more than {MAX_CAPTIONS:,} lines")
    for index, line in enumerate(lines):
        if line.strip():
            words, brackets = parse_sentence(line, files.place(name, index + 1), strict=False)
            tokens = tuple(map(intern, words))
            mentions = tuple(
                Mention(
                    MentionKey(image, index, one.start, one.end),
                    tokens[one.start : one.end],
                    tuple(kind for kind in one.types if kind != NOTVISUAL),
                    str(one.chain or ""),
                )
                for one in brackets
            )
            yield Caption(index, tokens, mentions)


def _split_list(files: Files, name: str) -> list[str]:
    if name not in files.names:
        return []
    return files.read(name, 64 * 1024 * 1024).decode("utf-8", "replace").split()


def _chains(captions: tuple[Caption, ...], objects: list[XmlObject]) -> tuple[dict[str, Chain], Boxes]:
    """Return the chains that sentences mention, and the boxes of all other objects."""
    types = types_of_chains(captions)
    boxes: dict[str, list[tuple[int, int, int, int]]] = {}
    scenes, unboxed = set(), set()
    others = []
    for one in objects:
        if one.boxed and types.keys().isdisjoint(map(str, one.chains(strict=False))):
            others.append(_edges(one))
        scene, nobndbox = (False, False) if one.boxed else one.flags()
        for chain in map(str, one.chains(strict=False)):
            if one.boxed:
                boxes.setdefault(chain, []).append(_edges(one))
            if scene:
                scenes.add(chain)
            if nobndbox:
                unboxed.add(chain)
    chains = {
        chain: Chain(chain, kinds, _array(boxes.get(chain, [])), chain in scenes, chain in unboxed)
        for chain, kinds in types.items()
    }
    return chains, _array(others)


def _array(boxes: list[tuple[int, int, int, int]]) -> Boxes:
    return np.array(boxes, dtype=np.float64).reshape(-1, 4)


def _edges(one: XmlObject) -> tuple[int, int, int, int]:
    left, top, right, bottom = one.edges()
    if left >= right or top >= bottom:
        message = f"has corners {left + 1}, {top + 1} and {right}, {bottom} in reverse"
        raise one.place.error("bndbox", message)
    if max(abs(left + 1), abs(top + 1), abs(right), abs(bottom)) > MAX_SIDE:
        raise one.place.error("bndbox", f"has a corner at more than {MAX_SIDE:,} pixels")
    return left, top, right, bottom
