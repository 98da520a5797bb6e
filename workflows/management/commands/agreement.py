from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

import numpy as np
import orjson
from django.core.management.base import BaseCommand, CommandError

from annotation.domain.answers import Stage
from annotation.domain.protocols import ALL_STAGES
from evaluation.significance import Estimate
from workflows.analysis.counts.targets import stages_used
from workflows.analysis.worker_agreement import StageAgreement, agreement_of
from workflows.batch_settings.domain.paper import TRUSTED_SCORE
from workflows.management.subject import project_and_batch

FIGURES = {
    "percent": "per cent agreement",
    "cohen": "Cohen's kappa",
    "fleiss": "Fleiss' kappa",
    "alpha": "Krippendorff's alpha",
    "mean_iou": "mean IoU",
    "box_alpha": "alpha of boxes",
}


class Command(BaseCommand):
    help = (
        "Print how much workers agree in each stage, with 95% intervals over items, and how often they "
        "answer verification questions correctly, beside the paper's table 3."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--batch", help="only this batch (default: all batches of the project)")
        parser.add_argument("--stage", choices=ALL_STAGES, help="only this stage (default: all)")
        parser.add_argument(
            "--resamples", type=int, default=1000, help="bootstrap samples for the intervals (default: 1000)"
        )
        parser.add_argument("--seed", type=int, default=0, help="random seed of the samples (default: 0)")
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")

    def handle(self, *args: Any, **options: Any) -> None:
        project, batch = project_and_batch(options["project"], options["batch"], options["resamples"])
        if options["seed"] < 0:
            raise CommandError("--seed must be a whole number of at least 0")
        used = stages_used(project_id=project.pk, batch_id=batch.pk if batch else None)
        wanted = (options["stage"],) if options["stage"] else used
        found = [
            agreement_of(
                project_id=project.pk,
                batch_id=batch.pk if batch else None,
                stage=stage,
                rng=np.random.default_rng([options["seed"], number]),
                resamples=options["resamples"],
            )
            for number, stage in enumerate(ALL_STAGES)
            if stage in wanted
        ]
        if options["json"]:
            rows = [{**each.to_json(), "paper": TRUSTED_SCORE.get(each.stage)} for each in found]
            self.stdout.write(orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode())
            return
        for each in found:
            self._print(each)

    def _print(self, found: StageAgreement) -> None:
        self.stdout.write(f"{found.stage}: {found.items:,} items with two or more judgments")
        self.stdout.write(f"  {'judgments on these':<24}{found.judgments:>9,}")
        for name, label in FIGURES.items():
            if name in found.figures:
                self.stdout.write(f"  {label:<24}{_figure(found.figures[name])}")
        # Of box drawing the paper does not say how often questions were answered right.
        of = " of boxes approved" if found.stage == Stage.DRAWING else ""
        paper = "not in the paper"
        if found.stage in TRUSTED_SCORE:
            paper = f"the paper's trusted workers: {TRUSTED_SCORE[found.stage]:.1%}{of}"
        right = _figure(found.right) if found.answered else f"{'-':>9}  no answers yet"
        self.stdout.write(f"  {'right where it is known':<24}{right}  of {found.answered:,}; {paper}")
        for question in found.contested:
            self.stdout.write(f"  question {question}: workers agree on a box that its answer does not have")
        for chain in found.redrawn:
            self.stdout.write(f"  chain {chain}: several workers drew the same box, one after another")
        self.stdout.write("")


def _figure(found: Estimate) -> str:
    if found.value is None:
        return f"{'-':>9}  {found.reason}"
    interval = (
        f"{found.low:.3f} to {found.high:.3f}"
        if found.low is not None and found.high is not None
        else found.reason
    )
    return f"{found.value:>9.3f}  {interval}"
