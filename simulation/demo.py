"""`make demo`: a simulated crowd annotates drawn scenes over HTTP, and the data set is exported and compared.

Nothing is ever removed. Every run makes its own project (demo-1, demo-2, ...) and another one with open work
(demo-1-open), to which `make serve` prints a link.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from random import Random

import django
import orjson
from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import DatabaseError
from tqdm import tqdm

from annotation.domain.protocols import PROTOCOL_STAGES
from simulation.characters import Kind
from simulation.platform_demo import BONUS, PROVIDERS, Platform, platform_of
from simulation.relevant_pairs import Relevant, relevant_pairs

SCENES, OPEN_SCENES, UNDER_WAY = 48, 12, 8
KNOWN = {"gold": 8, "training": 2, "test": 8}
BESIDE = KNOWN | {"training": 4}
"""The same where captions are collected. How many questions they give depends on how many come before."""
OPEN_KNOWN = {"gold": 4, "training": 1, "test": 2}
"""How many more scenes are made, by role of the verification questions made from them.

Nobody annotates these.
"""
SEED = 2015
WORKERS, CARELESS = 12, 0.25
SCREENING = {"training_items": 1, "test_items": 4, "tries": 2, "wait_seconds": 0}
PASS_MARK = 0.75
CONTROL = {"entrance": 10, "recent": 10}
"""Smaller numbers than the paper's, so that the demo is short."""
TRIED_OUT = {"paper": "quality", "fast": "check"}
"""The stage of the open project that requires a test. In the others everybody may work at once."""
CONTROL_SCENES = 16
"""How many more scenes the controls of `--campaign relevance` are made of."""
SHOWN_OF_JUDGMENTS = ("files", "experts_agreement", "crowd_agreement", "crowd_experts_kappa")
PATIENCE = 20
"""How many times in a row a worker gets no work before a new one replaces them."""
KEEP = 6
"""How many items wait in every stage of the open project."""
NAMES = {"paper": "flickr30k-entities", "fast": "entities-fast"}
"""The protocols by their names here."""
JUDGE, DETECTOR = "simulated-judge/1", "simulated-detector/1"
"""The models of `--models`: one judges boxes, and is right in 88% of its answers; one suggests boxes."""
STRATEGIES = {"paper": "greedy_plus", "fast": "likely_first"}
"""The link strategies. Nobody verifies chains by `entities-fast`, so it takes one that looks again."""


def short_pages(protocol: str) -> dict[str, int]:
    """Return the items on a page of the open project: few, so that one page does not empty a stage."""
    return {stage: 10 if stage == "link" else KEEP // 2 for stage in PROTOCOL_STAGES[NAMES[protocol]]}


def main(arguments: Sequence[str] | None = None, crowd: Callable[[], BaseCommand] | None = None) -> int:
    """Run the demo. Return 0, or 1 when a step failed; standard error then says what failed.

    `crowd` makes a command in place of `simulate`, after Django is set up. With it, the demo is a rehearsal
    and leaves no open work.
    """
    parser = argparse.ArgumentParser(prog="simulation.demo", description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=SCENES)
    parser.add_argument("--workers", type=int, default=WORKERS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument(
        "--provider", choices=PROVIDERS, default="direct", help="a platform: through an emulator of it"
    )
    parser.add_argument(
        "--campaign",
        choices=("captions", "relevance"),
        help="captions: the scenes have none, and are described by the crowd first; relevance: experts and a "
        "crowd judge which captions describe which scenes",
    )
    parser.add_argument(
        "--protocol", choices=tuple(NAMES), default="paper", help="fast: the protocol entities-fast"
    )
    parser.add_argument(
        "--models", action="store_true", help="simulated models suggest and judge boxes (with fast only)"
    )
    parser.add_argument(
        "--accepting",
        action="store_true",
        help="with --models: a third of the crowd accepts all of it",
    )
    options = parser.parse_args(arguments)
    if options.accepting and not options.models:
        parser.error("--accepting goes with --models")
    if options.models and (options.protocol != "fast" or options.campaign):
        parser.error("--models goes with --protocol fast, and without --campaign")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("GROUNDCREW_CONTACT", "demo@example.org")
    with platform_of(options.provider) as platform:
        django.setup()
        kind = {None: _Demo, "captions": _CaptionDemo, "relevance": _RelevanceDemo}[options.campaign]
        demo = kind(options.scenes, options.workers, options.seed, platform, options.protocol, crowd)
        demo.models, demo.accepting = options.models, options.accepting
        return _run(demo)


def _run(demo: _Demo) -> int:
    from config.serve import ServiceFailed

    begin = time.monotonic()
    try:
        demo.run()
    except (CommandError, ServiceFailed, DatabaseError, OSError, ValueError) as error:
        print(f"\nThe demo failed: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nThe demo was interrupted; another run begins anew.", file=sys.stderr)
        return 130
    print(f"\nThe demo took {time.monotonic() - begin:.0f} s.")
    return 0


class _Demo:
    leaves_work = True
    models = False
    accepting = False

    def __init__(
        self,
        scenes: int,
        workers: int,
        seed: int,
        platform: Platform | None,
        protocol: str,
        crowd: Callable[[], BaseCommand] | None = None,
    ) -> None:
        self.scenes, self.workers, self.seed, self.platform = scenes, workers, seed, platform
        self.protocol, self.crowd = protocol, crowd
        self.stages = PROTOCOL_STAGES[NAMES[protocol]]

    def run(self) -> None:
        """Run all steps. Raise CommandError, ServiceFailed, DatabaseError, OSError or ValueError."""
        from config.serve import services

        with _step("Migrating the database"):
            call_command("migrate", verbosity=0)
        name = free_name(settings.VAR / "demo")
        folder = settings.VAR / "demo" / name
        self._make_corpus(name, folder)
        print(
            f"Quality control with smaller numbers than the paper's: a test of {SCREENING['test_items']} "
            f"questions, and {CONTROL['entrance']} verification questions at the entrance of a stage"
        )
        with services(logs=folder / "logs", port=self.platform.port if self.platform else 0) as server:
            print(f"Serving at {server.url}, logs in {_shown(folder / 'logs')}")
            self._collect(name, folder, server.url)
            self._ground(name, folder, server.url)
            server.check()
            if self.platform:
                called = f"{self.platform.called}'s emulator"
                with _step(f"Settling with {called}, and comparing the books", end="\n"):
                    asked = ("--project", name, *self.platform.option, "--bonus", str(BONUS))
                    call_command("compare_books", *asked)
                    call_command("verify_ledger")
            if self.leaves_work and self.crowd is None:
                self._leave_work(f"{name}-open", folder / "open", server.url)
                server.check()
        call_command("verify_state", project=name)
        call_command("verify_audit")
        call_command("verify_records")
        self._finish(name, folder)

    def _finish(self, name: str, folder: Path) -> None:
        """Export what was made, and compare it with the truth."""
        out = folder / "export"
        everything = {"project": name, "format": "flickr30k-entities", "include_unresolved": True}
        call_command("export_dataset", str(out), **everything)
        self._report(name, folder / "scenes", out)

    def _make_corpus(self, name: str, folder: Path) -> None:
        """Import scenes with their captions, and make questions from some of them."""
        self._prepare(name, folder / "scenes", self.scenes + sum(KNOWN.values()), self.seed)
        self._question(name, KNOWN)

    def _collect(self, name: str, folder: Path, server: str) -> None:
        """Have captions written, if the scenes have none."""

    def _ground(self, name: str, folder: Path, server: str) -> None:
        """Have the captions grounded, from the first stage to the last."""
        helped = self._helped(name, folder) if self.models else {}
        call_command(
            *("batch", "create", "--project", name, "--name", "grounding"),
            *_set(protocol=NAMES[self.protocol], strategy=STRATEGIES[self.protocol]),
            *_set(**helped),
            *_set(screening=SCREENING, control=CONTROL),
            *_set(pass_mark=dict.fromkeys(self.stages, PASS_MARK)),
            *self._published(self.stages),
        )
        call_command("batch", "launch", "--project", name, "--name", "grounding")
        judge = ("--judge", JUDGE) if self.models else ()
        self._simulate(name, server, *self._through(), *self._truth(folder), *judge)
        if self.models:
            call_command("model", "report", name, JUDGE)
            call_command("suggestion_report", name, "grounding")

    def _helped(self, name: str, folder: Path) -> dict[str, object]:
        """Add a model that judges and one that suggests boxes. Return the settings that name them."""
        from annotation.domain.records import ImageRecord
        from annotation.formats.datasets.flickr30k_entities import read
        from simulation.model_detector import Detector, detect

        for model in (JUDGE, DETECTOR):
            call_command("model", "add", name, model, stdout=StringIO())
        images = (one for one in read(folder / "scenes") if isinstance(one, ImageRecord))
        file = folder / "suggestions.jsonl"
        with file.open("xb") as out:
            for line in detect(images, Detector(), Random(self.seed)):
                out.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
        call_command("import_suggestions", name, str(file), "--model", DETECTOR, "--every-mention")
        return {"judge": {"model": JUDGE}, "suggestions": {"set": 1}}

    def _published(self, stages: Iterable[str]) -> list[str]:
        """Return the options that publish a batch with these stages on the platform, if there is one."""
        return _set(**self.platform.settings(stages)) if self.platform else []

    def _through(self) -> tuple[str, ...]:
        """Return the options with which the crowd comes through the platform, if there is one."""
        return self.platform.option if self.platform else ()

    def _truth(self, folder: Path) -> tuple[str, ...]:
        """Return the option that says what the crowd answers from, if it is not the gold chains."""
        return ()

    def _simulate(self, name: str, server: str, *options: str) -> None:
        """Let the crowd work until nothing is left."""
        careless = 1 / 3 if self.accepting else CARELESS
        bad = round(self.workers * careless)
        with _step(
            f"{self.workers - bad} simulated workers as in the paper, and {bad} careless ones", end="\n"
        ):
            call_command(
                self.crowd() if self.crowd else "simulate",
                *("--project", name, "--server", server, "--haste", "0.25"),
                *("--workers", str(self.workers), "--seed", str(self.seed), "--give-back", "0.01"),
                *("--careless", str(careless), "--patience", str(PATIENCE), *options),
                *(("--careless-kind", Kind.ACCEPTING) if self.accepting else ()),
            )

    def _prepare(self, name: str, folder: Path, count: int, seed: int, start: int = 0) -> None:
        from simulation.scenes.write import write_scenes

        with tqdm(total=count, desc="Drawing scenes", unit=" images", disable=None) as bar:
            write_scenes(folder, count, seed, bar.update, start=start)
        call_command(
            *("import_corpus", str(folder), "--project", name, "--format", "flickr30k-entities"),
            *("--as-gold", "--images", str(folder / "images")),
        )

    def _question(self, name: str, scenes: Mapping[str, int]) -> None:
        """Make questions from so many scenes for each role."""
        from annotation.models import VerificationQuestion

        for role, images in scenes.items():
            call_command(
                *("questions", "make", "--project", name, "--role", role, "--images", str(images)),
                *("--per-image", "8", "--seed", str(self.seed), "--protocol", NAMES[self.protocol]),
                stdout=StringIO(),
            )
        count = VerificationQuestion.objects.filter(project__name=name).count()
        print(f"{count} verification questions made of {sum(scenes.values())} more scenes")

    def _leave_work(self, name: str, folder: Path, server: str) -> None:
        """Make a project in which every stage has items waiting, by a half-done batch and a new one."""
        with _step(f"Leaving open work in project {name}", end="\n"):
            self._prepare(name, folder, OPEN_SCENES + sum(OPEN_KNOWN.values()), self.seed + 1)
            self._question(name, OPEN_KNOWN)
            tried = TRIED_OUT[self.protocol]
            settings = _set(
                protocol=NAMES[self.protocol],
                strategy=STRATEGIES[self.protocol],
                regime={stage: "trusted" if stage == tried else "open" for stage in self.stages},
                screening=SCREENING,
                control={"entrance": 5},
                items_a_page=short_pages(self.protocol),
            )
            some = ("--images", str(UNDER_WAY))
            call_command("batch", "create", "--project", name, "--name", "under-way", *some, *settings)
            call_command("batch", "launch", "--project", name, "--name", "under-way")
            call_command(
                *("simulate", "--project", name, "--server", server, "--leave", str(KEEP)),
                *("--profile", "perfect", "--seed", str(self.seed)),
            )
            call_command("batch", "create", "--project", name, "--name", "new", *settings)
            call_command("batch", "launch", "--project", name, "--name", "new")

    def _report(self, name: str, scenes: Path, out: Path) -> None:
        from simulation.report_data import demo_report

        print(f"\n{demo_report(name, scenes, out)}\n")
        self._beside(name)
        print(f"The export:         {_shown(out)}")
        print(
            "To evaluate it:     .venv/bin/python -m evaluation localization --proposals windows --open \\\n"
            f"                    --dataset {_shown(out)} --images {_shown(scenes / 'images')} \\\n"
            f"                    --out {_shown(out.parent / 'evaluation')}"
        )
        if not self.leaves_work or self.crowd is not None:
            return
        print(
            f"To answer yourself: make serve, then the link it prints for {name}-open: work in every stage,\n"
            f"                    in {TRIED_OUT[self.protocol]} after a short test\n"
            "To look around:     make serve, then http://127.0.0.1:8000/admin/\n"
            "                    (the first time: .venv/bin/python manage.py createsuperuser)"
        )

    def _beside(self, name: str) -> None:
        """Print this run beside the newest ones by other protocols, if there are any."""
        from simulation.report import side_by_side
        from simulation.report_data import newest_of_others, summary

        folder = settings.VAR / "demo"
        others = sorted(newest_of_others(name, folder).values())
        if not others:
            other = next(one for one in NAMES if one != self.protocol)
            print(f"To see the other protocol beside this one: make demo PROTOCOL={other}\n")
            return
        runs = [summary(run, folder / run / "scenes", folder / run / "export") for run in (*others, name)]
        print(f"Beside {', '.join(others)}:\n\n{side_by_side(runs)}\n")


class _CaptionDemo(_Demo):
    """Scenes without captions: the crowd writes and checks these before it grounds them."""

    leaves_work = False

    def _make_corpus(self, name: str, folder: Path) -> None:
        """Import the photographs of scenes, and other scenes with their captions to make questions from."""
        from simulation.scenes.write import write_scenes

        with tqdm(total=self.scenes, desc="Drawing scenes", unit=" images", disable=None) as bar:
            write_scenes(folder / "scenes", self.scenes, self.seed, bar.update, reworded=True)
        call_command(
            *("import_corpus", str(folder / "scenes" / "images"), "--project", name),
            *("--format", "photographs"),
        )
        self._prepare(name, folder / "known", sum(BESIDE.values()), self.seed, start=self.scenes)
        self._question(name, BESIDE)
        call_command("language_test", "--project", name)

    def _collect(self, name: str, folder: Path, server: str) -> None:
        call_command(
            *("batch", "create", "--project", name, "--name", "captions"),
            *_set(protocol="captions", screening=SCREENING),
            *_set(regime={"writing": "trusted", "caption_check": "open"}),
            *self._published(PROTOCOL_STAGES["captions"]),
        )
        call_command("batch", "launch", "--project", name, "--name", "captions")
        self._simulate(name, server, *self._through(), *self._truth(folder))
        print()
        call_command("caption_report", "--project", name)
        print()

    def _truth(self, folder: Path) -> tuple[str, ...]:
        return "--truth", str(folder / "scenes")


class _RelevanceDemo(_Demo):
    """Experts grade which captions describe which scenes, and a crowd ticks them; then they are compared."""

    leaves_work = False
    experts, ticks = "experts", "crowd"

    def _make_corpus(self, name: str, folder: Path) -> None:
        """Import scenes whose captions are judged, and others that controls are made of."""
        self._prepare(name, folder / "scenes", self.scenes, self.seed)
        self._prepare(name, folder / "known", CONTROL_SCENES, self.seed, start=self.scenes)

    def _ground(self, name: str, folder: Path, server: str) -> None:
        """Have the pairs judged by both."""
        from evaluation.readers.recognition import read_dataset
        from evaluation.report.files import text_of
        from evaluation.tasks import pairs
        from evaluation.tasks.common import Inputs

        chosen = folder / "pairs.jsonl"
        settings = pairs.Settings(candidates="drawn", write=chosen)
        report = pairs.evaluate(Inputs(read_dataset(folder / "scenes"), {}), settings)
        found = next(table for table in report.tables() if table.name == "chosen")
        print(f"One caption of each scene, for all scenes.\n{text_of(found)}\n")
        for batch, protocol, control, published in (
            (self.experts, "relevance-expert", CONTROL, []),
            (self.ticks, "relevance-crowd", {"set_questions": 5}, self._published(("relevance",))),
        ):
            call_command(
                *("relevance", "draft", "--project", name, "--name", batch, "--protocol", protocol),
                *("--pairs", str(chosen), *_set(screening=SCREENING, control=control), *published),
            )
            call_command("relevance", "questions", "--project", name, "--batch", batch)
            call_command("batch", "launch", "--project", name, "--name", batch)
            self._simulate(name, server, *(self._through() if published else ()))
            print()
            call_command("judge_report", "--project", name, "--batch", batch)
            print()

    def _finish(self, name: str, folder: Path) -> None:
        """Export the judgments of both, and say how far they agree with each other and with the truth."""
        from evaluation.readers.recognition import read_dataset
        from evaluation.report.files import text_of
        from evaluation.tasks import judgments
        from evaluation.tasks.common import Inputs

        files = {}
        for batch in (self.experts, self.ticks):
            out = folder / batch
            call_command("relevance", "export", "--project", name, "--batch", batch, str(out))
            files[batch] = out / "judgments.jsonl"
        report = judgments.evaluate(Inputs(read_dataset(folder / "scenes"), files))
        for found in report.tables():
            if found.name in SHOWN_OF_JUDGMENTS:
                print(f"\n{text_of(found)}")
        for batch, path in files.items():
            print(f"\n{_said_truth(batch, relevant_pairs(path))}")
        print(f"\nThe judgments:      {', '.join(_shown(path) for path in files.values())}")


def _said_truth(batch: str, found: Relevant) -> str:
    return (
        f"{batch}: of {found.pairs:,} pairs, {found.right / found.pairs:.1%} are judged as they are: "
        f"{found.hits:,} of {found.own:,} own captions, and {found.false:,} others, are relevant"
    )


def _set(**settings: object) -> list[str]:
    """Return settings of a batch as options of its command."""
    return [
        part
        for name, value in settings.items()
        for part in ("--set", f"{name}={orjson.dumps(value).decode()}")
    ]


@contextmanager
def _step(text: str, end: str = " ") -> Iterator[None]:
    print(f"{text} ...", end=end, flush=True)
    yield
    if end != "\n":
        print("done")


def free_name(folder: Path) -> str:
    """Return the first name of demo-1, demo-2, … that neither a project nor a path in `folder` has.

    A run that broke off may have left a path.
    """
    from annotation.models import Project

    taken = set(Project.objects.filter(name__startswith="demo-").values_list("name", flat=True))
    names = (f"demo-{number}" for number in range(1, 10**6))
    return next(name for name in names if name not in taken and not (folder / name).exists())


def _shown(path: Path) -> str:
    """Return the path relative to the current folder, if it is below it."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


if __name__ == "__main__":
    sys.exit(main())
