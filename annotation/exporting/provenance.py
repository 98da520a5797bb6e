"""`provenance.jsonl`: the judgments and decisions that boxes and chains rest on, in a file of its own."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

import orjson

from annotation.domain.records import ImageRecord

FILE = "provenance.jsonl"
INLINE = frozenset({"parquet"})  # formats that hold it themselves


class ProvenanceWriter:
    """Writes one line an image: the judgment ids of each chain, and those of each box with its raw boxes."""

    def __init__(self, out: Path) -> None:
        self._file = (out / FILE).open("wb")

    def add(self, record: ImageRecord) -> None:
        """Write the next image."""
        chains_of: dict[int, list[int]] = {}
        for chain in record.chains:
            for index in chain.boxes:
                chains_of.setdefault(index, []).append(chain.id)
        line = {
            "name": record.name,
            "chains": [
                {"id": chain.id, "judgments": chain.judgments, "decisions": chain.decisions}
                for chain in record.chains
            ],
            "boxes": [
                {
                    "chains": chains_of.get(index, []),
                    "box": box.box.edges,
                    "judgments": box.judgments,
                    "decisions": box.decisions,
                    "merged_from": [raw.edges for raw in box.merged_from],
                }
                for index, box in enumerate(record.boxes)
            ],
        }
        self._file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
