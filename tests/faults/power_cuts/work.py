"""Real work on the embedded default, in a process of its own that the shim watches (shim.c).

    python -m tests.faults.power_cuts.work prepare OUT
    python -m tests.faults.power_cuts.work day OUT PAGES [full|files|folders]

`prepare` makes the database. `day` imports, lets several threads annotate PAGES pages, pays and exports, and
acknowledges each result when whoever asked for it would know it. The last argument switches off one of the
safeguards: synchronous=FULL, the sync of stored files, or the sync of their folders.
"""

from __future__ import annotations

import ctypes
import hashlib
import io
import json
import random
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import django
from django.conf import settings
from PIL import Image as Pillow

THREADS, PEOPLE, IMAGES = 4, 10, 10
WAIT_SECONDS = 60
SIZE = (640, 480)  # of every picture; the answers of tests.factories fit into it
OBJECTS = (("people", "A man"), ("animals", "a dog"), ("scene", "a park"))
RESEARCHER = "mona"
FLOWERS, BIRDS = "flowers", "birds"


def captions(project: str) -> dict[str, str]:
    """Return the captions of each image, by the image's stem, in the form of Flickr30k Entities."""
    lines = [" and ".join(f"[/EN#{n}/{kind} {text}]" for n, (kind, text) in enumerate(OBJECTS, 1))] * 2
    return {f"{project}-{number}": " .\n".join([*lines, ""]) for number in range(IMAGES)}


@cache
def picture(name: str) -> bytes:
    """Return a JPEG of several sectors, another one for each name."""
    small, buffer = (40, 30), io.BytesIO()
    noise = random.Random(name).randbytes(small[0] * small[1] * 3)
    Pillow.frombytes("RGB", small, noise).resize(SIZE, Pillow.Resampling.NEAREST).save(buffer, "JPEG")
    return buffer.getvalue()


def pictures(project: str) -> dict[str, bytes]:
    return {f"{stem}.jpg": picture(stem) for stem in captions(project)}


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of each file in the folder by its path there."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def acknowledge(kind: str, **what: Any) -> None:
    """Write down that somebody knows this now."""
    said = json.dumps({"kind": kind, **what}).encode()
    ctypes.CDLL(None).power_cut_acknowledge(said, ctypes.c_size_t(len(said)))


def prepare() -> None:
    from django.contrib.auth.models import Group, User
    from django.core.management import call_command
    from django.db import connections

    call_command("migrate", verbosity=0)
    (Path(settings.VAR) / "fetched").mkdir()  # as after earlier imports
    user = User.objects.create(username=RESEARCHER, is_staff=True)
    user.groups.add(Group.objects.get(name="manager"))
    connections.close_all()


def day(out: Path, pages: int) -> None:
    """Do a day's work. `out` is the folder for exports."""
    from django.db import connections

    acknowledge("start")
    _upload_and_import()
    _import_by_command()
    batch = _launch()
    _annotate_and_pay(batch, pages)
    _pay_more(batch)
    _export(batch, out)
    connections.close_all()


def _client() -> Any:
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client()
    client.force_login(User.objects.get(username=RESEARCHER))
    return client


def _post(address: str, data: dict[str, Any], *arguments: object) -> None:
    from django.urls import reverse

    reply = _client().post(reverse(address, args=arguments), data)
    assert reply.status_code == 302, reply.content[:1000]


def _upload_and_import() -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from annotation.models import Project
    from tests.workflows.jobs.jobs_made import zipped
    from workflows.jobs.models import Job

    _post("jobs:new-project", {"name": FLOWERS})
    acknowledge("project", name=FLOWERS)
    files: dict[str, str | bytes] = {
        f"set/Sentences/{stem}.txt": text for stem, text in captions(FLOWERS).items()
    }
    archive = zipped(files | {f"set/images/{name}": data for name, data in pictures(FLOWERS).items()})
    project = Project.objects.get(name=FLOWERS)
    corpus = SimpleUploadedFile("set.zip", archive)
    _post("jobs:import", {"action": "import", "corpus": corpus}, project.pk)
    acknowledge("upload", sha256=hashlib.sha256(archive).hexdigest())
    _run(Job.objects.get().pk)
    acknowledge("import", project=FLOWERS)


def _run(job_id: int) -> None:
    from django.utils import timezone

    from workflows.jobs.run_job import run_job

    state = run_job(job_id=job_id, clock=timezone.now)
    assert state == "done", state


def _import_by_command() -> None:
    """Import a folder that is on the disk since long ago."""
    from tempfile import TemporaryDirectory

    from django.core.management import call_command

    with TemporaryDirectory() as folder:
        for part in ("Sentences", "images"):
            (Path(folder) / part).mkdir()
        for stem, text in captions(BIRDS).items():
            (Path(folder) / "Sentences" / f"{stem}.txt").write_text(text)
        for name, data in pictures(BIRDS).items():
            (Path(folder) / "images" / name).write_bytes(data)
        call_command(
            "import_corpus",
            folder,
            project=BIRDS,
            format="flickr30k-entities",
            images=Path(folder) / "images",
            verbosity=0,
            stdout=io.StringIO(),
        )
    acknowledge("import", project=BIRDS)


def _launch() -> Any:
    from django.utils import timezone

    from annotation.models import Project
    from workflows.batch_settings.domain.settings import parse_settings
    from workflows.batches.lifecycle import create_batch, move_batch
    from workflows.pipeline.advance import open_queued

    asked = parse_settings(
        {"regime": "open", "reward": {"link": 20, "drawing": 30}, "items_a_page": {"link": 2, "drawing": 1}}
    )
    project = Project.objects.get(name=FLOWERS)
    with patch("workflows.batches.launch_checks.crowd_obstacles", return_value=[]):
        batch = move_batch(batch=create_batch(project=project, name="main", settings=asked), action="launch")
    open_queued(batch_id=batch.pk, now=timezone.now())
    return batch


def _annotate_and_pay(batch: Any, pages: int) -> None:
    """Let workers answer at the same time, while what they answer is read and paid."""
    from django.utils import timezone

    from workflows.crowd.direct.page_earnings import post_earnings
    from workflows.pipeline.advance import advance_pending

    room = threading.Semaphore(pages)
    earned = 0
    with ThreadPoolExecutor(THREADS) as pool:
        crowd = [pool.submit(_answer, batch.project, number, room) for number in range(THREADS)]
        while not all(worker.done() for worker in crowd):
            advance_pending(now=timezone.now())
            if posted := post_earnings(clock=timezone.now).pages:
                earned += posted
                acknowledge("earned", entries=earned)
            time.sleep(0.05)
        for worker in crowd:
            worker.result()


def _answer(project: Any, number: int, room: threading.Semaphore) -> None:
    from django.db import connection

    from tests.factories import make_worker, unsteady
    from tests.workflows.http import Api

    rng = random.Random(number)
    answering = unsteady(rng)
    people = [Api(make_worker(project, f"worker-{number}-{one}")) for one in range(PEOPLE)]
    try:
        end = time.monotonic() + WAIT_SECONDS
        while room.acquire(blocking=False):
            one = rng.choice(people)
            claimed = one.claim()
            if claimed.status_code == 204:  # what is left waits for others or has to be read first
                room.release()
                time.sleep(0.02)
                assert time.monotonic() < end, "there is no more work"
                continue
            assert claimed.status_code in (200, 201), claimed.content
            page = claimed.json()
            answers = [
                {"item": entry["item"], "answer": answering(page["stage"], entry["question"])}
                for entry in page["items"]
            ]
            reply = one.post(f"assignments/{page['id']}/submission", {"answers": answers})
            assert reply.status_code == 201, reply.content
            acknowledge("page", page=page["id"], accepted=reply.json()["accepted"])
            end = time.monotonic() + WAIT_SECONDS
    finally:
        connection.close()


def _pay_more(batch: Any) -> None:
    from django.utils import timezone

    from annotation.models import Assignment
    from workflows.crowd.direct.extra_pay import pay_more
    from workflows.money.domain.payroll import parse_period
    from workflows.money.payroll import mark_paid

    for page in Assignment.objects.filter(batch=batch, state="submitted").order_by("pk")[:5]:
        assert pay_more(page=page, amount=50, reason="thanks", by=RESEARCHER, now=timezone.now())
        acknowledge("bonus", page=str(page.pk))
    today = timezone.now().date().isoformat()
    marked = mark_paid(
        project=batch.project,
        period=parse_period(today, today),
        by=RESEARCHER,
        now=timezone.now() + timedelta(days=1),
    )
    acknowledge("paid", entries=marked)


def _export(batch: Any, out: Path) -> None:
    from django.core.management import call_command

    from workflows.jobs.models import Job

    form = {"format": "jsonl", "source": "crowd", "include_unfinished": "on"}
    form |= {"merge_iou": "0.8", "merge_iou_other": "0.9"}
    for version in (1, 2):
        _post("jobs:exports", form, batch.project_id)
        job = Job.objects.filter(kind=Job.Kind.EXPORT).latest("pk").pk
        _run(job)
        acknowledge("version", job=job, version=version)
    for merge in (True, False):
        call_command(
            "export_dataset",
            str(out / "flowers"),
            project=FLOWERS,
            format="flickr30k-entities",
            source="crowd",
            include_unfinished=True,
            merge=merge,
            overwrite=True,
            stdout=io.StringIO(),
        )
        acknowledge("folder", digests=digests(out / "flowers"))


def without(safeguard: str) -> None:
    """Switch off one of the safeguards."""
    if safeguard == "full":
        options = settings.DATABASES["default"]["OPTIONS"]
        options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=NORMAL")
        return
    from annotation import file_sync

    spared: Callable[[Path], bool] = Path.is_dir if safeguard == "folders" else Path.is_file
    real = file_sync.sync

    def sync(path: Path) -> None:
        if not spared(path):
            real(path)

    file_sync.sync = sync


if __name__ == "__main__":
    what, where, *more = sys.argv[1:]
    for each in more[1:]:
        without(each)
    django.setup()
    if what == "prepare":
        prepare()
    else:
        day(Path(where), int(more[0]))
