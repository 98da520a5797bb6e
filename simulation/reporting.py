"""Gathers what the demo reports: counts from the database, agreement from the files."""

from collections.abc import Iterator
from pathlib import Path

from django.db.models import Count

from annotation.domain.records import ImageRecord
from annotation.formats.flickr30k_entities import read
from annotation.models import Box, Chain, ImageWork, Item, Judgment
from simulation.agreement import compare
from simulation.report import Counts, report


def demo_report(project: str, truth: Path, export: Path) -> str:
    """The report on a project: `truth` and `export` are Flickr30k Entities folders.

    Raises ValueError when the export cannot be read back without a problem.
    """
    exported = list(_records(export))
    chains = Chain.objects.filter(work__batch__project__name=project, work__state=ImageWork.State.DONE)
    final = chains.filter(state__in=("done", "nonvisual"))
    boxes = Box.objects.filter(chain__in=final, state=Box.State.ACCEPTED)
    items = Item.objects.filter(batch__project__name=project)
    judgments = Judgment.objects.filter(item__batch__project__name=project)
    return report(
        items=dict(items.values_list("stage").annotate(Count("pk"))),
        judgments=dict(judgments.values_list("item__stage").annotate(Count("pk"))),
        chains=Counts(final.count(), sum(len(record.chains) for record in exported)),
        boxes=Counts(boxes.count(), sum(len(record.boxes) for record in exported)),
        review=Chain.objects.filter(work__batch__project__name=project, state="review").count(),
        agreement=compare(_records(truth), exported),
    )


def _records(folder: Path) -> Iterator[ImageRecord]:
    for found in read(folder):
        if not isinstance(found, ImageRecord):
            raise ValueError(f"{folder}: {found}")
        yield found
