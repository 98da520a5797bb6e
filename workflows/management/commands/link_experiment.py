from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from evaluation.audit import TABLE_2, StrategyRow
from workflows.management.subject import project_and_batch

NOTHING = 3  # exit code
ROWS: Mapping[str, str] = {
    "matched_links": "matched links, of those asked",
    "matched_chains": "matched chains",
    "false_positives": "false positives",
    "false_negatives": "false negatives",
    "asked": "questions, of exhaustive's",
    "questions": "questions",
    "precision": "precision of pairs",
    "recall": "recall of pairs",
    "f": "F of pairs",
}
PAPERS = tuple(ROWS)[:5]
"""The rows that table 2 of the paper has."""
WIDE = 17


class Command(BaseCommand):
    help = (
        "Compare the link strategies on the answers of a batch with the strategy every_pair, as table 2 of "
        "the paper does. See docs/pipeline.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--batch", required=True, help="a batch with the link strategy every_pair")
        parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers to this file")

    def handle(self, *args: Any, **options: Any) -> None:
        from workflows.analysis.link_experiment import compare_strategies

        _, batch = project_and_batch(options["project"], options["batch"])
        assert batch is not None
        with tqdm(unit=" images", disable=None) as bar:
            found = compare_strategies(batch=batch, progress=bar.update)
        if not found.images:
            raise CommandError(
                f"batch {batch.name} has no image with all answers: it needs the link strategy every_pair, "
                "and images whose links are settled",
                returncode=NOTHING,
            )
        self.stdout.write(f"{'':30}{''.join(f'{name:>{WIDE}}' for name in found.rows)}")
        for row, title in ROWS.items():
            cells = "".join(f"{_said(row, one):>{WIDE}}" for one in found.rows.values())
            self.stdout.write(f"{title:30}{cells}")
            if row in PAPERS:
                cells = "".join(f"{_paper(row, name):>{WIDE}}" for name in found.rows)
                self.stdout.write(f"{'  in the paper':30}{cells}")
        self.stdout.write(f"\nImages: {found.images:,}; without all answers, left out: {found.left_out:,}")
        if options["json"]:
            rows = {name: asdict(one) for name, one in found.rows.items()}
            content = orjson.dumps(
                {"images": found.images, "left_out": found.left_out, "strategies": rows},
                option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE,
            )
            try:
                options["json"].write_bytes(content)
            except OSError as error:
                raise CommandError(f"{error.filename} cannot be written: {error.strerror}") from error


def _said(row: str, one: StrategyRow) -> str:
    value = getattr(one, row)
    return f"{value:,}" if row == "questions" else "–" if value != value else f"{value:.2%}"


def _paper(row: str, name: str) -> str:
    return f"{TABLE_2[name][PAPERS.index(row)]:.2%}" if name in TABLE_2 else "–"
