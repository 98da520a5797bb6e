from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.domain.protocols import ALL_STAGES
from annotation.models import Worker
from workflows.analysis.rule_disagreement import METHODS, Aggregation, aggregate, label_lines
from workflows.cases.disagreements import open_disagreements
from workflows.management.subject import project_and_batch

WORKERS_SHOWN = 10


class Command(BaseCommand):
    help = (
        "Aggregate the judgments of a stage. Prints the labels' shares, how able workers are, and how many "
        "labels differ from what the rules decided. Changes nothing unless --review is given."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--batch", help="only this batch (default: all batches of the project)")
        parser.add_argument("--stage", required=True, choices=ALL_STAGES)
        parser.add_argument("--method", choices=METHODS, default="majority", help="(default: majority)")
        parser.add_argument(
            "--anchor",
            action="store_true",
            help="also use answers to verification questions, whose right labels are known",
        )
        parser.add_argument(
            "--json", metavar="FILE", help="write one line of JSON for each item to this new file"
        )
        parser.add_argument(
            "--review",
            action="store_true",
            help="open a case for every chain on which aggregation and rules differ",
        )
        parser.add_argument(
            "--above",
            type=float,
            default=0.9,
            help="--review: only if the label is at least this probable (default: 0.9)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project, batch = project_and_batch(options["project"], options["batch"])
        if not 0 <= options["above"] <= 1:
            raise CommandError("--above must be a probability from 0 to 1")
        if options["json"] and os.path.lexists(options["json"]):
            raise CommandError(
                f"--json {options['json']} exists already; name a new file, or delete it first"
            )
        stage, batch_id = options["stage"], batch.pk if batch else None
        found = aggregate(
            project_id=project.pk,
            stage=stage,
            batch_id=batch_id,
            method=options["method"],
            anchor=options["anchor"],
        )
        self._print(found)
        if options["json"]:
            try:
                with Path(options["json"]).open("xb") as file:
                    file.writelines(label_lines(found))
            except OSError as error:
                raise CommandError(f"--json {options['json']}: {error.strerror}") from error
        if options["review"]:
            opened = open_disagreements(
                project_id=project.pk, stage=stage, differences=found.differences, above=options["above"],
                method=options["method"], now=timezone.now(),
            )  # fmt: skip
            self.stdout.write(f"cases opened for review: {opened:,}")

    def _print(self, found: Aggregation) -> None:
        self.stdout.write(f"{len(found.items):,} items, {found.judgments:,} judgments, {found.method}")
        if not found.converged:
            self.stdout.write(f"did not converge in {found.iterations} iterations: use the result with care")
        for name, share in found.priors.items():
            self.stdout.write(f"  {name:<12}{share:>8.1%}")
        self.stdout.write(
            f"labels that differ from what the rules decided: {len(found.differences):,} of {found.decided:,}"
        )
        workers = sorted(found.workers, key=lambda row: (row.accuracy, row.worker))
        shown = workers if len(workers) <= 2 * WORKERS_SHOWN else workers[:WORKERS_SHOWN]
        rest = [] if shown is workers else workers[-WORKERS_SHOWN:]
        names = Worker.objects.filter(pk__in=[row.worker for row in (*shown, *rest)])
        name_of = dict(names.values_list("pk", "external_id"))
        width = max([8, *map(len, name_of.values())])
        self.stdout.write(f"{'worker':>{width}}{'judgments':>11}{'right':>9}   worst first")
        for row in shown:
            self.stdout.write(f"{name_of[row.worker]:>{width}}{row.judgments:>11,}{row.accuracy:>9.1%}")
        if rest:
            self.stdout.write(f"{'…':>{width}}")
        for row in rest:
            self.stdout.write(f"{name_of[row.worker]:>{width}}{row.judgments:>11,}{row.accuracy:>9.1%}")
