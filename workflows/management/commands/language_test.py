from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from workflows.management.subject import project_named


class Command(BaseCommand):
    help = "Make the test of spelling and grammar that writers of captions take first. See docs/questions.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        from workflows.questions.domain.known_images import QuestionError
        from workflows.questions.make_language_test import make_language_test

        project = project_named(options["project"])
        try:
            number = make_language_test(project=project, now=timezone.now())
        except QuestionError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{number} questions of writing made")
