"""Leaves out captions with types of mentions that the project does not have."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from annotation.domain.records import CaptionRecord, ChainRecord, ImageRecord, Problem
from annotation.domain.types import NOTVISUAL, ProjectTypes

_HINT = (
    "add the type in the settings of the project or with `manage.py types`, or correct the file; then import "
    "it again"
)


def without_strange_types(
    records: Iterable[ImageRecord | Problem], types: ProjectTypes, project: str
) -> Iterator[ImageRecord | Problem]:
    """Yield the records without captions that have a type which is none of the project's.

    Each such caption comes as a problem that names the type, and its chains keep their other mentions.
    Nothing is mapped to another type, since the type decides which mentions workers are asked about. A chain
    that alone says such a type comes as a problem, too: its mentions decide.
    """
    names = frozenset((*types.names, NOTVISUAL))
    for record in records:
        if isinstance(record, Problem) or not (strange := _strange(record, names)):
            yield record
            continue
        for where, name, line in strange:
            message = (
                f"{where} of {record.name} has the type {name[:40]!r}, which {project} does not have; "
                f"its types are {', '.join(types.names)}"
            )
            yield record.problem(message, _HINT, line)
        left = _without(record, names)
        if left.captions or left.unrelated or not (record.captions or record.unrelated):
            yield left


def _strange(record: ImageRecord, names: Collection[str]) -> list[tuple[str, str, int | None]]:
    """Return what has a strange type, which type, and the line of the file: each type once a caption."""
    found = [
        (f"caption {caption.index}", name, caption.line)
        for caption in (*record.captions, *record.unrelated)
        if (name := _strange_of(caption, names))
    ]
    known = {*names, *(name for _, name, _ in found)}
    return found + [
        (f"chain {chain.id}", name, None)
        for chain in record.chains
        for name in chain.types
        if name not in known
    ]


def _strange_of(caption: CaptionRecord, names: Collection[str]) -> str:
    types = (name for mention in caption.mentions or () for name in mention.types)
    return next((name for name in types if name not in names), "")


def _without(record: ImageRecord, names: Collection[str]) -> ImageRecord:
    captions = tuple(caption for caption in record.captions if not _strange_of(caption, names))
    unrelated = tuple(caption for caption in record.unrelated if not _strange_of(caption, names))
    gone = {caption.index for caption in record.captions} - {caption.index for caption in captions}
    chains = (_without_captions(chain, gone, names) for chain in record.chains)
    return replace(
        record,
        captions=captions,
        unrelated=unrelated,
        chains=tuple(chain for chain in chains if chain.mentions),
    )


def _without_captions(chain: ChainRecord, gone: Collection[int], names: Collection[str]) -> ChainRecord:
    return replace(
        chain,
        types=tuple(name for name in chain.types if name in names),
        mentions=tuple(span for span in chain.mentions if span[0] not in gone),
    )
