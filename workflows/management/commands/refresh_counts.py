from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from workflows.analysis.counts.refresh import count_due
from workflows.management.subject import project_named


class Command(BaseCommand):
    help = (
        "Refresh all figures that the console's pages show. A running server refreshes changed ones itself."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", help="only this project (default: all)")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["project"]
        project = None if name is None else project_named(name).pk
        counted = count_due(clock=timezone.now, project_id=project, force=True)
        self.stdout.write(f"{counted} groups of figures refreshed")
