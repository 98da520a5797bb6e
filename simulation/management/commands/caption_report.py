from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter, defaultdict
from typing import Any

from django.core.management.base import BaseCommand

from annotation.domain.answers import CampaignStage
from annotation.models import Caption, Image, QualificationTry, Standing
from simulation.report import table
from workflows.management.subject import project_named
from workflows.pipeline.models import WrittenCaption

_STATES = (WrittenCaption.State.ACCEPTED, WrittenCaption.State.REFUSED, WrittenCaption.State.WITHDRAWN)


class Command(BaseCommand):
    help = "Say what became of the captions that each worker wrote, and who was found to write bad ones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        states: dict[str, Counter[str]] = defaultdict(Counter)
        rows = WrittenCaption.objects.filter(work__batch__project=project)
        for name, state, flags, text, answer in rows.values_list(
            "judgment__worker__external_id", "state", "flags", "text", "judgment__answer"
        ):
            states[name][state] += 1
            states[name]["flagged"] += bool(flags)
            states[name]["edited"] += text != answer["caption"]
        writing = {"worker__project": project, "stage": CampaignStage.WRITING}
        tries = QualificationTry.objects.filter(**writing)
        tests = dict(tries.order_by("pk").values_list("worker__external_id", "state"))  # the last one counts
        standings = dict(Standing.objects.filter(**writing).values_list("worker__external_id", "state"))
        lines: list[tuple[str, ...]] = [
            ("writer", "test", "written", "flagged", "edited", *_STATES, "standing")
        ]
        for name in sorted({*states, *tests}):
            found = states[name]
            lines.append(
                (
                    name,
                    tests.get(name, "-"),
                    str(sum(found[state] for state in WrittenCaption.State)),
                    *(str(found[key]) for key in ("flagged", "edited", *_STATES)),
                    standings.get(name, "-"),
                )
            )
        captions = Caption.objects.in_use().filter(pk__in=rows.exclude(caption=None).values("caption"))
        described = Image.objects.filter(captions__in=captions).distinct().count()
        self.stdout.write(table(lines))
        self.stdout.write(
            f"{captions.count()} captions of {described} photographs were accepted and published."
        )
