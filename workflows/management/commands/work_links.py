from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.models import Batch, Project
from workflows.links import site, work_link
from workflows.services.workers import enrol


class Command(BaseCommand):
    help = "Print a link to the workers' pages for each of the newest projects that have a running batch."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("site", type=site, help="where the server is, e.g. http://127.0.0.1:8000")
        parser.add_argument("--worker", default="me", help="the worker's name (default: me)")
        parser.add_argument("--projects", type=int, default=3, help="how many at most (default: 3)")

    def handle(self, *args: Any, **options: Any) -> None:
        running = Batch.objects.filter(state=Batch.State.RUNNING).values("project")
        for project in Project.objects.filter(pk__in=running).order_by("-pk")[: options["projects"]]:
            worker = enrol(project=project, external_id=options["worker"])
            self.stdout.write(f"To work on {project.name}: {work_link(options['site'], worker)}")
