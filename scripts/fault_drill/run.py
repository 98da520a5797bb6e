"""The drill against one database: work, faults, healing, and the judge. Django is set up before."""

from __future__ import annotations

import errno
import io
import os
import re
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, redirect_stderr
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import Error, connection
from kombu.exceptions import OperationalError

from annotation.domain.answers import Stage
from annotation.domain.page_entries import ITEM, merge_entries
from annotation.models import Assignment, Batch, Image, Item, Judgment, Project
from config import serve
from config.serve import Server, services
from scripts.fault_drill import models
from scripts.fault_drill.crowd import PASSWORD, USER, DrillCrowd, Record
from scripts.fault_drill.disk import Clock, Disk
from scripts.fault_drill.faults import Faults
from scripts.fault_drill.judge import Import, Stored, Verdict, as_text, count_by_text
from scripts.fault_drill.plan import EMBEDDED, PLATFORMS, SERVERS, SMOKE, plan
from scripts.fault_drill.stores import Stores
from simulation.emulators.mturk.handle import Handle as Turk
from simulation.emulators.mturk.world import Account
from simulation.emulators.prolific.handle import Handle as Emulator
from simulation.participants import AtProlific, participant_id
from simulation.platform_demo import Platform
from simulation.scenes.write import write_scenes
from simulation.selectors import load_truth
from simulation.truth import Truth
from simulation.turkers import PROFILE, AtMTurk
from workflows.api.authentication import make_token
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import create_batch, move_batch
from workflows.crowd.models import Publication
from workflows.jobs.job_queue import resume_job
from workflows.jobs.models import Job
from workflows.money.models import LedgerEntry
from workflows.tasks import hint_crowd, post_pay
from workflows.workers.enrolment import enrol_worker

PAUSE = 2.0
"""Seconds between two faults, on average."""
ROUNDS_EVERY = 3.0
"""Rounds with platforms and pay are asked for more often than beat does, so that kills strike them."""
HEAL_SECONDS, LATE_SECONDS, DRAIN_SECONDS = 150, 60, 330
DIRECT, VISITORS, IMPORTS, IMPORT_SCENES = 6, 2, 60, 24
NO_ROOM = os.strerror(errno.ENOSPC)
SCREENING = {"test": False, "completed": 0, "approval": 0}
ERRORS = re.compile(
    r"Internal Server Error|^\w*(?:Error|Exception)\b[:.].*|crash loop.*|CRITICAL.*", re.MULTILINE
)


@dataclass
class FaultDrill:
    """One run. `out` is for the report and the logs."""

    stores: Stores
    disk: Disk
    emulators: Server
    platforms: Sequence[Platform]
    seed: int
    seconds: float
    out: Path
    smoke: bool
    record: Record = field(default_factory=Record)
    verdict: Verdict = field(default_factory=Verdict)
    lines: list[str] = field(default_factory=list)
    _begun: float = field(default_factory=time.monotonic)
    _looked: float = 0.0

    def run(self) -> int:
        """Run it and write the report. Return 1 if anything was found."""
        serve.PAUSES = (0, 1, 2)  # or services that are killed this often would be away most of the time
        self._prepare()
        clock = Clock(self.out / "clock")
        preload = clock.environment()
        faults: Faults
        with ExitStack() as stack:
            env = {**self.stores.theirs, **preload}
            server = stack.enter_context(services(port=self.stores.port, env=env, logs=self.out))
            self._keep(server)
            faults = Faults(
                server,
                (self.stores.servers, self.emulators),
                self.stores.networks,
                self.disk,
                clock if preload else None,
                self._say,
                partial(self._keep, server),
            )
            crowd = DrillCrowd(self.stores.site, self.record, self.seed)
            self._gather(crowd, stack)
            asking = threading.Thread(target=self._ask_for_rounds)
            asking.start()
            try:
                self._strike(server, faults)
                self._heal(server, crowd, faults)
            finally:
                faults.end_due(all_of_them=True)
                self.record.over.set()
                self.record.late.set()
                asking.join()
            self._drain(server)
            self._compare_books()
        self._judge()
        return self._report(faults)

    def _say(self, line: str) -> None:
        line = f"{time.monotonic() - self._begun:7.1f}  {line}"
        self.lines.append(line)
        print(line, flush=True)

    # Before -----------------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        call_command("migrate", verbosity=0)
        User.objects.create_superuser(USER, password=PASSWORD)
        direct: dict[str, Any] = {"reward": {"link": 5, "drawing": 9}, "currency": "EUR"}
        size = 2 if self.smoke else 10 + round(self.seconds / 12)
        self._make_batch("direct", 2 * size, direct)
        for platform in self.platforms:
            given = dict(platform.settings(Stage))
            if platform.name == "prolific":
                # If the answer about a bonus is lost, rounds look for it for an hour: too long to wait for.
                crowd: Any = given["crowd"]
                given["crowd"] = {**crowd, "hourly_wage": 0}
            self._make_batch(platform.name, size, given)
        self._make_batch(models.PROJECT, size, {**direct, "reward": {"boxes": 9, "check": 5}})
        Project.objects.bulk_create(Project(name=f"import-{number}") for number in range(IMPORTS))
        connection.close()

    def _make_batch(self, name: str, scenes: int, given: dict[str, Any]) -> None:
        folder = self._folder_of(name)
        write_scenes(folder, scenes, self.seed)
        call_command(
            *("import_corpus", str(folder), "--project", name, "--format", "flickr30k-entities"),
            *("--as-gold", "--images", str(folder / "images")),
            stdout=io.StringIO(),
        )
        if name == models.PROJECT:
            models.add_models(folder, self.seed)
            given = {**given, **models.settings()}
        settings = parse_settings({"regime": "open", "screening": SCREENING, **given})
        batch = create_batch(project=Project.objects.get(name=name), name="main", settings=settings)
        move_batch(batch=batch, action="launch")

    def _gather(self, crowd: DrillCrowd, stack: ExitStack) -> None:
        truth = {name: load_truth(name) for name in ("direct", models.PROJECT, *PLATFORMS)}
        for name in ("direct", models.PROJECT):
            project = Project.objects.get(name=name)
            for number in range(DIRECT):
                worker = enrol_worker(project=project, external_id=f"{name}-{number}")
                crowd.hire(truth[name], make_token(worker), worker.external_id)
        self._gather_models(crowd, truth[models.PROJECT])
        for platform in self.platforms:
            for number in range(VISITORS):
                name = f"{platform.name}-{number}-{self.seed}"
                if platform.name == "mturk":
                    turk = stack.enter_context(Turk(platform.url, "", Account("", "")))
                    who: Any = AtMTurk(turk.worker("A" + re.sub("[^A-Z0-9]", "", name.upper()), **PROFILE))
                else:
                    emulator = stack.enter_context(Emulator(platform.url))
                    who = AtProlific(emulator.participant(participant_id(name)))
                crowd.invite(truth[platform.name], who, name)
        projects = Project.objects.filter(name__startswith="import-").order_by("-pk")
        crowd.upload(self._archive(), dict(projects.values_list("name", "pk")))
        connection.close()

    def _gather_models(self, crowd: DrillCrowd, truth: Truth) -> None:
        clients = models.ModelClients(self.stores.site, self.record, self.seed, self.stores.theirs, self.out)
        bearer = models.token()
        crowd.let("judge", clients.judge(truth, bearer))
        crowd.let("judge that is killed", clients.killed(bearer))
        crowd.let("judge that lies", clients.lies(bearer))
        crowd.let("imports of suggestions", clients.imports(self._folder_of(models.PROJECT) / models.FILE))

    def _folder_of(self, project: str) -> Path:
        return self.disk.folder / "scenes" / project

    def _archive(self) -> bytes:
        folder = self.disk.folder / "scenes" / "archive"
        write_scenes(folder, IMPORT_SCENES, self.seed + 1)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for path in sorted(folder.rglob("*")):
                archive.write(path, path.relative_to(folder))
        return packed.getvalue()

    # Meanwhile --------------------------------------------------------------------------------------------

    def _keep(self, server: Server) -> None:
        """Start again what has ended, as a supervisor does."""
        if time.monotonic() - self._looked >= 0.5:
            self._looked = time.monotonic()
            with redirect_stderr(io.StringIO()) as said:
                for one in (self.stores.servers, self.emulators, server):
                    one.keep()
            for line in said.getvalue().splitlines():
                if " is started again" in line:
                    self._say(line.partition(". The end of")[0])

    def _ask_for_rounds(self) -> None:
        while not self.record.over.wait(ROUNDS_EVERY):
            for name in PLATFORMS:
                hint_crowd(name)
            try:
                post_pay.apply_async(expires=30)
            except (OperationalError, OSError) as error:  # OSError: the folder of the embedded broker
                self._say(f"pay could not be asked for: {type(error).__name__}")

    def _strike(self, server: Server, faults: Faults) -> None:
        kinds = SMOKE if self.smoke else SERVERS if connection.vendor == "postgresql" else EMBEDDED
        self._say(f"faults begin: seed {self.seed}, {len(kinds)} kinds, {self.seconds:.0f} s")
        begun = time.monotonic()
        for fault in plan(self.seed, self.seconds, kinds, PAUSE):
            while time.monotonic() - begun < fault.at:
                faults.tick()
                time.sleep(0.05)
            faults.begin(fault)

    def _wait(self, server: Server, seen: Callable[[], bool], seconds: float, what: str) -> None:
        end = time.monotonic() + seconds
        while True:
            self._keep(server)
            try:
                if seen():
                    return
            except (Error, httpx.HTTPError):
                connection.close()
            if time.monotonic() > end:
                self.verdict.found.append(f"within {seconds:.0f} s, {what}")
                return
            time.sleep(0.3)

    def _heal(self, server: Server, crowd: DrillCrowd, faults: Faults) -> None:
        """Wait until all is well, and until everybody has the receipt that they wait for."""
        self._say("faults are over")
        faults.end_due(all_of_them=True)
        self._wait(server, lambda: _ready(server.url), HEAL_SECONDS, "/readyz did not become well")
        self._say("all is well again")
        self.record.over.set()
        self._wait(server, lambda: not crowd.alive(), LATE_SECONDS, "somebody still waited for a reply")
        self.record.late.set()

    def _drain(self, server: Server) -> None:
        open_jobs = Job.objects.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING))
        owed = Assignment.objects.filter(owed=True)

        self._resume_imports()

        def over() -> bool:
            post_pay.apply_async(expires=30)
            waiting = Item.objects.unread().exists() or owed.exists() or open_jobs.exists()
            closed = [_closed(platform.name) for platform in self.platforms]  # each of them is paused
            return not waiting and all(closed)

        self._wait(server, over, DRAIN_SECONDS, "not all was read, paid and imported")
        self._say("the queue is drained, and imports are done")

    def _resume_imports(self) -> None:
        """Resume the imports that failed for a full disk, as the researcher who reads their message does."""
        for job in Job.objects.filter(kind=Job.Kind.IMPORT, state=Job.State.FAILED, error__contains=NO_ROOM):
            resume_job(job=job)
            self._say(f"import job {job.pk} is resumed: {job.error}")

    def _compare_books(self) -> None:
        for platform in self.platforms:
            self._command("compare_books", "--project", platform.name, *platform.option)

    def _command(self, *command: str) -> None:
        said = io.StringIO()
        try:
            call_command(*command, stdout=said, stderr=said)
        except (CommandError, Error) as error:
            self.verdict.found.append(f"{' '.join(command[:3])}: {error}\n{said.getvalue()}".rstrip())
        else:
            self._say(f"{' '.join(command[:3])}: {said.getvalue().splitlines()[-1]}")

    # Afterwards -------------------------------------------------------------------------------------------

    def _judge(self) -> None:
        self._command("verify_state")
        self._command("verify_ledger")
        self._command("verify_audit")
        self._command("verify_records")
        self.verdict.found += self.record.found
        self.verdict.of_pages(self.record.receipts, stored_pages())
        self.verdict.of_models(self.record.of_models, models.stored_answers())
        self.verdict.found += models.half_sets()
        if not self.record.of_models:
            self.verdict.found.append("no model got a reply")
        self.verdict.of_imports(imports_of(self.record.uploaded))
        self.verdict.of_replies(self.record.statuses)
        if not self.record.receipts:
            self.verdict.found.append("nobody got a receipt")

    def _report(self, faults: Faults) -> int:
        pages = {receipt.page for receipt in self.record.receipts}
        statuses = ", ".join(f"{status}: {count}" for status, count in sorted(self.record.statuses.items()))
        rough = ", ".join(f"{what}: {count}" for what, count in sorted(self.record.rough.items()))
        kinds = ", ".join(f"{count} {what}" for what, count in faults.struck.most_common())
        self._say(f"{faults.struck.total()} faults of {connection.vendor} ({kinds})")
        self._say(f"the full disk was {self.disk.words}")
        receipts, uploads = len(self.record.receipts), len(self.record.uploaded)
        self._say(f"{len(pages)} pages with {receipts} receipts; {uploads} uploads")
        outcomes = Counter(one.outcome for one in self.record.of_models)
        self._say(f"answers of a model: {', '.join(f'{count} {one}' for one, count in outcomes.items())}")
        self._say(f"replies by status: {statuses}")
        self._say(f"requests: {rough}")
        for name in ("web", "worker", "beat"):
            text = (self.out / f"{name}.log").read_text(encoding="utf-8", errors="replace")
            for line, count in count_by_text(ERRORS.findall(text)).most_common(12):
                self._say(f"{name}.log, {count} times: {line[:140]}")
        for line in self.verdict.found:
            self._say(f"FOUND: {line}")
        self._say(f"{len(self.verdict.found)} findings; report and logs: {self.out}")
        (self.out / "report.txt").write_text("\n".join([*self.lines, ""]), encoding="utf-8")
        return int(bool(self.verdict.found))


def _ready(url: str) -> bool:
    return httpx.get(f"{url}/readyz", timeout=5).status_code == httpx.codes.OK


def _closed(platform: str) -> bool:
    """Pause the batch, so that its books can be closed. Return False if a publication is still on its way."""
    batch = Batch.objects.get(project__name=platform)
    planned = Publication.objects.filter(batch=batch, state=Publication.State.PLANNED)
    if planned.exists():  # only a running batch publishes it, in a round that may take its time
        if batch.state == Batch.State.PAUSED:
            move_batch(batch=batch, action="resume")
            hint_crowd(platform)
        return False
    if batch.state == Batch.State.RUNNING:
        move_batch(batch=batch, action="pause")
    return not planned.exists()


def stored_pages() -> dict[str, Stored]:
    """Return the submitted pages as they are in the database, with the answers by place."""
    earned = Counter(
        LedgerEntry.objects.filter(kind=LedgerEntry.Kind.EARN).values_list("assignment_id", flat=True)
    )
    judgments: dict[Any, list[Judgment]] = {}
    for judgment in Judgment.objects.order_by("pk").iterator():
        judgments.setdefault(judgment.assignment_id, []).append(judgment)
    pages = {}
    for page in Assignment.objects.filter(receipt__isnull=False).select_related("worker"):
        places = {entry: place for place, entry in enumerate(merge_entries(page.items, page.checks))}
        answers: dict[int, list[str]] = {}
        for judgment in judgments.get(page.pk, []):
            answers.setdefault(places[ITEM, judgment.item_id or 0], []).append(as_text(judgment.answer))
        for late in page.late or []:
            answers.setdefault(places[ITEM, late[ITEM]], []).append(as_text(late["answer"]))
        for held in page.held or []:
            answers.setdefault(held["item"] - 1, []).append(as_text(held["answer"]))
        direct = page.worker.provider not in PLATFORMS and page.reward
        pages[str(page.pk)] = Stored(answers, earned[page.pk] if direct else None)
    return pages


def imports_of(names: set[str]) -> list[Import]:
    """Return what became of the uploads into these projects."""
    unfinished = Counter(Job.objects.exclude(state=Job.State.DONE).values_list("project__name", flat=True))
    images = Counter(Image.objects.filter(project__name__in=names).values_list("project__name", flat=True))
    return [Import(name, IMPORT_SCENES, images[name], unfinished[name]) for name in sorted(names)]
