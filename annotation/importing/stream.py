"""Records in bounded groups, and their captions prepared ahead of the database, in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial

from annotation.domain.records import ImageRecord, Problem
from annotation.importing.prepare import needs_chunking, prepare_all
from annotation.importing.processes import Processes, Result

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
) -> Generator[tuple[Group, Result], None, None]:
    """Each group with its captions ready to be stored.

    With two `processes` or more the chunking happens in such, which start with the first groups that need it.
    Raises ProcessDied when one of them does.
    """
    if processes < 2:
        for group in groups:
            yield group, prepare_all(group, chunker)
        return
    waiting: deque[tuple[Group, Callable[[], Result]]] = deque()
    with Processes(processes, chunker) as pool:
        for group in groups:
            waiting.append(
                (group, pool.submit(group) if needs_chunking(group) else partial(prepare_all, group, chunker))
            )
            if len(waiting) > _AHEAD * processes:
                first, result = waiting.popleft()
                yield first, result()
        for group, result in waiting:
            yield group, result()
