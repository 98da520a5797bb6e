"""Recognises a data set and reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from evaluation.dataset import Dataset, Image
from evaluation.errors import InputError, Place, load_json
from evaluation.readers.captions import (
    MAX_COCO,
    MAX_LINE,
    is_one_object,
    is_token_line,
    read_json_captions,
    read_token_file,
    read_token_folder,
    token_files,
)
from evaluation.readers.entities import read_entities
from evaluation.readers.files import Files, filled, lines_of, opened_file, read_lines
from evaluation.readers.jsonl import MAX_RECORD, read_jsonl
from evaluation.readers.model_parts import read_model_parts
from evaluation.readers.parquet import read_parquet

MAX_IMAGES = 1_000_000
JSONL = "images.jsonl"
FORMATS = ("jsonl", "flickr30k-entities", "parquet")
"""The formats of exports that are read."""
MANIFESTS = ("about/manifest.json", "manifest.json")
"""Where the manifest of an export is, and where it is in older ones."""
Progress = Callable[[Iterable[Image]], Iterable[Image]]
"""Wraps the images as they are read, as `tqdm` does."""


def read_dataset(path: Path, *, split: str = "", progress: Progress = iter) -> Dataset:
    """Read the data set in a folder, a ZIP archive, a file of JSON lines, or one of captions alone.

    With `split`, only images of this split are kept. Raise InputError if nothing is recognised, for the first
    mistake in it, for two images of one name, and if no image is left.
    """
    images = sorted(
        (image for image in progress(iterate_images(path)) if not split or image.split == split),
        key=lambda image: image.name,
    )
    for before, after in pairwise(images):
        if before.name == after.name:
            raise InputError(f"{path}: two images have the name {after.name}")
    if not images:
        raise InputError(f"{path}: has no image{f' of the split {split}' if split else ''}")
    if path.is_file() and not _is_archive(path):
        return Dataset(path.resolve().name, tuple(images))
    files = Files(path)
    said, place = _manifest(files)
    told = (said.get(field) for field in ("project", "language"))
    title, language = (one if isinstance(one, str) else "" for one in told)
    models = read_model_parts(files, said, place, [image.name for image in images])
    return Dataset(title or path.resolve().name, tuple(images), language, models)


def iterate_images(path: Path) -> Iterator[Image]:
    """Yield the images of the data set one by one. Raise InputError as `read_dataset` does."""
    for count, image in enumerate(_read(path)):
        if count >= MAX_IMAGES:
            raise InputError(f"{path}: has more than {MAX_IMAGES:,} images")
        yield image


def _read(path: Path) -> Iterator[Image]:
    if path.is_file() and not _is_archive(path):
        yield from _read_file(path)
        return
    files = Files(path)
    if any(name.startswith("Sentences/") for name in files.names):
        yield from read_entities(files)
    elif JSONL in files.names:
        with files.opened(JSONL) as file:
            place = files.place(JSONL)
            yield from read_jsonl(filled(lines_of(file, MAX_RECORD, place)), str(place))
    elif "images.parquet" in files.names:
        yield from read_parquet(files)
    elif token_files(files.names):
        yield from read_token_folder(files)
    elif (format := _manifest(files)[0].get("format", FORMATS[0])) not in FORMATS:
        raise InputError(
            f"{path} is an export in the format {format}, which is not read here; export it as jsonl instead"
        )
    else:
        raise InputError(
            f"{path} is no data set: it has no folder Sentences, no {JSONL}, no images.parquet and no "
            "token file"
        )


def _read_file(path: Path) -> Iterator[Image]:
    with opened_file(path) as file:
        start = file.read(4096)
    if is_token_line(start):
        yield from read_token_file(read_lines(path, MAX_LINE), str(path))
    elif is_one_object(path):
        place = Place(str(path))
        with opened_file(path) as file:
            content = file.read(MAX_COCO + 1)
        if len(content) > MAX_COCO:
            raise place.error("", f"has more than {MAX_COCO:,} bytes")
        yield from read_json_captions(content, place)
    else:
        yield from read_jsonl(read_lines(path, MAX_RECORD), str(path))


def _is_archive(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) in (b"PK\x03\x04", b"PK\x05\x06")


def _manifest(files: Files) -> tuple[dict[str, Any], Place]:
    """Return the manifest of an export and where it is; {} if there is none."""
    for name in MANIFESTS:
        if name in files.names:
            found = load_json(files.read(name, MAX_RECORD), files.place(name))
            return (found if isinstance(found, dict) else {}), files.place(name)
    return {}, files.place(MANIFESTS[0])
