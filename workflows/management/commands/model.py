from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.models import ModelVersion, Project
from workflows.api.model_views import make_model_token
from workflows.batches.judge_forecast import forecast_judge
from workflows.core.audit_log import record_action
from workflows.judges.distrust import distrust_model
from workflows.judges.model_report import say_standing, standing_of
from workflows.judges.money_report import money_of
from workflows.judges.versions import ModelVersionError, add_model, batches_of, end_tokens, find_model
from workflows.management.subject import IMPORT_FIRST, project_named
from workflows.tasks import hint_advance

NAMED = "name and version of the model, such as detector/1.0"


class Command(BaseCommand):
    help = "Add a model that helps a project, print a token for its client, or end its tokens."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        add = actions.add_parser("add", help="add a model, and print a token for its client")
        token = actions.add_parser("token", help="print a token for the model's client")
        end = actions.add_parser("end-tokens", help="make every token of the model invalid")
        distrust = actions.add_parser(
            "distrust", help="let no answer of the model count any more: workers are asked what it settled"
        )
        report = actions.add_parser("report", help="say what the model answered, and how good it is")
        listed = actions.add_parser("list", help="list the project's models")
        for one in (add, token, end, distrust, report, listed):
            one.add_argument("project", help="name of the project")
        for one in (add, token, end, distrust, report):
            one.add_argument("model", metavar="NAME/VERSION", help=NAMED)
            one.add_argument("--by", default="command line", help="your name, for the audit log")
        distrust.add_argument("--note", default="", help="why")
        add.add_argument(
            "--family",
            default="",
            help="models of one family make the same errors; its name unless you say it",
        )
        add.add_argument("--digest", default="", help="of its weights, such as sha256:…")
        add.add_argument("--trained-on", default="", help="the data that it was trained on, for people")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"], IMPORT_FIRST)
        match options["action"]:
            case "add":
                self._add(project, options)
            case "list":
                for model in ModelVersion.objects.filter(project=project).order_by("name", "pk"):
                    self.stdout.write(f"{model} (family {model.family}, {model.answers.count():,} answers)")
            case "token":
                self.stdout.write(make_model_token(self._found(project, options["model"])))
            case "report":
                model = self._found(project, options["model"])
                self._report(model)
            case "distrust":
                self._distrust(project, options)
            case "end-tokens":
                model = self._found(project, options["model"])
                end_tokens(model=model)
                self._record("model.end-tokens", project, model, options["by"])
                self.stdout.write(f"no token of {model} is valid any more; `model token` prints a new one")

    def _report(self, model: ModelVersion) -> None:
        self.stdout.write("\n".join(say_standing(model, standing_of(model))))
        for money in money_of(batches_of(model)):
            self.stdout.write(money.says())
            if money.stopped:
                self.stdout.write(money.stopped)
        for batch in batches_of(model):
            if found := forecast_judge(batch):
                self.stdout.write("\n".join(found.says()))

    def _distrust(self, project: Project, options: dict[str, Any]) -> None:
        model = self._found(project, options["model"])
        weighed = distrust_model(model=model, by=options["by"], note=options["note"], now=timezone.now())
        self._record("model.distrust", project, model, options["by"])
        hint_advance()
        self.stdout.write(
            f"no answer of {model} counts any more; {weighed:,} of them did, and workers are asked again "
            "where they had settled something"
        )

    def _add(self, project: Project, options: dict[str, Any]) -> None:
        name, _, version = options["model"].partition("/")
        try:
            model, new = add_model(
                project=project,
                name=name,
                version=version,
                family=options["family"],
                digest=options["digest"],
                trained_on=options["trained_on"],
                now=timezone.now(),
            )
        except ModelVersionError as error:
            raise CommandError(f"{options['model']}: {error}") from error
        if new:
            self._record("model.add", project, model, options["by"])
        self.stdout.write(make_model_token(model))

    def _found(self, project: Project, named: str) -> ModelVersion:
        model = find_model(project_id=project.pk, named=named)
        if model is None:
            raise CommandError(f"project {project.name} has no model {named}; `model list` shows its models")
        return model

    def _record(self, action: str, project: Project, model: ModelVersion, by: str) -> None:
        record_action(
            by=by,
            action=action,
            now=timezone.now(),
            project=project,
            kind="model",
            object=str(model),
            object_id=model.pk,
        )
