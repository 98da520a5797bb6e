from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.models import Decision, SuggestionStop
from workflows.core.audit_log import record_action
from workflows.limits.stops import ResumeError, resume_suggestions
from workflows.management.subject import project_named


class Command(BaseCommand):
    help = "Let suggestions that were switched off be shown again, for a worker or in a batch."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="name of the project")
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--worker", help="the worker, as the review queue names them")
        which.add_argument("--batch", help="name of the batch, for which they are off for everybody")
        parser.add_argument("--note", required=True, help="why")
        parser.add_argument("--by", default="command line", help="your name, for the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        stops = SuggestionStop.objects.filter(resumed=None)
        if options["worker"] is not None:
            who = f"worker {options['worker']}"
            stop = stops.filter(worker__project=project, worker__external_id=options["worker"]).first()
        else:
            who = f"batch {options['batch']}"
            stop = stops.filter(batch__project=project, batch__name=options["batch"]).first()
        if stop is None:
            raise CommandError(f"suggestions are not switched off for {who} of project {project.name}")

        def audit(made: Decision) -> None:
            record_action(
                by=options["by"],
                action="suggestions.resume",
                now=made.created_at,
                project=project,
                kind="batch" if stop.batch_id else "worker",
                object=options["batch"] or options["worker"],
                object_id=stop.batch_id or stop.worker_id,
            )

        try:
            made = resume_suggestions(
                stop_id=stop.pk, by=options["by"], note=options["note"], now=timezone.now(), also=audit
            )
        except ResumeError as error:
            raise CommandError(f"--{error}") from error
        if made is None:
            raise CommandError(f"somebody else has let suggestions be shown again to {who} just now")
        self.stdout.write(f"pages that {who} gets from now on show suggestions again")
