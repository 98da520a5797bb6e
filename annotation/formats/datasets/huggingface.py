"""A folder for the library `datasets` of Hugging Face: Parquet files by split, a row for each image.

The data set card beside them (`annotation/exporting/data_card.py`) says where they are and what is in them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from annotation.domain.records import ImageRecord
from annotation.formats.base import Writer
from annotation.formats.datasets.grounded_captions import said, split_of
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


def file_name(split: str) -> str:
    """Return the name of the file of a split, within the folder `data`."""
    return f"{split}.parquet"


def _batch(rows: list[Any], schema: Any) -> Any:
    return pa.RecordBatch.from_pylist(rows, schema=schema)


class HuggingFaceWriter(Writer):
    """Writes `data/<split>.parquet`, for the splits that images have."""

    def __init__(self, out: Path) -> None:
        super().__init__(out)
        self._folder = out / FOLDER
        self._folder.mkdir()
        self._tables: dict[str, RowGroups] = {}

    def _add(self, record: ImageRecord) -> None:
        split = split_of(record)
        if split not in self._tables:
            self._tables[split] = RowGroups(self._folder / file_name(split), SCHEMA, ROWS, _batch)
        self._tables[split].add(_row(record))

    def close(self) -> None:
        for table in self._tables.values():
            table.close()

    def discard(self) -> None:
        for table in self._tables.values():
            table.discard()


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
