"""The statistics of a data set, over the same images that an export with the same options writes."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from annotation.chunkers import HantaChunker, get_chunker
from annotation.domain.merge import MergeSettings
from annotation.domain.model_shares import ModelShares
from annotation.domain.statistics import ModelSums, Statistics, Sums
from annotation.exporting.dataset import ExportOptions, exported_images
from annotation.exporting.raw import CrowdWork, LeftOut
from annotation.models import Project


def options_of(source: str, batch: str = "") -> ExportOptions:
    """Return the default options of an export: the crowd's chains and boxes are merged, known ones are not.

    Raise ValueError for an unknown source, and when a batch is given for known annotation.
    """
    merge = MergeSettings() if source == "crowd" else None
    return ExportOptions(source=source, batch=batch, merge=merge)


def count_dataset(
    *,
    project: Project,
    options: ExportOptions,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> tuple[Sums, LeftOut]:
    """Return the sums, and counts of what was left out.

    This only reads, and holds some hundred images in memory at a time.

    Raises ExportError when there is no such batch.
    """
    chunker = get_chunker("hanta")
    assert isinstance(chunker, HantaChunker)
    is_adjective, is_noun = (lru_cache(_KNOWN_WORDS)(one) for one in (chunker.is_adjective, chunker.is_noun))
    counted, left_out, work = Statistics(is_adjective, is_noun), LeftOut(), CrowdWork()
    shares = ModelShares()
    images = exported_images(
        project=project, options=options, left_out=left_out, progress=progress, work=work
    )
    for raw, record in images:
        counted.add(record, raw if options.merge else None)
        shares.add(raw, record)
    sums = counted.result()
    sums.verified, sums.broken = work.verified, work.broken
    sums.models = [
        ModelSums(
            model,
            judged=shares.boxes[model],
            unjudged=shares.unjudged[model],
            **shares.origins_of(model),
        )
        for model in shares.models
    ]
    return sums, left_out


_KNOWN_WORDS = 50_000
