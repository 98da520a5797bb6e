from __future__ import annotations

from argparse import ArgumentParser
from itertools import chain, islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from annotation.models import ImageWork, Item, Project
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.verify_state import IMAGES_AT_ONCE, verify
from workflows.quality.correct_question import ungraded
from workflows.quality.standing_check import wrong_standings
from workflows.review.decided_rows import wrongly_decided


class Command(BaseCommand):
    help = "Replay the judgments through the rules and print every difference from the stored state."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", help="only this project (default: all)")

    def handle(self, *args: Any, **options: Any) -> None:
        found = 0
        try:
            advance_pending(now=timezone.now())
        except ExceptionGroup as group:
            # Of whatever project; those of this one are counted below, as unread.
            for error in group.exceptions:
                self.stderr.write(f"cannot be advanced: {error}")
        works = ImageWork.objects.order_by("pk")
        if options["project"]:
            works = works.filter(batch__project__name=options["project"])
            if not works.exists():
                raise CommandError(f"project {options['project']!r} has no batch, or does not exist")
        # A list: on SQLite, a query still open would keep the transactions below from writing.
        rows = iter(list(works.values_list("pk", flat=True)))
        with tqdm(total=works.count(), unit=" images", disable=None) as bar:
            while chunk := list(islice(rows, IMAGES_AT_ONCE)):
                for line in verify(chunk):
                    found += 1
                    self.stdout.write(line)
                bar.update(len(chunk))
        project = Project.objects.filter(name=options["project"]).first() if options["project"] else None
        project_id = project.pk if project else None
        for line in chain(ungraded(project_id), wrongly_decided(project_id), wrong_standings(project_id)):
            found += 1
            self.stdout.write(line)
        unread = Item.objects.unread().filter(work__in=works).count()
        if found or unread:
            raise CommandError(f"{found} differences, {unread} items with unread judgments")
        self.stdout.write(f"{works.count()} images replayed: no difference")
