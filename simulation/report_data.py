"""Gathers what the demo reports: counts from the database and the manifest, agreement from the files."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from django.core.management import call_command
from django.db.models import Count, Sum

from annotation.domain.protocols import DEFAULT_PROTOCOL
from annotation.domain.records import ImageRecord
from annotation.exporting.earlier import manifest_of
from annotation.formats.datasets.flickr30k_entities import read
from annotation.models import Batch, Chain, Item, Judgment, Project, QualificationTry, Standing
from simulation.agreement import Agreement, compare
from simulation.report import Counts, Summary, Trust, report
from simulation.selectors import stages_asked
from simulation.written_truth import in_order


def demo_report(project: str, truth: Path, export: Path) -> str:
    """Return the report on a project. `truth` and `export` are Flickr30k Entities folders.

    Raise ValueError when reading the export back finds a problem, or when it has no manifest.
    """
    manifest = manifest_of(export)
    if manifest is None:
        raise ValueError(f"{export} has no manifest")
    counts = manifest["counts"]
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
        agreement=_agreement(truth, export),
        trust=_trust(project),
        stages=stages_asked(project),
    )


def summary(project: str, truth: Path, export: Path) -> Summary:
    """Return what a run of the demo took, and how good its result is. `truth` and `export` are folders."""
    judgments = Judgment.objects.filter(item__batch__project__name=project)
    counts = judgments.aggregate(number=Count("pk"), seconds=Sum("seconds"))
    return Summary(
        protocol=_protocol(project),
        judgments=counts["number"],
        seconds=counts["seconds"] or 0.0,
        review=Chain.objects.filter(work__batch__project__name=project, state="review").count(),
        agreement=_agreement(truth, export),
    )


def newest_of_others(project: str, folder: Path) -> dict[str, str]:
    """Return the newest finished run of the demo by each other protocol, by protocol.

    The runs are in `folder`. One that has exported its data set is finished.
    """
    found: dict[str, str] = {}
    runs = Project.objects.filter(name__startswith="demo-").exclude(name__endswith="-open")
    for name in runs.exclude(name=project).order_by("-pk").values_list("name", flat=True):
        if manifest_of(folder / name / "export") is not None:
            found.setdefault(_protocol(name), name)
    found.pop(_protocol(project), None)
    return found


def _protocol(project: str) -> str:
    batch = Batch.objects.filter(project__name=project).order_by("pk").first()
    if batch is None:
        return ""
    judged = ", a model judges" if batch.settings.get("judge", {}).get("model") else ""
    return f"{batch.settings.get('protocol', DEFAULT_PROTOCOL)}{judged}"


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


def _agreement(truth: Path, export: Path) -> Agreement:
    """Compare the folders. Captions that workers wrote are in another order than those of the truth."""
    found = list(_records(export))
    texts = {record.name: [caption.text for caption in record.captions] for record in found}
    known = (in_order(record, texts[record.name]) for record in _records(truth) if record.name in texts)
    return compare(known, found)


def _records(folder: Path) -> Iterator[ImageRecord]:
    for found in read(folder):
        if not isinstance(found, ImageRecord):
            raise ValueError(f"{folder}: {found}")
        yield found
