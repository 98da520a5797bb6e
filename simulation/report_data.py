"""Gathers what the demo reports: counts from the database and the manifest, agreement from the files."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import orjson
from django.core.management import call_command
from django.db.models import Count

from annotation.domain.records import ImageRecord
from annotation.formats.flickr30k_entities import read
from annotation.models import Chain, Item, Judgment, QualificationTry, Standing
from simulation.agreement import compare
from simulation.report import Counts, Trust, report


def demo_report(project: str, truth: Path, export: Path) -> str:
    """Return the report on a project. `truth` and `export` are Flickr30k Entities folders.

    Raise ValueError when reading the export back finds a problem.
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
        trust=_trust(project),
    )


def _trust(project: str) -> Trust | None:
    """Return the standings, or None if nobody was asked a verification question."""
    asked = Judgment.objects.filter(question__project__name=project)
    entrance = asked.filter(assignment__items=[]).count()
    checks = asked.exclude(assignment__items=[]).count()
    tries = QualificationTry.objects.filter(worker__project__name=project)
    if not (entrance or checks or tries.exists()):
        return None
    standings: dict[str, dict[str, str]] = {}
    for worker, stage in tries.order_by("worker").values_list("worker__external_id", "stage").distinct():
        standings.setdefault(worker, {})[stage] = "failed"
    for worker, stage in tries.filter(state="passed").values_list("worker__external_id", "stage"):
        standings[worker][stage] = "entering"
    rows = Standing.objects.filter(worker__project__name=project).order_by("worker")
    for worker, stage, state in rows.values_list("worker__external_id", "stage", "state"):
        standings.setdefault(worker, {})[stage] = state
    tests = sum(len(answers) for answers in tries.values_list("answers", flat=True))
    return Trust(standings, entrance, checks, tests)


def _records(folder: Path) -> Iterator[ImageRecord]:
    for found in read(folder):
        if not isinstance(found, ImageRecord):
            raise ValueError(f"{folder}: {found}")
        yield found
