from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.exporting.dataset import SOURCES
from annotation.exporting.folder import ExportError
from annotation.exporting.statistics import count_dataset, options_of
from annotation.exporting.summary import say_left_out
from console.statistics.domain.figures import all_figures, to_json
from console.statistics.plots import plots
from console.statistics.sections import say_figure
from workflows.management.subject import project_named

NOTHING = 3  # exit code, the same as that of export_dataset


class Command(BaseCommand):
    help = (
        "Print statistics of a data set as it would be exported, beside the paper's. See docs/statistics.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument(
            "--source", choices=SOURCES, default="crowd", help="whose annotation (default: crowd)"
        )
        parser.add_argument("--batch", default="", help="only the images and the work of this batch")
        parser.add_argument("--json", type=Path, metavar="FILE", help="write all statistics to this file")
        parser.add_argument(
            "--plots", type=Path, metavar="FOLDER", help="write charts to this folder, as SVG files"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        with tqdm(unit=" images", disable=None) as bar:

            def progress(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            try:
                chosen = options_of(options["source"], options["batch"])
                sums, left_out = count_dataset(project=project, options=chosen, progress=progress)
            except (ExportError, ValueError) as error:
                raise CommandError(str(error)) from error
        if not sums.images:
            raise CommandError("no image would be exported, so there is nothing to count", returncode=NOTHING)
        for figure in all_figures(sums):
            paper = f"   (paper: {say_figure(figure.paper, figure.unit)})" if figure.paper is not None else ""
            self.stdout.write(f"{figure.title:61} {say_figure(figure.value, figure.unit):>10}{paper}")
        for words in say_left_out(left_out):
            self.stdout.write(f"left out: {words}")
        of = {"project": project.name, "source": options["source"], "batch": options["batch"]}
        left = {name: dict(getattr(left_out, name)) for name in ("images", "chains", "boxes")}
        try:
            if options["json"]:
                content = orjson.dumps({**of, "left_out": left, **to_json(sums)}, option=orjson.OPT_INDENT_2)
                options["json"].write_bytes(content + b"\n")
            if options["plots"]:
                options["plots"].mkdir(parents=True, exist_ok=True)
                for name, chart in plots(sums).items():
                    (options["plots"] / f"{name}.svg").write_bytes(chart.standalone())
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be written: {error.strerror}") from error
