"""A folder for the library `datasets` of Hugging Face: Parquet files by split, a row for each image.

The data set card beside them (`annotation/exporting/data_card.py`) says where they are and what is in them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.domain.records import ImageRecord
from annotation.formats.base import Writer, check_name
from annotation.formats.datasets.grounded_captions import said, split_of

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


def file_name(split: str) -> str:
    """Return the name of the file of a split, within the folder `data`."""
    return f"{split}.parquet"


class _Table:
    """Writes the file of a split. Rows are kept until a row group is full."""

    def __init__(self, path: Path) -> None:
        self._writer = pq.ParquetWriter(path, SCHEMA, compression="zstd")
        self._rows: list[dict[str, Any]] = []

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        if len(self._rows) >= ROWS:
            self.flush()

    def flush(self) -> None:
        if self._rows:
            self._writer.write_batch(pa.RecordBatch.from_pylist(self._rows, schema=SCHEMA))
            self._rows = []

    def close(self) -> None:
        self._writer.close()


class HuggingFaceWriter(Writer):
    """Writes `data/<split>.parquet`, for the splits that images have."""

    def __init__(self, out: Path) -> None:
        super().__init__(out)
        self._folder = out / FOLDER
        self._folder.mkdir()
        self._tables: dict[str, _Table] = {}

    def add(self, record: ImageRecord) -> None:
        if wrong := check_name(record.name):
            raise ValueError(wrong)
        split = split_of(record)
        if split not in self._tables:
            self._tables[split] = _Table(self._folder / file_name(split))
        self._tables[split].add(_row(record))

    def close(self) -> None:
        for table in self._tables.values():
            table.flush()
        self.discard()

    def discard(self) -> None:
        for table in self._tables.values():
            table.close()


def _row(record: ImageRecord) -> dict[str, Any]:
    captions = [
        {
            "text": caption.text,
            "phrases": [
                {
                    "text": phrase.text,
                    "start": phrase.start,
                    "end": phrase.end,
                    "types": phrase.types,
                    "chain": phrase.chain,
                }
                for phrase in caption.phrases
            ],
        }
        for caption in said(record)
    ]
    chains = [
        {
            "id": chain.id,
            "types": chain.types,
            "scene": chain.scene,
            "nobndbox": chain.nobndbox,
            "boxes": [record.boxes[index].box.edges for index in chain.boxes],
        }
        for chain in record.chains
    ]
    return {
        "file_name": record.name,
        "width": record.width,
        "height": record.height,
        "captions": captions,
        "chains": chains,
    }
