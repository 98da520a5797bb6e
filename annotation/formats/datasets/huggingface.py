"""A folder for the library `datasets` of Hugging Face: Parquet files by split, a row for each image.

The data set card beside them (`annotation/exporting/data_card.py`) says where they are and what is in them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from annotation.domain.records import ImageRecord
from annotation.formats import parts
from annotation.formats.base import PICTURES, Writer
from annotation.formats.datasets.grounded_captions import row_of, split_of
from annotation.formats.datasets.parquet import RowGroups

FOLDER = "data"
ROWS = 1_000  # of a row group, which are held in memory

_PHRASE = {
    "text": pa.string(),
    "start": pa.int32(),
    "end": pa.int32(),
    "types": pa.list_(pa.string()),
    "chain": pa.int64(),
}
_CAPTION = {"text": pa.string(), "phrases": pa.list_(pa.struct(_PHRASE))}
_CHAIN = {
    "id": pa.int64(),
    "types": pa.list_(pa.string()),
    "scene": pa.bool_(),
    "nobndbox": pa.bool_(),
    "boxes": pa.list_(pa.list_(pa.int32())),
}
SCHEMA = pa.schema(
    {
        "file_name": pa.string(),
        "width": pa.int32(),
        "height": pa.int32(),
        "captions": pa.list_(pa.struct(_CAPTION)),
        "chains": pa.list_(pa.struct(_CHAIN)),
    }
)

IMAGE = "image"
PICTURED = SCHEMA.append(pa.field(IMAGE, pa.struct({"bytes": pa.binary(), "path": pa.string()})))
"""The columns with pictures, in the shape of the feature `Image` of `datasets`."""
PICTURED_ROWS, PICTURED_BYTES = 100, 50_000_000
"""A row group with pictures ends with the row that reaches one of these."""


def file_name(split: str) -> str:
    """Return the name of the file of a split, within the folder `data`."""
    return f"{split}.parquet"


def _batch(rows: list[Any], schema: Any) -> Any:
    return pa.RecordBatch.from_pylist(rows, schema=schema)


class HuggingFaceWriter(Writer):
    """Writes `data/<split>.parquet`, for the splits that images have.

    If pictures are exported, they are moved into the tables, as a column `image`.
    """

    LACKS = frozenset({parts.NOT_VISUAL})

    def __init__(self, out: Path) -> None:
        super().__init__(out)
        self._folder = out / FOLDER
        self._folder.mkdir()
        self._tables: dict[str, RowGroups] = {}
        self._waiting: list[tuple[str, dict[str, Any]]] = []

    def _add(self, record: ImageRecord) -> None:
        self._waiting.append((split_of(record), row_of(record)))

    def settle(self) -> None:
        pictured = (self.out / PICTURES).is_dir()
        for split, row in self._waiting:
            if split not in self._tables:
                schema, rows = (PICTURED, PICTURED_ROWS) if pictured else (SCHEMA, ROWS)
                path = self._folder / file_name(split)
                self._tables[split] = RowGroups(path, schema, rows, _batch, PICTURED_BYTES)
            content = self.take_picture(row["file_name"]) if pictured else None
            if content is not None:
                row[IMAGE] = {"bytes": content, "path": row["file_name"]}
            self._tables[split].add(row, len(content or b""))
        self._waiting = []

    def close(self) -> None:
        self.settle()
        for table in self._tables.values():
            table.close()

    def discard(self) -> None:
        for table in self._tables.values():
            table.discard()
