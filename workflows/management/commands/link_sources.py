from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from annotation.models import ImageWork
from workflows.management.subject import project_named
from workflows.pipeline.domain.link_strategies import Source
from workflows.pipeline.selectors import LINKS_SETTLED, link_sources

IMAGES_AT_ONCE = 200

_NAMES = {
    Source.ASKED: "asked",
    Source.TRANSITIVITY: "inferred by transitivity",
    Source.TYPE: "ruled out by type",
    Source.CAPTION: "ruled out by caption",
}


class Command(BaseCommand):
    help = "Print how the links between a project's mentions were decided (the paper's figure 3)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        # Active ones only: an image of a cancelled batch may have been asked about again in another.
        works = ImageWork.objects.grounding().filter(batch__project=project, active=True)
        settled = works.filter(state__in=LINKS_SETTLED).order_by("pk")
        total = settled.count()
        rows = settled.values_list("pk", flat=True).iterator(IMAGES_AT_ONCE)
        counts: Counter[Source] = Counter()
        with tqdm(total=total, unit=" images", disable=None) as bar:
            while chunk := list(islice(rows, IMAGES_AT_ONCE)):
                counts += link_sources(works=chunk)
                bar.update(len(chunk))
        self.stdout.write(f"{'how links were decided':<28}{'pairs':>12}{'share':>9}")
        for source, label in _NAMES.items():
            self.stdout.write(_row(label, counts[source], counts.total()))
        self.stdout.write(_row("all", counts.total(), counts.total()))
        self.stdout.write(f"\nImages whose links are settled: {total:,} of {works.count():,}")


def _row(label: str, pairs: int, total: int) -> str:
    return f"{label:<28}{pairs:>12,}{pairs / max(total, 1):>9.1%}"
