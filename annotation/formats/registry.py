"""The readers and writers of all formats by their names."""

from collections.abc import Callable
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
from annotation.formats.datasets import coco_grounding, flickr30k_entities, jsonl, odvg
from annotation.formats.datasets.coco import CocoWriter
from annotation.formats.datasets.coco_grounding import CocoGroundingWriter
from annotation.formats.datasets.flickr30k_entities import EntitiesWriter
from annotation.formats.datasets.jsonl import JsonlWriter
from annotation.formats.datasets.odvg import OdvgWriter
from annotation.formats.datasets.refcoco import RefcocoWriter

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


def _parquet(out: Path) -> Writer:
    """Make a Parquet writer. It imports pyarrow only now: that is larger than everything else together."""
    from annotation.formats.datasets.parquet import ParquetWriter

    return ParquetWriter(out)


def _huggingface(out: Path) -> Writer:
    """Make a writer for Hugging Face, which imports pyarrow, too."""
    from annotation.formats.datasets.huggingface import HuggingFaceWriter

    return HuggingFaceWriter(out)


WRITERS: dict[str, Callable[[Path], Writer]] = {
    "flickr30k-entities": EntitiesWriter,
    "coco": CocoWriter,
    "coco-grounding": CocoGroundingWriter,
    "huggingface": _huggingface,
    "odvg": OdvgWriter,
    "refcoco": RefcocoWriter,
    "jsonl": JsonlWriter,
    "parquet": _parquet,
}

__all__ = ["READERS", "WRITERS", "Reader", "Writer"]
