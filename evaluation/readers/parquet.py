"""Data sets as six Parquet tables. docs/formats.md has their columns.

This needs pyarrow: `pip install "groundcrew-evaluation[parquet]"`.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from sys import intern
from typing import Any

import numpy as np

from evaluation.dataset import Boxes, Caption, Chain, Image, Mention, MentionKey
from evaluation.errors import InputError
from evaluation.readers.files import Files
from evaluation.readers.records import (
    MAX_CAPTIONS,
    MAX_SIDE,
    NOTVISUAL,
    ordered_types,
    types_of_chains,
    wrong_type,
)

MAX_BYTES = 2 * 1024 * 1024 * 1024
"""Of a table in a ZIP archive, which is unpacked into memory."""
_ROWS = 20_000
_KINDS = {
    "a whole number": "width height index caption start end chain id box",
    "a number": "left top right bottom",
    "a text": "name image split",
    "a list of texts": "tokens types",
    "true or false": "scene nobndbox",
}
"""What the values of a column are."""
_COLUMNS = {
    "images": ("name", "width", "height", "split"),
    "captions": ("image", "index", "tokens"),
    "mentions": ("image", "caption", "start", "end", "types", "chain"),
    "chains": ("image", "id", "types", "scene", "nobndbox"),
    "boxes": ("image", "index", "left", "top", "right", "bottom"),
    "chain_boxes": ("image", "chain", "box"),
}


@dataclass(slots=True)
class _Draft:
    width: int
    height: int
    split: str
    tokens: dict[int, tuple[str, ...]] = field(default_factory=dict)
    mentions: dict[int, list[Mention]] = field(default_factory=lambda: defaultdict(list))
    chains: dict[str, tuple[tuple[str, ...], bool, bool]] = field(default_factory=dict)
    boxes: dict[int, tuple[float, ...]] = field(default_factory=dict)
    pointing: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))


def read_parquet(files: Files) -> Iterator[Image]:
    """Yield the images in the order of their names.

    Raise InputError for the first mistake, or if pyarrow is not installed.
    """
    drafts: dict[str, _Draft] = {}
    for table in _COLUMNS:
        for at, row in enumerate(_rows(files, table)):
            try:
                if table == "images":
                    name = row["name"]
                    if not isinstance(name, str) or not name or name in drafts:
                        raise ValueError("name: is missing or given twice")
                    width, height = row["width"] or 0, row["height"] or 0
                    if not (0 <= width <= MAX_SIDE and 0 <= height <= MAX_SIDE):
                        raise ValueError(f"width, height: are not from 0 to {MAX_SIDE:,}")
                    drafts[name] = _Draft(width, height, row["split"] or "")
                else:
                    _add(drafts[row["image"]], table, row)
            except KeyError as error:
                place = files.place(f"{table}.parquet", f"row {at + 1}")
                raise place.error("", f"{error.args[0]!r} is not in the other tables") from error
            except TypeError as error:
                place = files.place(f"{table}.parquet", f"row {at + 1}")
                empty = next((column for column, value in row.items() if value is None), "")
                raise place.error(empty, "is empty") from error
            except ValueError as error:
                place = files.place(f"{table}.parquet", f"row {at + 1}")
                raise place.error("", str(error)) from error
    for name, draft in sorted(drafts.items()):
        yield _image(name, draft)


def _rows(files: Files, table: str) -> Iterator[dict[str, Any]]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise InputError(
            f"{files.path} has Parquet tables, and reading them needs pyarrow: pip install pyarrow"
        ) from error
    name = f"{table}.parquet"
    if name not in files.names:
        raise InputError(f"{files.path} has no {name}")
    source = io.BytesIO(files.read(name, MAX_BYTES)) if files.path.is_file() else files.path / name
    try:
        with pq.ParquetFile(source) as file:
            missing = [column for column in _COLUMNS[table] if column not in file.schema_arrow.names]
            if missing:
                raise files.place(name).error(missing[0], "the column is missing")
            for kind, columns in _KINDS.items():
                for column in columns.split():
                    if column in _COLUMNS[table] and not _is(kind, file.schema_arrow.field(column).type):
                        found = file.schema_arrow.field(column).type
                        raise files.place(name).error(column, f"has the type {found}, and must be {kind}")
            for batch in file.iter_batches(_ROWS, columns=list(_COLUMNS[table])):
                yield from batch.to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise files.place(name).error("", f"is no Parquet file, or damaged: {error}") from error


def _is(kind: str, found: Any) -> bool:
    """Return whether a type of Arrow is of one of the _KINDS, also if its values are in a dictionary."""
    from pyarrow import types

    if types.is_dictionary(found):
        found = found.value_type
    if kind == "a list of texts":
        return bool(types.is_list(found) or types.is_large_list(found)) and _is("a text", found.value_type)
    tests = {
        "a whole number": (types.is_integer,),
        "a number": (types.is_integer, types.is_floating),
        "a text": (types.is_string, types.is_large_string),
        "true or false": (types.is_boolean,),
    }
    return any(test(found) for test in tests[kind])


def _add(draft: _Draft, table: str, row: dict[str, Any]) -> None:
    if table == "captions":
        if not 0 <= row["index"] < MAX_CAPTIONS or row["index"] in draft.tokens:
            raise ValueError(f"index: {row['index']} is given twice, or is not below {MAX_CAPTIONS:,}")
        draft.tokens[row["index"]] = tuple(map(intern, row["tokens"] or ()))
    elif table == "mentions":
        index, start, end = row["caption"], row["start"], row["end"]
        tokens = draft.tokens[index]
        if not 0 <= start < end <= len(tokens):
            raise ValueError(f"start, end: {start} and {end} are not within {len(tokens)} tokens")
        chain = str(row["chain"]) if row["chain"] else ""
        key = MentionKey(row["image"], index, start, end)
        if any(mention.key == key for mention in draft.mentions[index]):
            raise ValueError(f"start, end: there are two mentions from {start} to {end}")
        draft.mentions[index].append(Mention(key, tokens[start:end], _types(row["types"]), chain))
    elif table == "chains":
        chain = str(row["id"])
        if chain in draft.chains:
            raise ValueError(f"id: two chains of the image have the id {chain}")
        draft.chains[chain] = (_types(row["types"]), bool(row["scene"]), bool(row["nobndbox"]))
    elif table == "boxes":
        edges = tuple(float(row[side]) for side in ("left", "top", "right", "bottom"))
        if not (np.isfinite(edges).all() and edges[0] < edges[2] and edges[1] < edges[3]):
            raise ValueError("left, top, right, bottom: the box is empty, or has infinite edges")
        if row["index"] in draft.boxes:
            raise ValueError(f"index: two boxes of the image have the index {row['index']}")
        draft.boxes[row["index"]] = edges
    else:
        if str(row["chain"]) not in draft.chains:
            raise ValueError(f"chain: {row['chain']} is not in chains.parquet")
        if row["box"] not in draft.boxes:
            raise ValueError(f"box: {row['box']} is not in boxes.parquet")
        draft.pointing[str(row["chain"])].append(row["box"])


def _types(value: list[str] | None) -> tuple[str, ...]:
    if wrong := next(filter(None, map(wrong_type, value or ())), None):
        raise ValueError(f"types: {wrong}")
    return tuple(one for one in value or () if one != NOTVISUAL)


def _image(name: str, draft: _Draft) -> Image:
    captions = tuple(
        Caption(index, tokens, tuple(sorted(draft.mentions[index], key=lambda mention: mention.key.start)))
        for index, tokens in sorted(draft.tokens.items())
    )
    chains = {}
    meant: set[int] = set()
    for chain, mentioned in types_of_chains(captions).items():
        types, scene, nobndbox = draft.chains.get(chain, ((), False, False))
        pointed = set(draft.pointing.get(chain, ()))
        boxes = _boxes(draft, pointed)
        chains[chain] = Chain(chain, ordered_types(types) or mentioned, boxes, scene, nobndbox)
        meant |= pointed
    others = _boxes(draft, draft.boxes.keys() - meant)
    return Image(name, draft.width, draft.height, draft.split, captions, chains, others)


def _boxes(draft: _Draft, indices: Set[int]) -> Boxes:
    found = [draft.boxes[index] for index in sorted(indices)]
    return np.array(found, dtype=np.float64).reshape(-1, 4)
