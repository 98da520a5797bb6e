from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter, defaultdict
from typing import Any

from django.core.management.base import BaseCommand

from annotation.domain.answers import CampaignStage
from annotation.models import Assignment, Judgment, QualificationTry, Standing
from simulation.report import table
from workflows.management.subject import project_and_batch


class Command(BaseCommand):
    help = "Say of each worker who judged captions whether the test was passed, and which judgments count."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--batch", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        project, batch = project_and_batch(options["project"], options["batch"])
        stages = (CampaignStage.GRADING, CampaignStage.RELEVANCE)
        judged: dict[str, Counter[str]] = defaultdict(Counter)
        rows = Judgment.objects.filter(item__batch=batch, item__stage__in=stages)
        for name, set_aside in rows.values_list("worker__external_id", "set_aside"):
            judged[name]["judgments"] += 1
            judged[name]["count"] += set_aside is None
        rejected = Assignment.objects.filter(batch=batch, verdict=Assignment.Verdict.REJECTED)
        pages = Counter(rejected.values_list("worker__external_id", flat=True))
        stage = rows.values_list("item__stage", flat=True).first()
        of_stage = {"worker__project": project, "stage": stage}
        tries = QualificationTry.objects.filter(**of_stage).order_by("pk")
        tests = dict(tries.values_list("worker__external_id", "state"))  # the last one counts
        standings = dict(Standing.objects.filter(**of_stage).values_list("worker__external_id", "state"))
        lines: list[tuple[str, ...]] = [("judge", "test", "judgments", "count", "pages rejected", "standing")]
        for name in sorted({*judged, *tests}):
            found = judged[name]
            numbers = (found["judgments"], found["count"], pages[name])
            lines.append((name, tests.get(name, "-"), *map(str, numbers), standings.get(name, "-")))
        self.stdout.write(table(lines))
