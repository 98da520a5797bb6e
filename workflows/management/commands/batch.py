from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import slug_re
from django.utils import timezone
from tqdm import tqdm

from annotation.models import Batch, ImageWork, Project
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.setting_fields import SettingsError, read_group
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.follow_up import hand_on
from workflows.batches.image_selection import (
    ChoiceError,
    drawn_images,
    first_images,
    images_of_split,
    named_images,
    pictured_images,
)
from workflows.batches.lifecycle import MOVES, BatchError, create_batch, delete_batch, move_batch
from workflows.core.audit_log import record_action
from workflows.management.subject import IMPORT_FIRST, project_named
from workflows.money.domain.currencies import plain
from workflows.pipeline.advance import open_queued

_AMOUNTS = ("cap", "hourly_wage")


class Command(BaseCommand):
    help = (
        "Create, launch, pause, resume, cancel or delete a batch; show its settings; or list the batches of "
        "a project."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["create", "list", "show", "delete", *MOVES])
        parser.add_argument("--project", required=True)
        parser.add_argument("--name", default="main", help="the batch's name (default: main)")
        chosen = parser.add_mutually_exclusive_group()
        chosen.add_argument("--images", type=int, help="create: only this many free images, the first ones")
        chosen.add_argument(
            "--draw",
            type=int,
            metavar="NUMBER",
            help="create: only this many free images, drawn at random with the setting `seed`",
        )
        chosen.add_argument("--split", help="create: only the free images of a split, such as val")
        chosen.add_argument(
            "--names",
            metavar="FILE",
            help="create: only the images named in FILE, one on each line (-: standard input)",
        )
        chosen.add_argument(
            "--rest-of",
            metavar="BATCH",
            help="create: the images of a running or paused batch that no worker has begun, with its "
            "settings and those of --set",
        )
        parser.add_argument(
            "--pictured",
            action="store_true",
            help="create: only images that have a picture; does not apply to --names",
        )
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="NAME=JSON",
            help="create: a setting, such as --set strategy=greedy --set items_a_page='{\"link\": 20}'",
        )
        parser.add_argument(
            "--without-pictures", action="store_true", help="launch: allow images without a picture"
        )
        parser.add_argument("--by", default="command line", help="your name, for the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"], IMPORT_FIRST)
        try:
            self._act(project, options)
        except (BatchError, ChoiceError, SettingsError) as error:
            raise CommandError(str(error)) from error

    def _act(self, project: Project, options: dict[str, Any]) -> None:
        action, name = options["action"], options["name"]
        if action == "list":
            for batch in project.batches.order_by("pk"):
                self.stdout.write(f"{batch.name}\t{batch.state}\t{_images(batch)}")
            return
        if action == "create":
            if options["rest_of"] is not None:
                batch = _rest(project, options)
            else:
                settings = parse_settings(given_settings(options["set"]))
                images = _images_of(project, options, settings)
                with write_transaction():
                    batch = create_batch(project=project, name=name, settings=settings, images=images)
                    _audit(batch, action, options["by"])
            self.stdout.write(f"batch {name}: {_images(batch)}, draft")
            return
        found = _found(project, name)
        if action == "show":
            for line in _settings(settings_of(found)):
                self.stdout.write(line)
            return
        if action == "delete":
            with write_transaction():
                _audit(found, action, options["by"])
                delete_batch(batch=found)
            self.stdout.write(f"batch {name}: deleted")
            return
        bare = options["without_pictures"]
        with write_transaction():
            batch = move_batch(batch=found, action=action, without_pictures=bare)
            _audit(batch, action, options["by"], **({"without_pictures": bare} if action == "launch" else {}))
        if action in ("launch", "resume"):
            queued = batch.works.filter(state=ImageWork.State.QUEUED).count()
            with tqdm(total=queued, desc="Opening", unit=" images", disable=None) as bar:
                open_queued(batch_id=batch.pk, now=timezone.now(), progress=bar.update)
        self.stdout.write(f"batch {name}: {batch.state}")


def _found(project: Project, name: str) -> Batch:
    batch = Batch.objects.filter(project=project, name=name).first()
    if batch is None:
        raise CommandError(f"project {project.name} has no batch {name!r}; `batch list` shows them")
    return batch


def _rest(project: Project, options: dict[str, Any]) -> Batch:
    earlier = _found(project, options["rest_of"])
    settings = read_group(given_settings(options["set"]), settings_of(earlier))
    with write_transaction():
        batch = hand_on(batch=earlier, name=options["name"], settings=settings)
        _audit(batch, "create", options["by"], rest_of=earlier.name)
    return batch


def _audit(batch: Batch, action: str, by: str, **detail: Any) -> None:
    """Write to the audit log as the console does. This must run in the transaction of the action."""
    record_action(
        by=by,
        action=f"batch.{action}",
        now=timezone.now(),
        project=batch.project,
        kind="batch",
        object=str(batch),
        object_id=batch.pk,
        detail=detail,
    )


def _settings(settings: BatchSettings) -> Iterator[str]:
    """Yield one line for each setting, as `--set` takes it. Amounts of the crowd are also shown as money."""
    for name, value in settings.to_json().items():
        if name != "crowd":
            yield f"{name}={orjson.dumps(value).decode()}"
            continue
        for inner, one in value.items():
            line = f"crowd.{inner}={orjson.dumps(one).decode()}"
            if inner in _AMOUNTS and one:
                line += f"  # {plain(one, settings.currency)} {settings.currency}"
            yield line


def _images(batch: Batch) -> str:
    count = batch.works.count()
    return f"{count:,} image{'' if count == 1 else 's'}"


def given_settings(texts: list[str]) -> dict[str, Any]:
    """Return the settings given with --set. Those of a group may be given singly: --set crowd.cap=50000."""
    given: dict[str, Any] = {}
    for name, value in map(_setting, texts):
        outer, dot, inner = name.partition(".")
        if not dot:
            given[name] = value
        elif isinstance(group := given.setdefault(outer, {}), dict):
            group[inner] = value
        else:
            raise CommandError(f"--set {name}: {outer} was already given as a whole")
    return given


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    try:
        return name, orjson.loads(value)
    except orjson.JSONDecodeError as error:
        if slug_re.match(value):  # a bare word, as in --set strategy=greedy
            return name, value
        hint = "" if equals else "; write NAME=JSON"
        raise CommandError(f"--set {text}: {value!r} is neither a word nor JSON{hint}") from error


def _images_of(project: Project, options: dict[str, Any], settings: BatchSettings) -> list[int] | None:
    """Return the images that the options choose, or None without such an option."""
    pictured, campaign = options["pictured"], settings.campaign
    if (number := options["images"]) is not None:
        return first_images(project, number, pictured=pictured, campaign=campaign)
    if (number := options["draw"]) is not None:
        return drawn_images(project, number, settings.seed, pictured=pictured, campaign=campaign)
    if options["split"] is not None:
        return images_of_split(project, options["split"], pictured=pictured, campaign=campaign)
    if options["names"] is not None:
        return named_images(project, _lines(options["names"]), campaign=campaign)
    return pictured_images(project, campaign=campaign) if pictured else None


def _lines(path: str) -> list[str]:
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"--names {path}: {error}") from error
    return text.splitlines()
