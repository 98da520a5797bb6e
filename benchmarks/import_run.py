"""The part of `benchmarks.import` for one database.

It is run by that module, in an environment that names the database.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import django
import orjson
import psutil

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
if __name__ == "__main__":  # the processes that chunk also import this module, and do not need Django
    django.setup()

IMAGES = {"full": 31_014, "quick": 3_101, "tiny": 20}
PROCESSES = min(2, os.cpu_count() or 1)
SAMPLE_SECONDS = 0.05


class Meter:
    """Measures seconds, CPU seconds and peak memory (resident megabytes) of this process and its children."""

    def __init__(self, total: int) -> None:
        self.figures: dict[str, float] = {}
        self._total, self._done = total, 0
        self._peak = self._peak_at_a_tenth = 0
        self._stop = threading.Event()

    def __enter__(self) -> Meter:
        self._sampler = threading.Thread(target=self._sample)
        self._sampler.start()
        self._begin, self._cpu = time.perf_counter(), _cpu()
        return self

    def __exit__(self, *error: object) -> None:
        seconds, cpu = time.perf_counter() - self._begin, _cpu() - self._cpu
        self._stop.set()
        self._sampler.join()
        self.figures = {
            "seconds": round(seconds, 2),
            "cpu_seconds": round(cpu, 1),
            "peak_mb": self._peak // 1_000_000,
            "peak_mb_at_a_tenth": self._peak_at_a_tenth // 1_000_000,
        }

    def progress(self, images: int) -> None:
        """Note that so many images were just written."""
        self._done += images
        if not self._peak_at_a_tenth and self._done >= self._total / 10:
            self._peak_at_a_tenth = self._peak

    def _sample(self) -> None:
        this = psutil.Process()
        while not self._stop.wait(SAMPLE_SECONDS):
            resident = 0
            for process in (this, *this.children(recursive=True)):
                try:
                    resident += process.memory_info().rss
                except psutil.NoSuchProcess:
                    continue
            self._peak = max(self._peak, resident)


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main(out: Path, captions: Path, images: int) -> None:
    """Write the figures of this database to `out` as JSON."""
    from django.core.management import call_command

    from annotation.domain.records import ImageRecord, Problem
    from annotation.formats.registry import READERS
    from annotation.importing.corpus import import_corpus
    from annotation.models import Project
    from benchmarks.import_reference import raw_insert_seconds

    call_command("migrate", verbosity=0)
    project = Project(name="bench-import")

    def records() -> Iterator[ImageRecord | Problem]:
        return islice(READERS["flickr30k-token"](captions), images)

    figures: dict[str, Any] = {"processes": PROCESSES}
    for run in ("import", "again"):
        with Meter(images) as meter:
            summary = import_corpus(
                project=project, records=records(), processes=PROCESSES, progress=meter.progress
            )
        figures[run] = meter.figures
        if run == "import":
            figures |= {"captions": summary.captions, "mentions": summary.mentions, "words": summary.words}
            figures |= {"images": summary.images, "chunks": summary.chunks, "skipped": summary.skipped}
        elif summary.captions:
            raise AssertionError(f"{summary.captions} captions were imported twice")
    figures["raw_insert_seconds"] = round(raw_insert_seconds(project), 4)
    out.write_bytes(orjson.dumps(figures))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), IMAGES[sys.argv[3]])
