from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from workflows.core.contacts import ContactError
from workflows.management.subject import project_named
from workflows.projects.lifecycle import change_project


class Command(BaseCommand):
    help = "Set how the workers of a project reach the researcher. Without a contact, show the present one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument(
            "contact", nargs="?", help="an e-mail or https address; '' to use the installation's"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        if options["contact"] is not None:
            try:
                project = change_project(project_id=project.pk, name=project.name, contact=options["contact"])
            except ContactError as error:
                raise CommandError(str(error)) from error
        shown = project.contact or settings.GROUNDCREW_CONTACT
        self.stdout.write(shown or "none: workers see no contact")
