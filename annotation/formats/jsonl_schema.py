"""Checks a line of Groundcrew's own format field by field. docs/formats.md has the schema."""

from __future__ import annotations

from itertools import pairwise

from annotation.domain.geometry import Box
from annotation.domain.records import BoxRecord, CaptionRecord, ChainRecord, ImageRecord, MentionRecord
from annotation.domain.tokens import align
from annotation.domain.types import NOTVISUAL, TYPES
from annotation.formats.base import MAX_CAPTIONS, MAX_ID, MAX_SIDE, check_name, check_text
from annotation.formats.chains import chains_of
from annotation.formats.fields import FieldError, Fields, flag, items, number, optional, text, within

__all__ = ["FieldError", "parse_image"]

_SPLITS = ("", "train", "val", "test")
_MANY = 100_000  # more boxes, judgments or mentions than any image has


def parse_image(value: object) -> ImageRecord:
    """Return the record of one line. Raise FieldError, which names the field."""
    fields = Fields(value, "", ("name", "captions", "width", "height", "depth", "split", "chains", "boxes"))
    name = text(fields, "name")
    if wrong := check_name(name):
        raise FieldError("name", wrong)
    split = text(fields, "split", "")
    if split not in _SPLITS:
        raise FieldError("split", f"{split[:40]!r} is none of {', '.join(_SPLITS[1:])}")
    width = optional(fields, "width", 1, MAX_SIDE)
    height = optional(fields, "height", 1, MAX_SIDE)
    captions = tuple(_caption(*entry) for entry in items(fields, "captions", MAX_CAPTIONS))
    if len({caption.index for caption in captions}) != len(captions):
        raise FieldError("captions", "two captions have the same index")
    boxes = tuple(_box(*entry, width, height) for entry in items(fields, "boxes", _MANY, []))
    if "chains" in fields.values:
        chains = tuple(_chain(*entry, len(boxes)) for entry in items(fields, "chains", _MANY))
        _check_chains(captions, chains)
    else:
        chains = chains_of(captions, {}, {})
    depth = optional(fields, "depth", 1, 255)
    return ImageRecord(name, captions, width, height, depth or 3, split, chains, boxes)


def _caption(value: object, place: str) -> CaptionRecord:
    fields = Fields(value, place, ("index", "text", "tokens", "mentions"))
    index = number(fields, "index", 0, MAX_CAPTIONS - 1)
    said = text(fields, "text")
    if wrong := check_text(said):
        raise FieldError(fields.at("text"), wrong)
    tokens = tuple(within(token, where, str) for token, where in items(fields, "tokens", len(said), []))
    if tokens:
        try:
            align(said, tokens)
        except ValueError as error:
            raise FieldError(fields.at("tokens"), str(error)) from error
    if "mentions" not in fields.values:
        return CaptionRecord(index, said, tokens)
    if not tokens:
        raise FieldError(fields.at("tokens"), "is missing, and mentions count tokens")
    mentions = sorted(
        (_mention(*entry, len(tokens)) for entry in items(fields, "mentions", len(tokens))),
        key=lambda mention: mention.start,
    )
    for before, after in pairwise(mentions):
        if before.end > after.start:
            raise FieldError(
                fields.at("mentions"), f"the mentions at {before.start} and {after.start} overlap"
            )
    return CaptionRecord(index, said, tokens, tuple(mentions))


def _mention(value: object, place: str, tokens: int) -> MentionRecord:
    fields = Fields(value, place, ("start", "end", "types", "chain"))
    start = number(fields, "start", 0, tokens - 1)
    end = number(fields, "end", start + 1, tokens)
    chain = optional(fields, "chain", 0, MAX_ID)
    types = _types(fields, (*TYPES, NOTVISUAL))
    if NOTVISUAL in types and (chain or len(types) > 1):
        raise FieldError(fields.at("types"), f"{NOTVISUAL} stands alone, with chain 0")
    return MentionRecord(start, end, types, chain)


def _chain(value: object, place: str, boxes: int) -> ChainRecord:
    names = ("id", "types", "mentions", "boxes", "scene", "nobndbox", "judgments", "finished")
    fields = Fields(value, place, names)
    spans = []
    for entry, where in items(fields, "mentions", _MANY):
        numbers = _numbers(entry, where, 0, 2**31)
        if len(numbers) != 3:
            raise FieldError(where, "is not [caption, start, end]")
        spans.append((numbers[0], numbers[1], numbers[2]))
    return ChainRecord(
        id=number(fields, "id", 1, MAX_ID),
        types=_types(fields, TYPES),
        mentions=tuple(sorted(set(spans))),
        boxes=tuple(sorted(set(_numbers(fields.values.get("boxes", []), fields.at("boxes"), 0, boxes - 1)))),
        scene=flag(fields, "scene", False),
        nobndbox=flag(fields, "nobndbox", False),
        judgments=_judgments(fields),
        finished=flag(fields, "finished", True),
    )


def _box(value: object, place: str, width: int | None, height: int | None) -> BoxRecord:
    fields = Fields(value, place, ("box", "judgments", "merged_from"))
    merged_from = sorted(_edges(*entry, width, height) for entry in items(fields, "merged_from", _MANY, []))
    box = _edges(fields.required("box"), fields.at("box"), width, height)
    return BoxRecord(box, _judgments(fields), tuple(merged_from))


def _edges(value: object, place: str, width: int | None, height: int | None) -> Box:
    numbers = _numbers(value, place, 0, MAX_SIDE)
    if len(numbers) != 4:
        raise FieldError(place, "is not [left, top, right, bottom]")
    try:
        box = Box(*numbers)
    except ValueError as error:
        raise FieldError(place, str(error)) from error
    if box.right > (width or MAX_SIDE) or box.bottom > (height or MAX_SIDE):
        raise FieldError(place, f"reaches outside the image of {width} x {height} pixels")
    return box


def _judgments(fields: Fields) -> tuple[int, ...]:
    given = _numbers(fields.values.get("judgments", []), fields.at("judgments"), 1, MAX_ID)
    return tuple(sorted(set(given)))


def _types(fields: Fields, known: tuple[str, ...]) -> tuple[str, ...]:
    types = tuple(within(name, where, str) for name, where in items(fields, "types", len(known), []))
    for name in types:
        if name not in known:
            raise FieldError(fields.at("types"), f"{name[:40]!r} is none of {', '.join(known)}")
    if len(set(types)) != len(types):
        raise FieldError(fields.at("types"), "names a type twice")
    return types


def _numbers(value: object, place: str, least: int, most: int) -> list[int]:
    entries = within(value, place, list)
    if len(entries) > _MANY:
        raise FieldError(place, f"has more than {_MANY} entries")
    for index, entry in enumerate(entries):
        if within(entry, f"{place}[{index}]", int) < least or entry > most:
            raise FieldError(f"{place}[{index}]", f"is not from {least} to {most}")
    return entries


def _check_chains(captions: tuple[CaptionRecord, ...], chains: tuple[ChainRecord, ...]) -> None:
    """Raise FieldError unless chains and mentions agree about which mention is in which chain."""
    told = {
        (caption.index, mention.start, mention.end): mention.chain
        for caption in captions
        for mention in caption.mentions or ()
    }
    listed: dict[tuple[int, int, int], int] = {}
    ids: set[int] = set()
    for index, chain in enumerate(chains):
        if chain.id in ids:
            raise FieldError(f"chains[{index}].id", f"{chain.id} is given twice")
        ids.add(chain.id)
    for index, chain in enumerate(chains):
        place = f"chains[{index}]"
        for span in chain.mentions:
            if span not in told:
                raise FieldError(f"{place}.mentions", f"{list(span)} is no mention of a caption")
            if span in listed or told[span] not in (None, chain.id):
                raise FieldError(f"{place}.mentions", f"{list(span)} is in another chain too")
            listed[span] = chain.id
    for span, told_chain in told.items():
        if told_chain and listed.get(span) != told_chain:
            raise FieldError(
                "chains", f"mention {list(span)} names chain {told_chain}, which does not list it"
            )
