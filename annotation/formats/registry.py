"""The readers and writers of all formats by their names."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from annotation.formats.base import Reader, Writer
from annotation.formats.captions import (
    aligned_text,
    coco_captions,
    flickr30k_token,
    json_captions,
    parquet_captions,
    photographs,
    sidecar_texts,
    spreadsheet,
)
from annotation.formats.datasets import (
    chat,
    coco,
    coco_grounding,
    cvat,
    flickr30k_entities,
    jsonl,
    label_studio,
    odvg,
    refcoco,
    voc,
    webdataset,
    yolo,
)
from annotation.formats.datasets.grounded_captions import ALL_SPLITS
from evaluation.readers.records import SPLITS

READERS: dict[str, Reader] = {
    "spreadsheet": spreadsheet.read,
    "flickr30k-token": flickr30k_token.read,
    "flickr30k-entities": flickr30k_entities.read,
    "coco-captions": coco_captions.read,
    "json-captions": json_captions.read,
    "parquet-captions": parquet_captions.read,
    "aligned-text": aligned_text.read,
    "sidecar-texts": sidecar_texts.read,
    "jsonl": jsonl.read,
    "odvg": odvg.read,
    "coco-grounding": coco_grounding.read,
    "photographs": photographs.read,
}

DATA_SETS, DETECTION, CHATS = "data sets", "detection and grounding", "vision-language models"
GROUPS = (DATA_SETS, DETECTION, CHATS)
"""What formats are for."""


@dataclass(frozen=True, slots=True)
class Output:
    """A format that exports write: how its writer is made, and what that may write.

    `files` has the paths of files, and `folders` those of folders that have a file for each image or part,
    with the suffix of these files. If there are two folders, a file in one has its partner in the other.
    """

    group: str
    make: Callable[[Path], Writer]
    files: frozenset[str] = frozenset()
    folders: Mapping[str, str] = field(default_factory=dict)
    holds_pictures: bool = False  # pictures are moved into its files

    def __call__(self, out: Path) -> Writer:
        """Return a writer into the folder `out`."""
        return self.make(out)


def _parquet(out: Path) -> Writer:
    """Make a Parquet writer. It imports pyarrow only now: that is larger than everything else together."""
    from annotation.formats.datasets.parquet import ParquetWriter

    return ParquetWriter(out)


def _huggingface(out: Path) -> Writer:
    """Make a writer for Hugging Face, which imports pyarrow, too."""
    from annotation.formats.datasets.huggingface import HuggingFaceWriter

    return HuggingFaceWriter(out)


def _chat(name: str) -> Output:
    dialect = chat.DIALECTS[name]
    files = frozenset(map(chat.file_name, ALL_SPLITS)) | (dialect.beside.files if dialect.beside else set())
    return Output(CHATS, partial(chat.ChatWriter, dialect=dialect), files)


_TABLES = ("images", "captions", "mentions", "chains", "boxes", "chain_boxes")

WRITERS: Mapping[str, Output] = {
    "flickr30k-entities": Output(
        DATA_SETS,
        flickr30k_entities.EntitiesWriter,
        frozenset(
            {
                flickr30k_entities.CAPTIONS,
                flickr30k_entities.UNRELATED,
                *(f"{split}.txt" for split in SPLITS),
            }
        ),
        {"Sentences": ".txt", "Annotations": ".xml"},
    ),
    "jsonl": Output(DATA_SETS, jsonl.JsonlWriter, frozenset({jsonl.FILE})),
    "parquet": Output(DATA_SETS, _parquet, frozenset(f"{table}.parquet" for table in _TABLES)),
    "huggingface": Output(
        DATA_SETS, _huggingface, frozenset({"README.md"}), {"data": ".parquet"}, holds_pictures=True
    ),
    "webdataset": Output(
        DATA_SETS, webdataset.WebdatasetWriter, folders={webdataset.SHARDS: ".tar"}, holds_pictures=True
    ),
    "coco": Output(DETECTION, coco.CocoWriter, frozenset({coco.FILE})),
    "coco-grounding": Output(
        DETECTION,
        coco_grounding.CocoGroundingWriter,
        frozenset(
            coco_grounding.file_name(kind, split) for kind in coco_grounding.KINDS for split in ALL_SPLITS
        ),
    ),
    "odvg": Output(DETECTION, odvg.OdvgWriter, frozenset(map(odvg.file_name, ALL_SPLITS))),
    "refcoco": Output(
        DETECTION,
        refcoco.RefcocoWriter,
        frozenset({refcoco.INSTANCES, refcoco.REFS_LINES, refcoco.REFS_PICKLE}),
    ),
    "yolo": Output(
        DETECTION,
        yolo.YoloWriter,
        frozenset({yolo.CONFIG, *map(yolo.file_name, ALL_SPLITS)}),
        {yolo.LABELS: ".txt"},
    ),
    "voc": Output(
        DETECTION,
        voc.VocWriter,
        frozenset({voc.LABELS, *map(voc.file_name, ALL_SPLITS)}),
        {voc.ANNOTATIONS: ".xml"},
    ),
    "cvat": Output(DETECTION, cvat.CvatWriter, frozenset({cvat.FILE})),
    "label-studio": Output(
        DETECTION, label_studio.LabelStudioWriter, frozenset({label_studio.FILE, label_studio.CONFIG})
    ),
    **{name: _chat(name) for name in chat.DIALECTS},
}

__all__ = ["GROUPS", "READERS", "WRITERS", "Output", "Reader", "Writer"]
