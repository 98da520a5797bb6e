"""Data sets as JSON lines: `images.jsonl` of an export. docs/formats.md has the fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from sys import intern
from typing import Any

import numpy as np

from evaluation.dataset import TYPES, Boxes, Caption, Chain, Image, Mention, MentionKey
from evaluation.errors import Place, boxes_of, fields_of, load_json, number, within
from evaluation.readers.records import MAX_CAPTIONS, MAX_SIDE, ordered_types, types_of_chains

MAX_RECORD = 4 * 1024 * 1024
"""Bytes of a line."""
_MANY = 100_000
_MAX_ID = 2**63 - 1


def read_jsonl(lines: Iterable[tuple[int, bytes]], name: str) -> Iterator[Image]:
    """Yield the image of each numbered line of a file, which errors call `name`.

    Raise InputError for the first mistake.
    """
    for line, content in lines:
        place = Place(name, line)
        yield parse_image(load_json(content, place), place)


def parse_image(value: object, place: Place) -> Image:
    """Return the image of a line, or raise InputError, which names the field."""
    known = ("width", "height", "depth", "split", "chains", "boxes")
    fields = fields_of(value, place, ("name", "captions"), known)
    name = within(fields["name"], str, place, "name")
    if not name or len(name) > 200:
        raise place.error("name", "has 1 to 200 characters")
    width, height = (number(fields.get(side) or 0, place, side, 0, MAX_SIDE) for side in ("width", "height"))
    split = within(fields.get("split", ""), str, place, "split")
    entries = within(fields.get("chains", []), list, place, "chains")
    listed = _listed_chains(entries, place)
    given = within(fields["captions"], list, place, "captions")
    if len(given) > MAX_CAPTIONS:
        raise place.error("captions", f"has more than {MAX_CAPTIONS:,} entries")
    captions = [_caption(one, name, place, f"captions[{at}]", listed) for at, one in enumerate(given)]
    captions.sort(key=lambda caption: caption.index)
    if len({caption.index for caption in captions}) != len(captions):
        raise place.error("captions", "two captions have the same index")
    boxes = _boxes(fields.get("boxes", []), place)
    chains = _chains(captions, entries, boxes, place)
    return Image(name, width, height, split, tuple(captions), chains)


def _listed_chains(entries: list[Any], place: Place) -> dict[tuple[int, int, int], str]:
    found: dict[tuple[int, int, int], str] = {}
    for at, entry in enumerate(entries):
        field = f"chains[{at}]"
        known = ("types", "mentions", "boxes", "scene", "nobndbox", "judgments", "finished")
        chain = fields_of(entry, place, ("id",), known, field)
        chain_id = str(number(chain["id"], place, f"{field}.id", 1, _MAX_ID))
        for index, span in enumerate(within(chain.get("mentions", []), list, place, f"{field}.mentions")):
            where = f"{field}.mentions[{index}]"
            if len(within(span, list, place, where)) != 3:
                raise place.error(where, "is not [caption, start, end]")
            caption, start, end = (number(one, place, where, 0, _MANY) for one in span)
            if found.setdefault((caption, start, end), chain_id) != chain_id:
                raise place.error(where, f"{span} is in another chain, too")
    return found


def _caption(
    value: object, image: str, place: Place, field: str, listed: dict[tuple[int, int, int], str]
) -> Caption:
    fields = fields_of(value, place, ("index", "text"), ("tokens", "mentions"), field)
    index = number(fields["index"], place, f"{field}.index", 0, MAX_CAPTIONS - 1)
    text = within(fields["text"], str, place, f"{field}.text")
    given = within(fields.get("tokens", []), list, place, f"{field}.tokens")
    words = [within(one, str, place, f"{field}.tokens") for one in given] or text.split()
    tokens = tuple(map(intern, words))
    mentions: list[Mention] = []
    for at, one in enumerate(within(fields.get("mentions", []), list, place, f"{field}.mentions")):
        where = f"{field}.mentions[{at}]"
        mention = fields_of(one, place, ("start", "end"), ("types", "chain"), where)
        start = number(mention["start"], place, f"{where}.start", 0, len(tokens) - 1)
        end = number(mention["end"], place, f"{where}.end", start + 1, len(tokens))
        if any((other.key.start, other.key.end) == (start, end) for other in mentions):
            raise place.error(where, f"there are two mentions from {start} to {end}")
        types = _types(mention.get("types", []), place, f"{where}.types")
        chain = number(mention.get("chain") or 0, place, f"{where}.chain", 0, _MAX_ID)
        chain_id = str(chain) if chain else listed.get((index, start, end), "")
        mentions.append(Mention(MentionKey(image, index, start, end), tokens[start:end], types, chain_id))
    mentions.sort(key=lambda mention: mention.key.start)
    return Caption(index, tokens, tuple(mentions))


def _types(value: object, place: Place, field: str) -> tuple[str, ...]:
    types = within(value, list, place, field)
    for one in types:
        if one not in TYPES and one != "notvisual":
            raise place.error(field, f"{str(one)[:40]!r} is none of {', '.join(TYPES)}")
    return tuple(one for one in types if one != "notvisual")


def _boxes(value: object, place: Place) -> Boxes:
    rows = []
    for at, entry in enumerate(within(value, list, place, "boxes")):
        field = f"boxes[{at}]"
        box = fields_of(entry, place, ("box",), ("judgments", "merged_from"), field)["box"]
        edges = boxes_of([box], place, f"{field}.box")[0]
        if not (np.isfinite(edges).all() and edges[0] < edges[2] and edges[1] < edges[3]):
            raise place.error(f"{field}.box", "is empty: left < right and top < bottom")
        rows.append(edges)
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def _chains(
    captions: list[Caption],
    entries: list[Any],
    boxes: Boxes,
    place: Place,
) -> dict[str, Chain]:
    given = {str(entry["id"]): (at, entry) for at, entry in enumerate(entries)}
    if len(given) != len(entries):
        raise place.error("chains", "two chains have the same id")
    found = {}
    for chain, mentioned in types_of_chains(captions).items():
        at, entry = given.get(chain, (0, {}))
        field = f"chains[{at}]"
        indexes = [
            number(one, place, f"{field}.boxes", 0, len(boxes) - 1)
            for one in within(entry.get("boxes", []), list, place, f"{field}.boxes")
        ]
        types = ordered_types(_types(entry.get("types", []), place, f"{field}.types")) or mentioned
        scene, nobndbox = (
            within(entry.get(flag, False), bool, place, f"{field}.{flag}") for flag in ("scene", "nobndbox")
        )
        found[chain] = Chain(chain, types, boxes[indexes], scene, nobndbox)
    return found
