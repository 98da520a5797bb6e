from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from workflows.core.audit_log import record_action
from workflows.management.subject import IMPORT_FIRST, project_named
from workflows.priors.domain.prior import ScoresError, TooFewPairsError
from workflows.priors.fit_prior import fit_prior
from workflows.priors.models import PriorVersion


class Command(BaseCommand):
    help = (
        "Fit a prior on the captions of a project, for the link strategy posterior. It becomes the next "
        "version, unless it is the same as the newest. Batches that were launched keep the one they have."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="name of the project")
        parser.add_argument(
            "--scores",
            type=int,
            metavar="SET",
            help="add a model's scores of pairs: the number of a set of import_suggestions. Known chains say "
            "what a score means",
        )
        parser.add_argument("--by", default="command line", help="your name, for the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"], IMPORT_FIRST)
        now = timezone.now()

        def audit(made: PriorVersion) -> None:
            record_action(
                by=options["by"],
                action="prior.fit",
                now=now,
                project=project,
                kind="project",
                object=str(project),
                object_id=project.pk,
                detail={"prior": made.number},
            )

        try:
            version, created = fit_prior(
                project=project, by=options["by"], now=now, scores=options["scores"], also=audit
            )
        except (TooFewPairsError, ScoresError) as error:
            raise CommandError(f"project {project.name}: {error}") from error
        fitted = version.report["fitted_on"]
        self.stdout.write(
            f"prior {version.number} of project {project.name}, "
            + ("fitted" if created else "which is the same as before, is fitted")
            + f" on {fitted['images']:,} images with {fitted['across']:,} pairs of mentions"
        )
        self._say_scores(version)
        if (auc := version.report["known"]["auc"]) is not None:
            self.stdout.write(f"AUC on {version.report['known']['pairs']:,} known pairs: {auc:.3f}")

    def _say_scores(self, version: PriorVersion) -> None:
        if "scores" not in version.content:
            return
        weights, on = version.content["scores"], version.report["scores_fitted_on"]
        self.stdout.write(
            f"a score of set {weights['set']} adds {weights['added']:.4g} + {weights['times']:.4g} x score "
            f"to the log odds, fitted on {on['pairs']:,} known pairs of {on['images']:,} images"
        )
        self.stdout.write("a batch with this prior needs --set human_yes=true")
