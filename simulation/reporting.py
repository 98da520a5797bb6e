"""Gathers what the demo reports: counts from the database and the manifest, agreement from the files."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import orjson
from django.core.management import call_command
from django.db.models import Count

from annotation.domain.records import ImageRecord
from annotation.formats.flickr30k_entities import read
from annotation.models import Chain, Item, Judgment
from simulation.agreement import compare
from simulation.report import Counts, report


def demo_report(project: str, truth: Path, export: Path) -> str:
    """The report on a project: `truth` and `export` are Flickr30k Entities folders.

    Raises ValueError when the export cannot be read back without a problem.
    """
    counts = orjson.loads((export / "manifest.json").read_bytes())["counts"]
    items = Item.objects.filter(batch__project__name=project)
    judgments = Judgment.objects.filter(item__batch__project__name=project)
    links = StringIO()
    call_command("link_sources", project=project, stdout=links)
    return report(
        items=dict(items.values_list("stage").annotate(Count("pk"))),
        judgments=dict(judgments.values_list("item__stage").annotate(Count("pk"))),
        chains=Counts(counts["chains_raw"], counts["chains"]),
        boxes=Counts(counts["boxes_raw"], counts["boxes"]),
        review=Chain.objects.filter(work__batch__project__name=project, state="review").count(),
        links=links.getvalue(),
        agreement=compare(_records(truth), _records(export)),
    )


def _records(folder: Path) -> Iterator[ImageRecord]:
    for found in read(folder):
        if not isinstance(found, ImageRecord):
            raise ValueError(f"{folder}: {found}")
        yield found
