"""Parquet files for notebooks: six tables, a file each. docs/formats.md lists the columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.domain.records import ImageRecord
from annotation.formats.base import Writer

ROWS = 20_000  # rows of a row group, which are held in memory
_NUMBERS = pa.list_(pa.int64())
_WORDS = pa.list_(pa.string())
_ORIGINS = pa.list_(
    pa.struct(
        [
            ("judgment", pa.int64()),
            ("origin", pa.string()),
            ("model", pa.string()),
            ("overlap", pa.float64()),
            ("score", pa.float64()),
            ("decision", pa.int64()),
        ]
    )
)
_SCHEMAS: dict[str, list[tuple[str, Any]]] = {
    "images": [
        ("name", pa.string()),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("depth", pa.int16()),
        ("split", pa.string()),
    ],
    "captions": [("image", pa.string()), ("index", pa.int16()), ("text", pa.string()), ("tokens", _WORDS)],
    "mentions": [
        ("image", pa.string()),
        ("caption", pa.int16()),
        ("start", pa.int16()),
        ("end", pa.int16()),
        ("types", _WORDS),
        ("chain", pa.int64()),
    ],
    "chains": [
        ("image", pa.string()),
        ("id", pa.int64()),
        ("types", _WORDS),
        ("scene", pa.bool_()),
        ("nobndbox", pa.bool_()),
        ("finished", pa.bool_()),
        ("judgments", _NUMBERS),
        ("decisions", _NUMBERS),
        ("models", _WORDS),
    ],
    "boxes": [
        ("image", pa.string()),
        ("index", pa.int32()),
        ("left", pa.int32()),
        ("top", pa.int32()),
        ("right", pa.int32()),
        ("bottom", pa.int32()),
        ("judgments", _NUMBERS),
        ("decisions", _NUMBERS),
        ("models", _WORDS),
        ("merged_from", pa.list_(pa.list_(pa.int32()))),
        ("origins", _ORIGINS),
    ],
    "chain_boxes": [("image", pa.string()), ("chain", pa.int64()), ("box", pa.int32())],
}


class RowGroups:
    """Writes a Parquet file. Rows are kept until a group of `most` is full, which `batch` makes of them.

    With `most_bytes`, a group also ends with the row that reaches so many.
    """

    def __init__(
        self,
        path: Path,
        schema: Any,
        most: int,
        batch: Callable[[list[Any], Any], Any],
        most_bytes: int | None = None,
    ) -> None:
        self._schema, self._most, self._batch, self._most_bytes = schema, most, batch, most_bytes
        self._bytes = 0
        self._writer = pq.ParquetWriter(path, schema, compression="zstd")
        self._rows: list[Any] = []

    def add(self, row: object, size: int = 0) -> None:
        """Add a row of about `size` bytes."""
        self._rows.append(row)
        self._bytes += size
        if len(self._rows) >= self._most or (self._most_bytes and self._bytes >= self._most_bytes):
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_batch(self._batch(self._rows, self._schema))
            self._rows = []
            self._bytes = 0

    def close(self) -> None:
        """Write the rows that are left, and finish the file."""
        self._flush()
        self.discard()

    def discard(self) -> None:
        """Close the file without what is left."""
        self._writer.close()


def _columns(rows: list[Any], schema: Any) -> Any:
    arrays = [
        pa.array(column, kind) for column, kind in zip(zip(*rows, strict=True), schema.types, strict=True)
    ]
    return pa.record_batch(arrays, schema=schema)


class ParquetWriter(Writer):
    """Writes a `.parquet` file for `images`, `captions`, `mentions`, `chains`, `boxes` and `chain_boxes`."""

    def __init__(self, out: Path) -> None:
        super().__init__(out)
        self._tables = {
            name: RowGroups(out / f"{name}.parquet", pa.schema(columns), ROWS, _columns)
            for name, columns in _SCHEMAS.items()
        }

    def _add(self, record: ImageRecord) -> None:
        name, tables = record.name, self._tables
        tables["images"].add((name, record.width, record.height, record.depth, record.split))
        for caption in record.captions:
            tables["captions"].add((name, caption.index, caption.text, caption.tokens))
            for mention in caption.mentions or ():
                span = (mention.start, mention.end)
                tables["mentions"].add((name, caption.index, *span, mention.types, mention.chain))
        for chain in record.chains:
            flags = (chain.scene, chain.nobndbox, chain.finished)
            rests_on = (chain.judgments, chain.decisions, chain.models)
            tables["chains"].add((name, chain.id, chain.types, *flags, *rests_on))
            for index in chain.boxes:
                tables["chain_boxes"].add((name, chain.id, index))
        for index, box in enumerate(record.boxes):
            raw = [edges.edges for edges in box.merged_from]
            origins = [asdict(one) for one in box.origins]
            rests_on = (box.judgments, box.decisions, box.models)
            tables["boxes"].add((name, index, *box.box.edges, *rests_on, raw, origins))

    def close(self) -> None:
        for table in self._tables.values():
            table.close()

    def discard(self) -> None:
        for table in self._tables.values():
            table.discard()
