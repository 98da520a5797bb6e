from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Worker
from workflows.management.subject import project_named
from workflows.workers.domain.platform_records import (
    PlatformRecord,
    PlatformRecordError,
    check_worker_name,
    parse_record,
    read_records,
)
from workflows.workers.platform_records import set_platform_records

MAX_PROVIDER_LENGTH = 32
MAX_BYTES = 50_000_000


class Command(BaseCommand):
    help = "Set what a crowd platform says about workers, which screening uses. Without values, show them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--provider", default="direct", help="the workers' provider (default: direct)")
        who = parser.add_mutually_exclusive_group(required=True)
        who.add_argument("--worker", help="the platform's name for the worker; an unknown worker is enrolled")
        who.add_argument(
            "--csv",
            type=Path,
            metavar="FILE",
            help="for many workers: columns worker, completed, approval; empty fields are not known",
        )
        parser.add_argument("--completed", help="tasks finished on the platform; '' if not known")
        parser.add_argument("--approval", help="approved share of these, from 0 to 1; '' if not known")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        provider = options["provider"]
        if not 0 < len(provider) <= MAX_PROVIDER_LENGTH or not provider.isprintable():
            raise CommandError(f"--provider needs 1 to {MAX_PROVIDER_LENGTH} printable characters")
        given = [options["completed"], options["approval"]]
        if options["csv"]:
            if given != [None, None]:
                raise CommandError(
                    "--completed and --approval need --worker; with --csv, the file has the values"
                )
            records = _read(options["csv"])
        else:
            worker = _name(options["worker"])
            found = Worker.objects.filter(project=project, provider=provider, external_id=worker).first()
            if given == [None, None]:
                self._show(options["worker"], found)
                return
            records = {worker: _changed(found, *given)}
        new = set_platform_records(project=project, provider=provider, records=records)
        self.stdout.write(f"set for {len(records):,} workers, {new:,} of them new")

    def _show(self, name: str, worker: Worker | None) -> None:
        if worker is None:
            raise CommandError(f"--worker: there is no worker {name!r} yet; give --completed and --approval")
        completed = "not known" if worker.completed is None else f"{worker.completed:,}"
        approval = "not known" if worker.approval is None else f"{worker.approval:.4g}"
        self.stdout.write(f"completed: {completed}\napproval: {approval}")


def _name(worker: str) -> str:
    try:
        return check_worker_name(worker)
    except PlatformRecordError as error:
        raise CommandError(f"--{error}") from error


def _changed(worker: Worker | None, completed: str | None, approval: str | None) -> PlatformRecord:
    """Return the given values; a value that is not given stays as it is."""
    try:
        given = parse_record(completed or "", approval or "")
    except PlatformRecordError as error:
        raise CommandError(f"--{error}") from error
    if worker is None:
        return given
    return PlatformRecord(
        worker.completed if completed is None else given.completed,
        worker.approval if approval is None else given.approval,
    )


def _read(path: Path) -> dict[str, PlatformRecord]:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise CommandError(f"--csv {path}: larger than {MAX_BYTES // 10**6} MB: split it")
        with path.open(encoding="utf-8-sig", newline="") as lines:
            return read_records(lines)
    except OSError as error:
        raise CommandError(f"--csv {path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"--csv {path}: not UTF-8 text: save it as CSV UTF-8") from error
    except PlatformRecordError as error:
        raise CommandError(f"--csv {path}: {error}") from error
