from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.domain.settings_table import settings_table
from workflows.pipeline.domain.diagram import SETTINGS_MARKS, describe, describe_links, refresh
from workflows.pipeline.domain.moves import PROTOCOLS

PAGE = Path(settings.BASE_DIR) / "docs" / "pipeline.md"


class Command(BaseCommand):
    help = "Write the pipeline's diagrams, and the tables of its rules and settings, into docs/pipeline.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--page", type=Path, default=PAGE, help="another page with the same markers")
        parser.add_argument(
            "--check", action="store_true", help="change nothing; fail if the page is out of date"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        page: Path = options["page"]
        parts = [*(describe(protocol, BatchSettings()) for protocol in PROTOCOLS.values()), describe_links()]
        block = "\n\n".join(parts)
        try:
            old = page.read_text(encoding="utf-8")
            new = refresh(refresh(old, settings_table(), SETTINGS_MARKS), block)
        except (OSError, ValueError) as error:
            raise CommandError(f"{page}: {error}") from error
        if options["check"] and new != old:
            raise CommandError(f"{page} is out of date: run manage.py pipeline_diagram")
        if new != old:
            page.write_text(new, encoding="utf-8")
            self.stdout.write(f"{page}: written")
