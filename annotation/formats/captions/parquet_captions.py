"""Reads tables of images and captions in Parquet, as Hugging Face's data sets have them.

An image is a file name, or a struct of its file (`bytes`) and its name (`path`). Captions are texts or lists.
pyarrow is imported only when a table is read, because it is larger than everything else together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotation.domain.records import ImageRecord, Problem
from annotation.formats.base import check_name
from annotation.formats.captions.entries import (
    ADDRESSES,
    CAPTIONS,
    CONVERSATIONS,
    DOWNLOADS,
    IMAGES,
    PATHS,
    Entry,
    NotDownloaded,
    parse_entry,
    plain,
    records_of,
    what_is_missing,
)
from annotation.formats.captions.parquet_pages import PageError, page_sizes
from annotation.formats.captions.same_names import PicturesApart

if TYPE_CHECKING:
    import pyarrow
    import pyarrow.parquet

MAGIC = b"PAR1"
MAX_UNPACKED = 1 << 30  # bytes of a page, which is unpacked as a whole
MAX_RATIO = 200  # of unpacked to packed size, as in archives
SMALL = 1 << 20  # bytes: for smaller pages, the ratio says nothing
_ROWS, _ROWS_WITH_PICTURES = 1_000, 16  # at once
_BUFFER = 1 << 20
_DAMAGED = "it is damaged, or ends too early: get it again"
_OURS = ({"image", "index", "text", "tokens"}, {"image", "caption", "start", "end", "types", "chain"})
"""The columns of captions.parquet and mentions.parquet of an export."""
_SUFFIXES = {b"\x89PNG": ".png", b"RIFF": ".webp"}


class TableError(Exception):
    """A Parquet file has no captions of images, or must not be unpacked. The message says why."""


def check_table(path: Path) -> None:
    """Raise TableError, which says what the file looks like, unless it is a table of images and captions."""
    with _opened(path) as table:
        columns, _ = _columns(table)
        _check_sizes(path, table, columns)


def read(path: Path) -> Iterator[ImageRecord | Problem]:
    """Yield one record for each run of rows about an image, with its picture if the table has it.

    Images that img2dataset could not download are one problem.
    """
    yield from records_of(path, _entries(path))


def _entries(path: Path) -> Iterator[Entry | Problem]:
    import pyarrow

    row = lost = 0
    first_lost, apart = "", PicturesApart()
    try:
        with _opened(path) as table:
            columns, pictures = _columns(table)
            _check_sizes(path, table, columns)
            rows = _ROWS_WITH_PICTURES if pictures else _ROWS
            for batch in table.iter_batches(batch_size=rows, columns=columns, use_threads=False):
                for fields in batch.to_pylist():
                    try:
                        yield _entry(path, row, fields, apart)
                    except NotDownloaded as error:
                        lost, first_lost = lost + 1, first_lost or str(error)
                    row += 1
    except TableError as error:
        yield Problem(str(path), None, str(error), whole=True)
    except (pyarrow.ArrowException, UnicodeDecodeError, OSError) as error:
        first = (str(error).splitlines() or ["it ends too early"])[0]
        message = f"the Parquet file is damaged: {first[:200]}"
        yield Problem(str(path), None, message, "what came before was read", whole=True)
    if lost:
        message = f"{lost:,} of {row:,} images were not downloaded, such as {first_lost}"
        yield Problem(str(path), None, message, "they were left out")


def _entry(path: Path, row: int, fields: dict[str, Any], apart: PicturesApart) -> Entry | Problem:
    try:
        entry = parse_entry(fields, None, _made_up_name(path, row, fields), f"row {row}")
        # Here, before rows of one image are joined.
        return replace(entry, name=apart.name_of(entry.name, entry.picture))
    except NotDownloaded:
        raise
    except ValueError as error:
        return Problem(str(path), None, f"row {row}: {error}", "it was left out")


def _made_up_name(path: Path, row: int, fields: dict[str, Any]) -> str:
    """Return a name for a picture without one. Each reading of the file gives the same one."""
    contents = (value.get("bytes") if isinstance(value, dict) else value for value in fields.values())
    content = next((content for content in contents if isinstance(content, bytes)), b"")
    name = f"{path.stem}-{row:06}{_SUFFIXES.get(content[:4], '.jpg')}"
    return name if check_name(name) is None else f"row-{row:06}.jpg"


def _opened(path: Path) -> pyarrow.parquet.ParquetFile:
    """Open the table. Raise TableError if it is damaged."""
    import pyarrow
    from pyarrow import parquet

    try:
        return parquet.ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False)
    except (pyarrow.ArrowException, OSError) as error:
        raise TableError(_DAMAGED) from error


def _check_sizes(path: Path, table: pyarrow.parquet.ParquetFile, names: list[str]) -> None:
    """Raise TableError if a page of these columns must not be unpacked."""
    told = table.metadata
    with path.open("rb") as file:
        for group in (told.row_group(index) for index in range(told.num_row_groups)):
            for column in (group.column(index) for index in range(group.num_columns)):
                name = column.path_in_schema
                if name.partition(".")[0] not in names:
                    continue
                start = min(filter(None, (column.dictionary_page_offset, column.data_page_offset)))
                try:
                    for size, packed in page_sizes(file, start, column.total_compressed_size):
                        if size > MAX_UNPACKED or (size > SMALL and size > MAX_RATIO * max(packed, 1)):
                            limit = f"{MAX_UNPACKED:,} bytes or {MAX_RATIO} times its packed size"
                            raise TableError(f"a page of column {name[:40]!r} has more than {limit}")
                except PageError as error:
                    raise TableError(_DAMAGED) from error


def _columns(table: pyarrow.parquet.ParquetFile) -> tuple[list[str], bool]:
    """Return the columns to read, and whether pictures are among them. Raise TableError."""
    from pyarrow import types

    schema = table.schema_arrow
    if any(names <= set(schema.names) for names in _OURS):
        raise TableError("it is a table of an export of ours, which cannot be imported: export as jsonl")
    if wrong := what_is_missing(schema.names):
        raise TableError(f"it looks like a table of something else: {wrong}")
    columns, pictures = [], False
    for field in schema:
        kind, name = field.type, plain(field.name)
        if name in CAPTIONS and not (_is_text(kind) or _is_list(kind)):
            raise TableError(
                f"column {field.name[:40]!r} has no texts or lists of texts, but {str(kind)[:80]}"
            )
        if name in (*IMAGES, *PATHS):
            inside = types.is_struct(kind) and kind.get_field_index("bytes") >= 0
            if not (_is_text(kind) or _is_bytes(kind) or types.is_struct(kind)):
                continue
            pictures = pictures or inside or _is_bytes(kind)
        elif name in CONVERSATIONS:
            if not _is_list(kind):
                continue
        elif name in DOWNLOADS or name in ADDRESSES:
            if not _is_text(kind):
                continue
        elif name not in (*CAPTIONS, "split"):
            continue
        columns.append(field.name)
    return columns, pictures


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    if types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _is_bytes(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_binary(kind) or types.is_large_binary(kind))


def _is_list(kind: Any) -> bool:
    from pyarrow import types

    if not (types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)):
        return False
    return _is_text(kind.value_type) or bool(types.is_struct(kind.value_type))
