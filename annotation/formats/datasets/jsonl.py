"""Groundcrew's own format: JSON Lines with all of an image on one line. docs/formats.md has the schema."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import orjson

from annotation.domain.geometry import Box
from annotation.domain.records import (
    BoxRecord,
    CaptionRecord,
    ChainRecord,
    ImageRecord,
    MentionRecord,
    Problem,
)
from annotation.domain.tokens import align
from annotation.formats.base import Writer, caption_text, check_name, check_text, problem_of, read_lines
from annotation.formats.datasets.chains import chains_of
from evaluation.errors import InputError, Place, load_json
from evaluation.readers.jsonl import MAX_RECORD, Line, checked

FILE = "images.jsonl"
_T = TypeVar("_T", int, tuple[int, int, int])


def read(path: Path) -> Iterator[ImageRecord | Problem]:
    """Yield one record for each line.

    A line with any mistake is left out and comes as a Problem that names the field.
    """
    for line in read_lines(path, MAX_RECORD):
        if isinstance(line, Problem):
            yield line
        elif line[1].strip():
            try:
                yield _record(line[1], Place(str(path), line[0]))
            except InputError as error:
                yield problem_of(error, "the image was left out")


def _record(content: bytes, place: Place) -> ImageRecord:
    """Return the record of a line, or raise InputError."""
    line = checked(load_json(content, place), place, strict=True)
    if wrong := check_name(line["name"]):
        raise place.error("name", wrong)
    captions = tuple(
        _read_caption(caption, place, f"captions[{at}]") for at, caption in enumerate(line["captions"])
    )
    chains = (
        chains_of(captions, {}, {}) if line["chains"] is None else tuple(map(_read_chain, line["chains"]))
    )
    return ImageRecord(
        line["name"],
        captions,
        line["width"],
        line["height"],
        line["depth"],
        line["split"],
        chains,
        tuple(map(_read_box, line["boxes"])),
        file=place.file,
        line=place.line,
    )


def _read_caption(given: Line, place: Place, field: str) -> CaptionRecord:
    text = given["text"]
    try:
        if not given["tokens"]:
            text = caption_text(text)
        elif wrong := check_text(text):
            raise ValueError(wrong)
    except ValueError as error:
        raise place.error(f"{field}.text", str(error)) from error
    if given["tokens"]:
        try:
            align(text, given["tokens"])
        except ValueError as error:
            raise place.error(f"{field}.tokens", str(error)) from error
    mentions = given["mentions"]
    if mentions is not None:
        mentions = tuple(
            MentionRecord(one["start"], one["end"], tuple(one["types"]), one["chain"]) for one in mentions
        )
    return CaptionRecord(given["index"], text, tuple(given["tokens"]), mentions)


def _read_chain(given: Line) -> ChainRecord:
    return ChainRecord(
        id=given["id"],
        types=tuple(given["types"]),
        mentions=_in_order(given["mentions"]),
        boxes=_in_order(given["boxes"]),
        scene=given["scene"],
        nobndbox=given["nobndbox"],
        judgments=_in_order(given["judgments"]),
        finished=given["finished"],
    )


def _read_box(given: Line) -> BoxRecord:
    merged_from = tuple(sorted(Box(*edges) for edges in given["merged_from"]))
    return BoxRecord(Box(*given["box"]), _in_order(given["judgments"]), merged_from)


def _in_order(values: list[_T]) -> tuple[_T, ...]:
    return tuple(sorted(set(values)))


class JsonlWriter(Writer):
    """Writes `images.jsonl`, without provenance, since ids of judgments mean nothing in another database."""

    def __init__(self, out: Path) -> None:
        super().__init__(out)
        self._file = (out / FILE).open("wb")

    def _add(self, record: ImageRecord) -> None:
        self._file.write(orjson.dumps(to_json(record), option=orjson.OPT_APPEND_NEWLINE))

    def close(self) -> None:
        self._file.close()

    def discard(self) -> None:
        self._file.close()


def to_json(record: ImageRecord) -> dict[str, Any]:
    """Return the JSON object of one image.

    Defaults are left out, and so is provenance (judgments, boxes before merging).
    """
    line: dict[str, Any] = {"name": record.name}
    if record.width is not None:
        line["width"] = record.width
    if record.height is not None:
        line["height"] = record.height
    if record.depth != 3:
        line["depth"] = record.depth
    if record.split:
        line["split"] = record.split
    line["captions"] = [_caption(caption) for caption in record.captions]
    if record.chains:
        line["chains"] = [_chain(chain) for chain in record.chains]
    if record.boxes:
        line["boxes"] = [{"box": box.box.edges} for box in record.boxes]
    return line


def _caption(caption: CaptionRecord) -> dict[str, Any]:
    fields: dict[str, Any] = {"index": caption.index, "text": caption.text}
    if caption.tokens:
        fields["tokens"] = caption.tokens
    if caption.mentions is not None:
        fields["mentions"] = [_mention(mention) for mention in caption.mentions]
    return fields


def _mention(mention: MentionRecord) -> dict[str, Any]:
    fields: dict[str, Any] = {"start": mention.start, "end": mention.end, "types": mention.types}
    if mention.chain is not None:
        fields["chain"] = mention.chain
    return fields


def _chain(chain: ChainRecord) -> dict[str, Any]:
    fields: dict[str, Any] = {"id": chain.id, "types": chain.types, "mentions": chain.mentions}
    if chain.boxes:
        fields["boxes"] = chain.boxes
    if chain.scene:
        fields["scene"] = True
    if chain.nobndbox:
        fields["nobndbox"] = True
    if not chain.finished:
        fields["finished"] = False
    return fields
