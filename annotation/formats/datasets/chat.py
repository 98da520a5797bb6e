"""Lines of JSON for trainers of vision-language models: a line for each caption with boxes.

`DIALECTS` has what differs: the text, the coordinates, and the files that tell the trainer of the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from annotation.domain.records import ImageRecord
from annotation.formats import parts
from annotation.formats.base import PICTURES, Writer
from annotation.formats.datasets import chat_texts as texts
from annotation.formats.datasets.chat_texts import Taught
from annotation.formats.datasets.coordinates import (
    MAX_PIXELS,
    Grid,
    is_empty,
    is_shrunk,
    pixels,
    resized_pixels,
    steps_of_1023,
    thousand_bins,
    thousandths,
)
from annotation.formats.datasets.grounded_captions import (
    ALL_SPLITS,
    UNSPLIT,
    Phrase,
    Said,
    said,
    size_of,
    split_of,
)
from annotation.formats.datasets.split_files import SplitFiles

DATASET_INFO, META = "dataset_info.json", "meta.json"
SIGNS = "captions with signs that the format uses itself"
NOT_TAKEN = "images of a shape that the model does not take"
SHRUNK = f"images that have to be shrunk to {MAX_PIXELS:,} pixels"
EMPTY = "boxes that rounding leaves without area"
"""What `not_held` calls captions and images that are left out (the first two), and `written_but` images whose
boxes are right only with Qwen's limit, and boxes as the model would be taught them."""
_TAGS = re.compile(r"<(?:image|video|audio|bbox|ref-object|cot-process|start-image)>|<\|[^<>|]*\|>")
"""What ms-swift, LLaMA-Factory and the tokenisers of Qwen take for something else than text."""


def file_name(split: str) -> str:
    """Return the name of the file of a split."""
    return f"{split}.jsonl"


def meta_of(split: str) -> str:
    """Return the name of InternVL's list for a split that is not the one to train on."""
    return f"meta_{split}.json"


def _for_llama_factory(counts: Mapping[str, int]) -> Mapping[str, dict[str, Any]]:
    """Return the registry of data sets in which LLaMA-Factory looks, with a data set for each split."""
    tags = {"role_tag": "role", "content_tag": "content", "user_tag": "user", "assistant_tag": "assistant"}
    sets = {
        f"groundcrew_{split}": {
            "file_name": file_name(split),
            "formatting": "sharegpt",
            "columns": {"messages": "messages", "images": "images"},
            "tags": tags,
        }
        for split in sorted(counts)
    }
    return {DATASET_INFO: sets}


def _for_internvl(counts: Mapping[str, int]) -> Mapping[str, dict[str, Any]]:
    """Return a list of data sets for each split, since InternVL trains on all that are in one list.

    `meta.json`, the list to train on, has the split `train`, or without it the images without a split. Paths
    are relative to the export.
    """
    trained = "train" if "train" in counts else UNSPLIT
    return {
        META if split == trained else meta_of(split): {
            f"groundcrew_{split}": {
                "root": "./",
                "annotation": file_name(split),
                "data_augment": False,
                "repeat_time": 1,
                "length": count,
            }
        }
        for split, count in sorted(counts.items())
    }


@dataclass(frozen=True, slots=True)
class Registry:
    """What tells a trainer of the files of the splits.

    `make` takes the number of lines of each split that has any, and returns JSON by the name of its file.
    """

    files: frozenset[str]  # all names that there can be
    make: Callable[[Mapping[str, int]], Mapping[str, dict[str, Any]]]


LLAMA_FACTORY = Registry(frozenset({DATASET_INFO}), _for_llama_factory)
INTERNVL = Registry(
    frozenset({META, *(meta_of(split) for split in ALL_SPLITS if split != "train")}), _for_internvl
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a trainer writes captions with boxes."""

    line: Callable[[Taught], dict[str, Any]]
    grid: Grid
    signs: re.Pattern[str]  # what no caption may have
    beside: Registry | None = None
    phrases_alone: bool = False  # the caption is not written, only its phrases


DIALECTS: Mapping[str, Dialect] = {
    "ms-swift": Dialect(texts.with_objects, pixels, _TAGS),
    "qwen2-vl": Dialect(texts.with_tokens, thousandths, _TAGS, LLAMA_FACTORY),
    "qwen2.5-vl": Dialect(texts.with_json, resized_pixels, _TAGS, LLAMA_FACTORY),
    "qwen3-vl": Dialect(texts.with_json, thousandths, _TAGS, LLAMA_FACTORY),
    "internvl": Dialect(
        texts.with_internvl_tags,
        thousandths,
        re.compile(rf"</?(?:ref|box|quad|img)>|<IMG_CONTEXT>|{_TAGS.pattern}"),
        INTERNVL,
    ),
    "florence-2": Dialect(texts.with_florence_tokens, thousand_bins, re.compile("<")),
    "paligemma": Dialect(texts.with_paligemma_tokens, steps_of_1023, re.compile("[;<]"), phrases_alone=True),
    "kosmos-2": Dialect(texts.with_patches, pixels, re.compile("<")),
    "grit": Dialect(texts.with_fractions, pixels, re.compile(r"(?!)")),
}


class _Lines:
    def __init__(self, path: Path) -> None:
        self.file = path.open("wb")
        self.count = 0

    def add(self, line: Mapping[str, Any]) -> None:
        self.file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
        self.count += 1


class ChatWriter(Writer):
    """Writes `<split>.jsonl`, and what the trainer needs beside them.

    A caption without boxes has no line, and so has one with signs of the format, which the trainer would take
    for something else. An image that the model refuses has no line, either. `not_held` counts all of them.
    `written_but` counts boxes without area, and images that have lines and are shrunk.
    """

    LACKS = frozenset(
        {
            parts.CAPTIONS_WITHOUT_BOXES,
            parts.PHRASES_WITHOUT_BOXES,
            parts.NOT_VISUAL,
            parts.SAME,
            parts.SCENES,
            parts.NOT_BOXED,
        }
    )

    def __init__(self, out: Path, dialect: Dialect) -> None:
        super().__init__(out)
        self._dialect = dialect
        self._files = SplitFiles(lambda split: _Lines(out / file_name(split)))
        self._counts: dict[str, int] = {}

    def _add(self, record: ImageRecord) -> None:
        size = size_of(record)
        split = split_of(record)
        file = self._files.of(split)
        try:
            found = {box.box: self._dialect.grid(box.box, *size) for box in record.boxes}
        except ValueError:
            self.not_held[NOT_TAKEN] += 1
            return
        before = file.count
        for caption in said(record):
            phrases = tuple(phrase for phrase in caption.phrases if phrase.boxes)
            if not phrases:
                continue
            if self._has_signs(caption, phrases):
                self.not_held[SIGNS] += 1
                continue
            edges = tuple(tuple(found[box] for box in phrase.boxes) for phrase in phrases)
            file.add(
                self._dialect.line(Taught(f"{PICTURES}/{record.name}", *size, caption.text, phrases, edges))
            )
            self.written_but[EMPTY] += sum(is_empty(one) for several in edges for one in several)
        if self._dialect.grid is resized_pixels and is_shrunk(*size):
            self.written_but[SHRUNK] += file.count > before
        self._counts[split] = file.count

    def _has_signs(self, caption: Said, phrases: Sequence[Phrase]) -> bool:
        """Return whether there are signs in what is written: the caption, or these phrases of it alone."""
        written = [phrase.text for phrase in phrases] if self._dialect.phrases_alone else [caption.text]
        return any(map(self._dialect.signs.search, written))

    def close(self) -> None:
        for file in self._files.all():
            file.file.close()
        if self._dialect.beside:
            found = self._dialect.beside.make({split: n for split, n in self._counts.items() if n})
            for name, sets in found.items():
                (self.out / name).write_bytes(orjson.dumps(sets, option=orjson.OPT_INDENT_2))

    def discard(self) -> None:
        for file in self._files.opened():
            file.file.close()
