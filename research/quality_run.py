"""The part of `research.quality` for one setting: a corpus, a crowd, and its work under that setting.

It runs in a process of its own, in an environment that names a database of its own.
"""

# Models can be imported only after django.setup().
# ruff: noqa: E402

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from io import StringIO
from pathlib import Path
from typing import Any

import django
import orjson

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.core.management import call_command
from django.utils import timezone
from tqdm import tqdm

from annotation.domain.records import ImageRecord
from annotation.models import Batch, Image, Project
from benchmarks.corpus import make_project, with_open_links
from benchmarks.dispatch.reference import pages_a_second
from research.crew import STAGES_EACH, Crew, hire
from research.crowd_outcomes import outcome, paced, spent, verdicts, workers
from research.made_up_images import write_corpus
from simulation.characters import mixed_crowd
from simulation.selectors import load_truth
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import create_batch, move_batch
from workflows.pipeline.advance import open_queued
from workflows.quality.pace import check_pace
from workflows.questions.make import make_from_gold
from workflows.workers.enrolment import enrol_worker

PROJECT = "quality"
NO_TEST: dict[str, Any] = {"test": False}
TEST: dict[str, Any] = {"wait_seconds": 0}
SETTINGS: Mapping[str, dict[str, Any]] = {
    "open": {"regime": "open"},
    "trusted": {"regime": "trusted", "screening": NO_TEST},
    "set aside": {"regime": "trusted", "screening": NO_TEST, "control": {"on_loss": "set-aside"}},
    "with test": {"regime": "trusted", "screening": TEST},
    "verification": {"regime": "verification", "screening": NO_TEST, "control": {"set_questions": 10}},
}
"""The settings by name.

- `open`: everybody's judgments count.
- `trusted`: the default, but without the qualification test.
- `set aside`: like `trusted`, but judgments of workers who lost trust are asked again if nobody supports
  them.
- `with test`: like `trusted`, with the qualification test before the work.
- `verification`: a fifth of every page are verification questions.
"""
CARELESS = 1 / 3
FEWER = {"verification": 4}
"""The divisor of the number of workers.

With `verification`, a page is scored once its worker has answered a set of questions in the batch. So that
sets are filled in a corpus as small as this one, a set has 10 questions, and there are a quarter of the
workers.
"""


def prepare(
    folder: Path, images: int, gold: int, seed: int, project: str = PROJECT
) -> tuple[Project, list[ImageRecord]]:
    """Make a project with so many images to annotate, and `gold` more for its verification questions.

    Returns it with the truth about the images to annotate.
    """
    records = write_corpus(folder, images + gold, seed)
    call_command(
        *("import_corpus", str(folder), "--project", project, "--format", "flickr30k-entities"),
        *("--as-gold", "--processes", "1"),
        stdout=StringIO(),
    )
    made = Project.objects.get(name=project)
    make_questions(made, [record.name for record in records[images:]], seed)
    return made, records[:images]


def make_questions(project: Project, names: Sequence[str], seed: int) -> None:
    """Make verification questions about the gold chains of these images.

    They are the same for every setting.
    """
    images = Image.objects.filter(project=project, name__in=names)
    make_from_gold(
        project=project,
        images=list(images.values_list("pk", flat=True)),
        now=timezone.now(),
        settings=parse_settings(SETTINGS["with test"]),
        seed=seed,
        without_pictures=True,
    )


def launch(project: Project, records: Sequence[ImageRecord], settings: Mapping[str, Any]) -> Batch:
    """Make a running batch of the images of these records."""
    names = [record.name for record in records]
    images = Image.objects.filter(project=project, name__in=names).order_by("name")
    batch = create_batch(
        project=project,
        name="main",
        settings=parse_settings(dict(settings)),
        images=images.values_list("pk", flat=True),
    )
    batch = move_batch(batch=batch, action="launch", without_pictures=True)
    open_queued(batch_id=batch.pk, now=timezone.now())
    return batch


def run(
    folder: Path,
    name: str,
    *,
    images: int,
    gold: int,
    crowd: int,
    seed: int,
    each: int = STAGES_EACH,
    project: str = PROJECT,
    settings: Mapping[str, Any] | None = None,
    tell: Callable[[int], object] = lambda done: None,
) -> dict[str, Any]:
    """Do all work under one of SETTINGS, or under `settings`, and return figures.

    Each worker works in `each` stages.
    """
    made, records = prepare(folder / "corpus", images, gold, seed, project)
    batch = launch(made, records, SETTINGS[name] if settings is None else settings)
    truth = load_truth(project)
    hands = hire(made, mixed_crowd(crowd, CARELESS, seed), seed, each)
    begin = time.perf_counter()
    crew = Crew(batch, hands, truth, random.Random(seed), tell)
    crew.run()
    check_pace(now=crew.clock, worker_ids=[hand.worker_id for hand in hands])
    return {
        "name": name,
        "seconds": round(time.perf_counter() - begin, 1),
        "workers": [asdict(worker) for worker in workers(hands, batch, truth, seed)],
        "paced": paced(hands),
        "spent": spent(batch, hands),
        "verdicts": verdicts(batch),
        "outcome": outcome(batch, records, folder / "export"),
    }


def main(out: Path, name: str, images: int, gold: int, crowd: int, seed: int) -> None:
    """Write the figures of one setting to `out` as JSON."""
    call_command("migrate", verbosity=0)
    folder = Path(os.environ["GROUNDCREW_VAR"])
    position = list(SETTINGS).index(name)
    with tqdm(total=images, desc=f"{name:12}", unit=" images", position=position) as bar:
        figures = run(
            folder,
            name,
            images=images,
            gold=gold,
            crowd=crowd // FEWER.get(name, 1),
            seed=seed,
            tell=lambda n: bar.update(n - bar.n),
        )
    out.write_bytes(orjson.dumps(figures))


def raw(seconds: float, images: int) -> float:
    """Return judgments a second of bare transactions with the same writes."""
    call_command("migrate", verbosity=0)
    project = make_project("raw", images)
    batch = with_open_links(project, 90 * images)
    hands = [enrol_worker(project=project, external_id=str(number)) for number in range(4)]
    return pages_a_second(batch, hands, seconds, 10) * 10


if __name__ == "__main__":
    if not (os.environ.get("DATABASE_URL") or os.environ.get("GROUNDCREW_VAR")):
        raise SystemExit("Run `make bench-quality`: this part needs a database of its own.")
    if sys.argv[1] == "raw":
        print(raw(float(sys.argv[2]), int(sys.argv[3])))
    else:
        main(Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:7]))
