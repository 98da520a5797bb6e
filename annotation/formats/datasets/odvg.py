"""Lines of JSON as MM-Grounding-DINO and Open-GroundingDino read them for grounding (`odvg`)."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import orjson

from annotation.domain.records import ImageRecord
from annotation.formats.base import Writer
from annotation.formats.datasets.grounded_captions import said, size_of, split_of
from annotation.formats.datasets.split_files import SplitFiles


def file_name(split: str) -> str:
    """Return the name of the file of a split."""
    return f"odvg_{split}.jsonl"


class OdvgWriter(Writer):
    """Writes a file for each split, with a line for each caption that has boxes.

    A region is one phrase with one of its boxes, since Open-GroundingDino takes one box a region, and fails
    on a caption without regions.
    """

    def __init__(self, out: Path) -> None:
        super().__init__(out)
        self._files: SplitFiles[IO[bytes]] = SplitFiles(lambda split: (out / file_name(split)).open("wb"))

    def _add(self, record: ImageRecord) -> None:
        width, height = size_of(record)
        file = self._files.of(split_of(record))
        for caption in said(record):
            regions = [
                {"bbox": box.edges, "phrase": phrase.text, "tokens_positive": [phrase.span]}
                for phrase in caption.phrases
                for box in phrase.boxes
            ]
            if regions:
                line = {
                    "filename": record.name,
                    "height": height,
                    "width": width,
                    "grounding": {"caption": caption.text, "regions": regions},
                }
                file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))

    def close(self) -> None:
        for file in self._files.all():
            file.close()

    def discard(self) -> None:
        for file in self._files.opened():
            file.close()
