"""Data sets as JSON lines: `images.jsonl` of an export. docs/formats.md has the fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import isfinite
from sys import intern
from typing import Any

import numpy as np

from evaluation.dataset import Boxes, Caption, Chain, Image, Mention, MentionKey
from evaluation.errors import Place, boxes_of, entries_of, fields_of, list_of, load_json, number, within
from evaluation.readers.records import (
    MAX_CAPTIONS,
    MAX_ID,
    MAX_SIDE,
    NOTVISUAL,
    SPLITS,
    ordered_types,
    types_of_chains,
    wrong_name,
    wrong_type,
)

MAX_RECORD = 4 * 1024 * 1024
"""Bytes of a line."""
Span = tuple[int, int, int]
"""A mention in an image: the number of its caption, its first token, and the token after its last."""
Line = dict[str, Any]


def read_jsonl(lines: Iterable[tuple[int, bytes]], name: str) -> Iterator[Image]:
    """Yield the image of each numbered line of a file, which errors call `name`.

    Raise InputError for the first mistake.
    """
    for line, content in lines:
        place = Place(name, line)
        yield _image(checked(load_json(content, place), place, strict=False))


def checked(value: object, place: Place, *, strict: bool) -> Line:
    """Return the object of a line with every field that it may have. Raise InputError, which names the field.

    What is missing has its default: null for sizes and for the chain of a mention, [] for lists, and 3 for
    the depth. `mentions` of a caption and `chains` are null if they are missing, which is not the same as [].

    Measures take what they can measure: a caption without tokens is split at white space, boxes may have
    fractions and reach outside the image, mentions may overlap, and a chain need not list its mentions. With
    `strict`, as an import reads a line, all that is said of an image has to agree, and to fit the database.
    """
    names = ("width", "height", "depth", "split", "chains", "boxes")
    fields = fields_of(value, place, ("name", "captions"), names)
    image: Line = {"name": within(fields["name"], str, place, "name")}
    if wrong := wrong_name(image["name"]):
        raise place.error("name", wrong)
    for side in ("width", "height"):
        image[side] = _optional(fields, side, int(strict), MAX_SIDE, place)
    image["depth"] = _optional(fields, "depth", 1, 255, place) or 3
    image["split"] = within(fields.get("split", ""), str, place, "split")
    if strict and image["split"] not in ("", *SPLITS):
        raise place.error("split", f"{image['split'][:40]!r} is none of {', '.join(SPLITS)}")
    image["captions"] = [
        _caption(one, place, field, strict)
        for one, field in entries_of(fields["captions"], place, "captions", MAX_CAPTIONS)
    ]
    if len({caption["index"] for caption in image["captions"]}) != len(image["captions"]):
        raise place.error("captions", "two captions have the same index")
    image["boxes"] = [
        _box(one, place, field, image, strict)
        for one, field in entries_of(fields.get("boxes", []), place, "boxes")
    ]
    image["chains"] = None
    if "chains" in fields:
        image["chains"] = [
            _chain(one, place, field, len(image["boxes"]), strict)
            for one, field in entries_of(fields["chains"], place, "chains")
        ]
        _check_chains(image, place, strict)
    return image


def _caption(value: object, place: Place, field: str, strict: bool) -> Line:
    fields = fields_of(value, place, ("index", "text"), ("tokens", "mentions"), field)
    text = within(fields["text"], str, place, f"{field}.text")
    caption: Line = {
        "index": number(fields["index"], place, f"{field}.index", 0, MAX_CAPTIONS - 1),
        "text": text,
        "tokens": _texts(fields.get("tokens", []), place, f"{field}.tokens"),
        "mentions": None,
    }
    if "mentions" not in fields:
        return caption
    tokens = caption["tokens"] or (not strict and text.split())
    if not tokens:
        raise place.error(f"{field}.tokens", "is missing, and mentions count tokens")
    mentions = [
        _mention(one, place, where, len(tokens), strict)
        for one, where in entries_of(fields["mentions"], place, f"{field}.mentions")
    ]
    mentions.sort(key=lambda mention: int(mention["start"]))
    if len({(mention["start"], mention["end"]) for mention in mentions}) != len(mentions):
        raise place.error(f"{field}.mentions", "two mentions have the same tokens")
    for before, after in pairwise(mentions):
        if strict and before["end"] > after["start"]:
            message = f"the mentions at {before['start']} and {after['start']} overlap"
            raise place.error(f"{field}.mentions", message)
    return {**caption, "mentions": mentions}


def _mention(value: object, place: Place, field: str, tokens: int, strict: bool) -> Line:
    fields = fields_of(value, place, ("start", "end"), ("types", "chain"), field)
    start = number(fields["start"], place, f"{field}.start", 0, tokens - 1)
    end = number(fields["end"], place, f"{field}.end", start + 1, tokens)
    chain = _optional(fields, "chain", 0, MAX_ID, place, field)
    types = _types(fields, place, field, strict)
    if strict and NOTVISUAL in types and (chain or len(types) > 1):
        raise place.error(f"{field}.types", f"{NOTVISUAL} stands alone, with chain 0")
    return {"start": start, "end": end, "types": types, "chain": chain}


def _chain(value: object, place: Place, field: str, boxes: int, strict: bool) -> Line:
    names = ("types", "mentions", "boxes", "scene", "nobndbox", "judgments", "finished")
    fields = fields_of(value, place, ("id", "mentions") if strict else ("id",), names, field)
    spans = []
    for one, where in entries_of(fields.get("mentions", []), place, f"{field}.mentions"):
        spans.append(_numbers(one, place, where, 0, 2**31))
        if len(spans[-1]) != 3:
            raise place.error(where, "is not [caption, start, end]")
    types = _types(fields, place, field, strict)
    if strict and NOTVISUAL in types:
        raise place.error(f"{field}.types", f"has {NOTVISUAL}, which no chain is")
    return {
        "id": number(fields["id"], place, f"{field}.id", 1, MAX_ID),
        "types": types,
        "mentions": [(caption, start, end) for caption, start, end in spans],
        "boxes": _numbers(fields.get("boxes", []), place, f"{field}.boxes", 0, boxes - 1),
        "judgments": _numbers(fields.get("judgments", []), place, f"{field}.judgments", 1, MAX_ID),
        **{
            flag: within(fields.get(flag, default), bool, place, f"{field}.{flag}")
            for flag, default in (("scene", False), ("nobndbox", False), ("finished", True))
        },
    }


def _box(value: object, place: Place, field: str, image: Line, strict: bool) -> Line:
    fields = fields_of(value, place, ("box",), ("judgments", "merged_from"), field)
    return {
        "box": _edges(fields["box"], place, f"{field}.box", image, strict),
        "judgments": _numbers(fields.get("judgments", []), place, f"{field}.judgments", 1, MAX_ID),
        "merged_from": [
            _edges(one, place, where, image, strict)
            for one, where in entries_of(fields.get("merged_from", []), place, f"{field}.merged_from")
        ],
    }


def _edges(value: object, place: Place, field: str, image: Line, strict: bool) -> list[Any]:
    edges = (
        _numbers(value, place, field, 0, MAX_SIDE) if strict else boxes_of([value], place, field)[0].tolist()
    )
    if len(edges) != 4:
        raise place.error(field, "is not four numbers [left, top, right, bottom]")
    left, top, right, bottom = edges
    if not (all(map(isfinite, edges)) and left < right and top < bottom):
        raise place.error(field, "is empty: left < right and top < bottom")
    width, height = image["width"] or MAX_SIDE, image["height"] or MAX_SIDE
    if strict and (right > width or bottom > height):
        raise place.error(field, f"reaches outside the image of {width} x {height} pixels")
    return edges


def _types(fields: Line, place: Place, field: str, strict: bool) -> list[str]:
    types = within(fields.get("types", []), list, place, f"{field}.types")
    for one in types:
        if wrong := wrong_type(one):
            raise place.error(f"{field}.types", wrong)
    if strict and len(set(types)) != len(types):
        raise place.error(f"{field}.types", "names a type twice")
    return types


def _optional(fields: Line, name: str, least: int, most: int, place: Place, field: str = "") -> int | None:
    value = fields.get(name)
    return None if value is None else number(value, place, f"{field}.{name}".lstrip("."), least, most)


def _numbers(value: object, place: Place, field: str, least: int, most: int) -> list[int]:
    entries = list_of(value, place, field)
    for at, one in enumerate(entries):
        if type(one) is not int or not least <= one <= most:
            number(one, place, f"{field}[{at}]", least, most)
    return entries


def _texts(value: object, place: Place, field: str) -> list[str]:
    entries = list_of(value, place, field)
    for at, one in enumerate(entries):
        if type(one) is not str:
            within(one, str, place, f"{field}[{at}]")
    return entries


def _check_chains(image: Line, place: Place, strict: bool) -> None:
    """Raise InputError unless chains and mentions agree about which mention is in which chain.

    Without `strict`, only two chains with the same id or the same mention disagree.
    """
    told: dict[Span, int | None] = {
        (caption["index"], mention["start"], mention["end"]): mention["chain"]
        for caption in image["captions"]
        for mention in caption["mentions"] or ()
    }
    listed: dict[Span, int] = {}
    ids: set[int] = set()
    for at, chain in enumerate(image["chains"]):
        if chain["id"] in ids:
            raise place.error(f"chains[{at}].id", f"{chain['id']} is given twice")
        ids.add(chain["id"])
    for at, chain in enumerate(image["chains"]):
        for span in chain["mentions"]:
            field = f"chains[{at}].mentions"
            if strict and span not in told:
                raise place.error(field, f"{list(span)} is no mention of a caption")
            other = strict and told[span] not in (None, chain["id"])
            if other or listed.setdefault(span, chain["id"]) != chain["id"]:
                raise place.error(field, f"{list(span)} is in another chain, too")
    for span, chain_id in told.items():
        if strict and chain_id and listed.get(span) != chain_id:
            message = f"mention {list(span)} names chain {chain_id}, which does not list it"
            raise place.error("chains", message)


def _image(line: Line) -> Image:
    chains = line["chains"] or []
    listed = {span: chain["id"] for chain in chains for span in chain["mentions"]}
    captions = []
    for caption in sorted(line["captions"], key=lambda caption: int(caption["index"])):
        tokens = tuple(map(intern, caption["tokens"] or caption["text"].split()))
        mentions = []
        for mention in caption["mentions"] or ():
            span = (caption["index"], mention["start"], mention["end"])
            mentions.append(
                Mention(
                    MentionKey(line["name"], *span),
                    tokens[mention["start"] : mention["end"]],
                    tuple(one for one in mention["types"] if one != NOTVISUAL),
                    str(mention["chain"] or listed.get(span, "")),
                )
            )
        captions.append(Caption(caption["index"], tokens, tuple(mentions)))
    boxes: Boxes = np.array([box["box"] for box in line["boxes"]], dtype=np.float64).reshape(-1, 4)
    given = {str(chain["id"]): chain for chain in chains}
    found = {}
    meant: set[int] = set()
    for chain_id, mentioned in types_of_chains(captions).items():
        one = given.get(chain_id, {"types": [], "boxes": [], "scene": False, "nobndbox": False})
        types = ordered_types(one["types"]) or mentioned
        found[chain_id] = Chain(chain_id, types, boxes[one["boxes"]], one["scene"], one["nobndbox"])
        meant.update(one["boxes"])
    others = boxes[[at for at in range(len(boxes)) if at not in meant]]
    size = (line["width"] or 0, line["height"] or 0)
    return Image(line["name"], *size, line["split"], tuple(captions), found, others)
