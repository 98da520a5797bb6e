"""The statistics of a data set: of the very images that an export with the same options writes."""

from __future__ import annotations

from collections.abc import Callable

from annotation.chunkers import HantaChunker, get_chunker
from annotation.domain.merge import MergeSettings
from annotation.domain.statistics import Statistics, Sums
from annotation.exporting.dataset import ExportOptions, exported
from annotation.exporting.raw import LeftOut
from annotation.models import Project


def options_of(source: str, batch: str = "") -> ExportOptions:
    """What an export does unless told otherwise: it merges the crowd's chains and boxes, not the known ones.

    Raises ValueError for an unknown source, and for a batch of known annotation.
    """
    merge = MergeSettings() if source == "crowd" else None
    return ExportOptions(source=source, batch=batch, merge=merge)


def count_dataset(
    *,
    project: Project,
    options: ExportOptions,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> tuple[Sums, LeftOut]:
    """The sums, and what was left out of them. Reads only; some hundred images are in memory at a time.

    Raises ExportError when there is no such batch.
    """
    chunker = get_chunker("hanta")
    assert isinstance(chunker, HantaChunker)
    known: dict[str, bool] = {}

    def is_adjective(word: str) -> bool:
        if word not in known:
            known[word] = chunker.is_adjective(word)
        return known[word]

    counted, left_out = Statistics(is_adjective), LeftOut()
    for _, record in exported(project=project, options=options, left_out=left_out, progress=progress):
        counted.add(record)
        if len(known) > _KNOWN_WORDS:
            known.clear()
    return counted.result(), left_out


_KNOWN_WORDS = 50_000
