from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.exporting.compare import export_differences, read_manifest
from annotation.exporting.folder import ExportError
from workflows.management.subject import project_named


class Command(BaseCommand):
    help = (
        "Compare an exported data set and its provenance.jsonl with what the database would export now, with "
        "the same options. See docs/exporting.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="the folder that export_dataset made")
        parser.add_argument("--project", help="if its name changed since (default: as the manifest says)")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        found = 0
        try:
            manifest = read_manifest(folder)
            project = project_named(options["project"] or str(manifest["project"]))
            for line in export_differences(folder, project, manifest):
                found += 1
                self.stdout.write(line)
        except ExportError as error:
            raise CommandError(str(error)) from error
        if found:
            raise CommandError(f"{found} differences")
        self.stdout.write(f"{folder}: it is what the database would export now ({manifest['content_hash']})")
