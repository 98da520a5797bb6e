"""Divides records into groups of bounded size, and prepares captions ahead of the database, in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from functools import partial

from annotation.domain.records import ImageRecord, Problem
from annotation.domain.types import BUILT_IN, ProjectTypes
from annotation.importing.prepare import needs_chunking, prepare_all
from annotation.importing.processes import Processes, Result

IMAGES_AT_ONCE = 200
CHARACTERS_AT_ONCE = 1_000_000  # characters of captions: this bounds memory when captions are long
PICTURES_AT_ONCE = 32_000_000  # bytes of pictures that are part of the corpus
_AHEAD = 2  # groups by which a process may be ahead of the database
Group = list[ImageRecord]


def group_records(
    records: Iterable[ImageRecord | Problem], report: Callable[[Problem], object]
) -> Iterator[Group]:
    """Yield the records in groups, in order. No group has two pieces of the same image."""
    group: dict[str, ImageRecord] = {}
    characters = pictures = 0
    for record in records:
        if isinstance(record, Problem):
            report(record)
            continue
        full = characters > CHARACTERS_AT_ONCE or pictures > PICTURES_AT_ONCE
        if record.name in group or len(group) == IMAGES_AT_ONCE or full:
            yield list(group.values())
            group, characters, pictures = {}, 0, 0
        group[record.name] = record
        pictures += len(record.picture or b"")
        characters += sum(len(caption.text) for caption in record.captions)
    if group:
        yield list(group.values())


def prepare_groups(
    groups: Iterable[Group],
    chunker: str,
    processes: int,
    language: str = "",
    types: ProjectTypes = BUILT_IN,
) -> Generator[tuple[Group, Result], None, None]:
    """Yield each group with its prepared captions.

    `chunker`, `language` and `types` are as in `prepare_all`. With two `processes` or more, other
    processes find the mentions. They start with the first group that needs them. Raise ProcessDied when one
    of them dies.
    """
    if processes < 2:
        for group in groups:
            yield group, prepare_all(group, chunker, language, types)
        return
    waiting: deque[tuple[Group, Callable[[], Result]]] = deque()
    with Processes(processes, chunker, language, types) as pool:
        for group in groups:
            result: Callable[[], Result]
            if needs_chunking(group):
                # Pictures stay here, since only captions are prepared.
                result = pool.submit([replace(record, picture=None) for record in group])
            else:
                # Without captions to chunk, there is nothing to look at either.
                result = partial(prepare_all, group, chunker, types=types)
            waiting.append((group, result))
            if len(waiting) > _AHEAD * processes:
                first, ready = waiting.popleft()
                yield first, ready()
        for group, ready in waiting:
            yield group, ready()
