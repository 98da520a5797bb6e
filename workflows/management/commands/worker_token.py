from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from workflows.api.authentication import make_token
from workflows.api.work_links import site, work_link
from workflows.management.subject import project_named
from workflows.workers.enrolment import enrol_worker


class Command(BaseCommand):
    help = "Print the bearer token of a worker. An unknown worker is enrolled."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--worker", required=True, help="the worker's name, at most 128 characters")
        parser.add_argument(
            "--link",
            type=site,
            nargs="?",
            const=settings.SITE or False,
            metavar="SITE",
            help="print a link to the workers' pages instead, on a site such as https://annotate.example.org "
            "(default: GROUNDCREW_SITE)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        if not 0 < len(options["worker"]) <= 128:
            raise CommandError("--worker needs 1 to 128 characters")
        # Bytes that are no text arrive as lone surrogates, which are not printable either.
        if not options["worker"].isprintable() or not options["worker"].strip():
            raise CommandError(f"--worker needs printable characters, not {options['worker']!a}")
        if options["link"] is False:
            raise CommandError("--link needs the site's address, since GROUNDCREW_SITE is not set")
        worker = enrol_worker(project=project, external_id=options["worker"])
        self.stdout.write(work_link(options["link"], worker) if options["link"] else make_token(worker))
