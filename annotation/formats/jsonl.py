"""Groundcrew's own format: JSON Lines with all of an image on one line. docs/formats.md has the schema."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from annotation.domain.records import (
    CaptionRecord,
    ChainRecord,
    ImageRecord,
    MentionRecord,
    Problem,
)
from annotation.formats.base import Writer, check_name, read_lines
from annotation.formats.jsonl_schema import FieldError, parse_image

MAX_RECORD = 4 * 1024 * 1024  # bytes of one line
FILE = "images.jsonl"


def read(path: Path) -> Iterator[ImageRecord | Problem]:
    """Yield one record for each line.

    A line with any mistake is left out and comes as a Problem that names the field.
    """
    for line in read_lines(path, MAX_RECORD):
        if isinstance(line, Problem):
            yield line
            continue
        number, content = line
        if not content.strip():
            continue
        try:
            yield replace(parse_image(orjson.loads(content)), file=str(path), line=number)
        except orjson.JSONDecodeError as error:
            yield Problem(str(path), number, f"not JSON: {error}", "one image a line, in UTF-8")
        except FieldError as error:
            yield Problem(str(path), number, str(error), "the image was left out")


class JsonlWriter(Writer):
    """Writes `images.jsonl`, without provenance, since ids of judgments mean nothing in another database."""

    def __init__(self, out: Path) -> None:
        super().__init__(out)
        self._file = (out / FILE).open("wb")

    def add(self, record: ImageRecord) -> None:
        if wrong := check_name(record.name):
            raise ValueError(wrong)
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
