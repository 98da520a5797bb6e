from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import slug_re
from django.utils import timezone
from tqdm import tqdm

from annotation.models import Batch, ImageWork, Project
from workflows.domain.policy import SettingsError
from workflows.services.advance import open_queued
from workflows.services.batches import (
    MOVES,
    BatchError,
    check_settings,
    create_batch,
    delete_batch,
    free_images,
    move,
)


class Command(BaseCommand):
    help = "Create, launch, pause, resume, cancel or delete a batch, or list the batches of a project."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["create", "list", "delete", *MOVES])
        parser.add_argument("--project", required=True)
        parser.add_argument("--name", default="main", help="the batch (default: main)")
        parser.add_argument("--images", type=int, help="create: only the first so many free images")
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="NAME=JSON",
            help="create: a setting, e.g. --set strategy=greedy --set items_a_page='{\"link\": 20}'",
        )
        parser.add_argument(
            "--without-pictures", action="store_true", help="launch although some images have no picture"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(name=options["project"]).first()
        if project is None:
            raise CommandError(f"there is no project {options['project']!r}: import a corpus into it first")
        try:
            self._act(project, options)
        except (BatchError, SettingsError) as error:
            raise CommandError(str(error)) from error

    def _act(self, project: Project, options: dict[str, Any]) -> None:
        action, name = options["action"], options["name"]
        if action == "list":
            for batch in project.batches.order_by("pk"):
                self.stdout.write(f"{batch.name}\t{batch.state}\t{_images(batch)}")
            return
        if action == "create":
            count = options["images"]
            if count is not None and count < 1:
                raise CommandError("--images needs a number of at least 1")
            batch = create_batch(
                project=project,
                name=name,
                settings=check_settings(dict(map(_setting, options["set"]))),
                images=None if count is None else _first_free(project, count),
            )
            self.stdout.write(f"batch {name}: {_images(batch)}, draft")
            return
        found = Batch.objects.filter(project=project, name=name).first()
        if found is None:
            raise CommandError(f"project {project.name} has no batch {name!r}; `batch list` shows them")
        if action == "delete":
            delete_batch(batch=found)
            self.stdout.write(f"batch {name}: deleted")
            return
        batch = move(batch=found, action=action, without_pictures=options["without_pictures"])
        if action in ("launch", "resume"):
            queued = batch.works.filter(state=ImageWork.State.QUEUED).count()
            with tqdm(total=queued, desc="Opening", unit=" images", disable=None) as bar:
                open_queued(batch_id=batch.pk, now=timezone.now(), progress=bar.update)
        self.stdout.write(f"batch {name}: {batch.state}")


def _images(batch: Batch) -> str:
    count = batch.works.count()
    return f"{count:,} image{'' if count == 1 else 's'}"


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    try:
        return name, orjson.loads(value)
    except orjson.JSONDecodeError as error:
        if slug_re.match(value):  # a bare word, as in --set strategy=greedy
            return name, value
        hint = "" if equals else "; write NAME=JSON"
        raise CommandError(f"--set {text}: {value!r} is neither a word nor JSON{hint}") from error


def _first_free(project: Project, count: int) -> list[int]:
    return list(free_images(project).order_by("name").values_list("pk", flat=True)[:count])
