"""Clients of models: a judge with receipts, one that is killed, one that lies, and imports that are cut."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import orjson
from django.core.management import call_command

from annotation.domain.records import ImageRecord
from annotation.formats.datasets.flickr30k_entities import read
from annotation.models import ModelAnswer, ModelVersion, SuggestionSet
from config.serve import ROOT
from scripts.fault_drill.crowd import Record, RoughTransport
from scripts.fault_drill.judge import ModelReceipt, as_text
from simulation.client import ApiError, Client
from simulation.model_detector import Detector, detect
from simulation.model_judge import SimulatedJudge
from simulation.truth import Truth
from workflows.api.model_views import make_model_token
from workflows.judges.answers import MAX_ANSWERS_AT_ONCE
from workflows.judges.domain.question_keys import Key

PROJECT = "models"
JUDGE, DETECTOR = "judge/1", "detector/1"
FILE = "suggestions.jsonl"
WAIT_SECONDS = 4
"""So long a question waits for its model."""
HANGS = 0.1
"""The share of a judge's turns in which it answers after that."""
LIFE = 20.0
"""Seconds after which the other client, or an import, is killed at the latest."""
LIES_EVERY = 1.0
HUGE = 1_000_000
"""Rows in one request."""
BUSY = (429, 502, 503, 504)
Wait = Callable[[float], bool]


def settings() -> dict[str, Any]:
    """Return the settings of the batch that a model judges, and that shows boxes of another one."""
    return {
        "protocol": "entities-fast",
        "strategy": "likely_first",
        "judge": {"model": JUDGE, "seconds": WAIT_SECONDS},
        "suggestions": {"set": 1},
    }


def add_models(scenes: Path, seed: int) -> None:
    """Add both models and the first set of suggestions to the project, and write its file."""
    for model in (JUDGE, DETECTOR):
        call_command("model", "add", PROJECT, model, stdout=io.StringIO())
    file = scenes / FILE
    images = (one for one in read(scenes) if isinstance(one, ImageRecord))
    file.write_bytes(
        b"".join(
            orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
            for line in detect(images, Detector(), random.Random(seed))
        )
    )
    call_command(*_import_of(file), stdout=io.StringIO())


def token() -> str:
    """Return a token of the model that judges."""
    return make_model_token(_judge())


def _judge() -> ModelVersion:
    return ModelVersion.objects.get(project__name=PROJECT, name="judge")


def _import_of(file: Path) -> tuple[str, ...]:
    return "import_suggestions", PROJECT, str(file), "--model", DETECTOR, "--every-mention"


class JudgeClient(Client):
    """Keeps what became of each answer, posts until it is told that, and sometimes posts late."""

    def __init__(self, server: str, bearer: str, record: Record, rng: random.Random) -> None:
        self.record, self.rng = record, rng
        super().__init__(
            server, bearer, RoughTransport(record, rng), lambda seconds: record.over.wait(min(seconds, 1.0))
        )

    def ask(self, path: str, body: Mapping[str, Any]) -> dict[str, Any] | None:
        if self.rng.random() < HANGS:
            self.record.roughly("answered as a model too late")
            self.record.over.wait(2 * WAIT_SECONDS)
        while True:
            try:
                reply = super().ask(path, body)
            except ApiError as error:
                if self.record.late.is_set():
                    self.record.found.append(f"answers of a model: never got a reply ({error})")
                    raise
                self.record.over.wait(0.5)
                continue
            assert reply is not None
            for one, outcome in zip(body["answers"], reply["outcomes"], strict=True):
                self.record.keep_of_model(ModelReceipt(one["key"], as_text(one["answer"]), outcome))
            return reply


@dataclass
class ModelClients:
    """All that models' clients do, each in a thread of the crowd. `site` is behind the rough network."""

    site: str
    record: Record
    seed: int
    env: Mapping[str, str]
    out: Path

    def judge(self, truth: Truth, bearer: str) -> Callable[[], None]:
        """Return the work of a judge that is right in 95% of its answers."""
        rng = self._rng("judge")
        client = JudgeClient(self.site, bearer, self.record, rng)
        return lambda: SimulatedJudge(client, truth, 0.95, rng).work(self._wait)

    def killed(self, bearer: str) -> Callable[[], None]:
        """Return the work of the client of `examples`, which calls every box good and is killed at it."""
        rng = self._rng("killed")
        command = ["-m", "examples.model_client", "--site", self.site]
        command += ["--judge", "scripts.fault_drill.easy_judge"]
        return lambda: self._kill("client", command, rng, {"GROUNDCREW_MODEL_TOKEN": bearer})

    def imports(self, file: Path) -> Callable[[], None]:
        """Return the work of a researcher who imports the same suggestions again and again."""
        rng = self._rng("imports")
        return lambda: self._kill("import", ["manage.py", *_import_of(file)], rng, {})

    def lies(self, bearer: str) -> Callable[[], None]:
        """Return the work of a client that posts everything that no client may post."""
        rng = self._rng("lies")
        rough = RoughTransport(self.record, rng)
        client = httpx.Client(base_url=f"{self.site}/api/v1/", transport=rough, timeout=30)

        def work() -> None:
            for name, said, path, body in _lies(bearer):
                if self._wait(LIES_EVERY):
                    return
                headers = {"Authorization": f"Bearer {said}", "Content-Type": "application/json"}
                try:
                    status = client.post(path, content=body, headers=headers).status_code
                except httpx.TransportError:
                    continue  # its body is longer than what is read, or the network was cut
                self.record.roughly("lied as a model")
                if status not in BUSY and not httpx.codes.is_client_error(status):
                    self.record.found.append(f"a lie of a model ({name}) got the status {status}")

        return work

    def _rng(self, name: str) -> random.Random:
        return random.Random(f"{self.seed}/{name} of models")

    def _wait(self, seconds: float) -> bool:
        return self.record.over.wait(seconds)

    def _kill(self, name: str, command: list[str], rng: random.Random, env: Mapping[str, str]) -> None:
        """Run a command, and kill it unless it ends before."""
        environment = {**os.environ, **self.env, **env}
        with (self.out / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, *command], cwd=ROOT, stdout=log, stderr=log, env=environment
            )
        end = time.monotonic() + rng.uniform(1.0, LIFE)
        while (ended := process.poll()) is None and time.monotonic() < end:
            if self._wait(0.2):
                break
        process.kill()
        process.wait()
        self.record.roughly(f"{name} of a model: {'killed' if ended is None else 'ended'}")
        self._wait(0.5)


def _lies(bearer: str) -> Iterator[tuple[str, str, str, bytes]]:
    """Yield what each lie is, its token, where it goes, and its body."""
    good = {"key": "i1", "answer": {"boxes": ["good"], "missing": False}}
    answers = "models/answers"

    def body(rows: object) -> bytes:
        return orjson.dumps({"answers": rows})

    yield "no JSON", bearer, answers, b'{"answers": ['
    yield "NaN", bearer, answers, b'{"answers": [{"key": "i1", "answer": {"boxes": [NaN], "missing": NaN}}]}'
    yield "infinite", bearer, answers, b'{"answers": [{"key": "i1", "answer": {"boxes": [1e999]}}]}'
    yield "nothing", bearer, answers, body([])
    yield "too many", bearer, answers, body([good] * (MAX_ANSWERS_AT_ONCE + 1))
    yield "twice in one request", bearer, answers, body([good, good])
    yield "no such item", bearer, answers, body([{**good, "key": f"i{10**17}"}])
    yield "no such question", bearer, answers, body([{**good, "key": f"q{10**17}"}])
    yield "no key", bearer, answers, body([{**good, "key": "1; DROP TABLE"}])
    yield "no such word", bearer, answers, body([{**good, "answer": {"boxes": ["fine"], "missing": False}}])
    yield "a million boxes", bearer, answers, body([{**good, "answer": {"boxes": ["good"] * HUGE}}])
    yield "a million rows", bearer, answers, body([good] * HUGE)
    yield "a worker's page", bearer, "assignments", b'{"stage": null}'
    yield "no token of ours", bearer[:-2] + "xx", answers, body([good])


def stored_answers() -> dict[str, str | None]:
    """Return what is stored of the judge by the key of its question. None: no answer came in time."""
    rows = ModelAnswer.objects.filter(model=_judge())
    return {
        str(Key(item=item, question=question)): None if answer is None else as_text(answer)
        for item, question, answer in rows.values_list("item_id", "question_id", "answer")
    }


def half_sets() -> Iterator[str]:
    """Yield what is wrong with sets of suggestions that are said to be complete: all have the same boxes."""
    found = {}
    for one in SuggestionSet.objects.filter(completed_at__isnull=False).order_by("number"):
        rows = one.suggestions.order_by("mention_id").values_list("mention_id", "boxes")
        found[one.number] = as_text([list(row) for row in rows])
    for number, boxes in found.items():
        if boxes != found[1]:
            yield f"suggestions: set {number} is complete, and differs from set 1"
