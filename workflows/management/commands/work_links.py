from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db.models import Exists, OuterRef, Q

from annotation.models import Batch, ImageWork, Item, Project
from workflows.api.work_links import site, work_link
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.selectors import settings_of
from workflows.workers.enrolment import OWN, enrol_worker


class Command(BaseCommand):
    help = "Print a link to the workers' pages for each of the newest projects that have open work."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "site", type=site, help="the address of the server, such as http://127.0.0.1:8000"
        )
        parser.add_argument("--worker", default=OWN, help=f"the worker's name (default: {OWN})")
        parser.add_argument("--projects", type=int, default=3, help="at most this many projects (default: 3)")
        parser.add_argument(
            "--only-embedded", action="store_true", help="print nothing if the database is not SQLite"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["only_embedded"] and not settings.EMBEDDED:
            return
        # Also items that somebody holds: most likely oneself, before the server was started again.
        unfinished = ~Q(work__state=ImageWork.State.DONE)
        asked = Item.objects.filter(unfinished, work__batch=OuterRef("pk"), state=Item.State.OPEN)
        batches = Batch.objects.filter(Exists(asked), state=Batch.State.RUNNING)
        # A platform's batch is worked on at the platform's places.
        direct = {one.project_id for one in batches if settings_of(one).crowd.provider == DIRECT}
        projects = Project.objects.filter(pk__in=direct).order_by("-pk")
        for project in projects[: options["projects"]]:
            worker = enrol_worker(project=project, external_id=options["worker"])
            site = options["site"].removesuffix(settings.PREFIX) + settings.PREFIX
            self.stdout.write(f"To work on {project.name}: {work_link(site, worker)}")
