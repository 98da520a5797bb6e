"""Records in bounded groups, and their captions prepared ahead of the database, in order."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context, parent_process

from annotation.domain.records import ImageRecord, Problem
from annotation.importing.preparing import Prepared, needs_chunking, prepare_all

IMAGES_AT_ONCE = 200
CHARACTERS_AT_ONCE = 1_000_000  # of captions: what bounds memory where captions are long
_AHEAD = 2  # groups a process may be ahead of the database
Group = list[ImageRecord]


def groups(records: Iterable[ImageRecord | Problem], report: Callable[[Problem], object]) -> Iterator[Group]:
    """The records in order; a group has no image twice, since an image may come in pieces."""
    group: dict[str, ImageRecord] = {}
    characters = 0
    for record in records:
        if isinstance(record, Problem):
            report(record)
            continue
        if record.name in group or len(group) == IMAGES_AT_ONCE or characters > CHARACTERS_AT_ONCE:
            yield list(group.values())
            group, characters = {}, 0
        group[record.name] = record
        characters += sum(len(caption.text) for caption in record.captions)
    if group:
        yield list(group.values())


def prepared(
    groups: Iterable[Group], chunker: str, processes: int
) -> Generator[tuple[Group, list[list[Prepared]]], None, None]:
    """Each group with its captions ready to be stored.

    With two `processes` or more the chunking happens in such, which start with the first group that needs it.
    They are spawned, not forked: they inherit no database connection.
    """
    if processes < 2:
        for group in groups:
            yield group, prepare_all(group, chunker)
        return
    waiting: deque[tuple[Group, Future[list[list[Prepared]]]]] = deque()
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_end_with_parent)
    try:
        for group in groups:
            if needs_chunking(group):
                waiting.append((group, pool.submit(prepare_all, group, chunker)))
            else:
                done: Future[list[list[Prepared]]] = Future()
                waiting.append((group, done))
                done.set_result(prepare_all(group, chunker))
            if len(waiting) > _AHEAD * processes:
                first, future = waiting.popleft()
                yield first, future.result()
        for group, future in waiting:
            yield group, future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """In a process of the pool: it would wait for work for ever once the import is killed."""
    parent = parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
