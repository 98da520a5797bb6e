"""Cut the power at many points of a day's work, and look at what would be on the disk (work.py).

    python -m tests.faults.power_cuts.judge START TRACE END CUTS SEED REPLAYED

START is the folder before the day and END the one after it. GROUNDCREW_VAR is made anew for each cut, so that
everything is read by the product's own code and settings. Of REPLAYED cuts, one is also examined by
`verify_state` and `verify_ledger`, which take longer (0: none is). The result is JSON: what was lost, and
figures.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import shutil
import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import django
from django.conf import settings

from tests.faults.power_cuts.disk import Disk
from tests.faults.power_cuts.trace import Record, read_trace
from tests.faults.power_cuts.work import BIRDS, FLOWERS, captions, digests, pictures

DATABASE, OUT = "var/groundcrew.sqlite3", "out"
APPEND_ONLY = {
    "annotation_judgment": "item_id, question_id, worker_id, assignment_id, answer, created_at",
    "workflows_ledgerentry": "*",
    "workflows_ledgerline": "*",
    "workflows_auditentry": "*",
    "workflows_snapshot": "*",
    "annotation_caption": "*",
}
"""Tables whose rows never change, and the columns for which this holds."""
MEMORY = {"-shm": "SQLite makes this index of its log anew", ".lock": "it is always empty"}

Rows = Mapping[int, tuple[Any, ...]]
Acknowledged = Mapping[str, Sequence[Mapping[str, Any]]]


def cut_points(records: Sequence[Record], cuts: int, rng: random.Random) -> list[int]:
    """Return after how many records the power goes, in order.

    Half of the cuts come right after something was acknowledged. The others come anywhere on the way to it,
    from what was acknowledged before. Each kind of acknowledgement gets the same number.
    """
    ways: dict[str, list[tuple[int, int]]] = defaultdict(list)
    before = 1
    for place, record in enumerate(records, 1):
        if record.kind == "A":
            ways[json.loads(record.data)["kind"]].append((before, place))
            before = place
    kinds = sorted(ways)
    chosen = [rng.choice(ways[kinds[number // 2 % len(kinds)]]) for number in range(cuts)]
    return sorted(
        end if number % 2 else rng.randint(start, end) for number, (start, end) in enumerate(chosen)
    )


def judge(start: Path, trace: Path, end: Path, *, cuts: int, seed: int, replayed: int) -> dict[str, Any]:
    """Return what was lost, by kind, and figures."""
    done = 0
    rng = random.Random(seed)
    records = list(read_trace(trace, end))
    points = Counter(cut_points(records, cuts, rng))
    at_the_end = _EndOfDay(end, records)
    disk = Disk(start)
    acknowledged: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    lost: dict[str, list[str]] = defaultdict(list)
    folder = settings.VAR.parent
    for place, record in enumerate(records, 1):
        if record.kind == "A":
            said = json.loads(record.data)
            acknowledged[said["kind"]].append(said)
        else:
            disk.apply(record)
        for number in range(points[place]):
            _write(folder, disk.cut(rng))
            done += 1
            losses = list(_losses(folder, acknowledged, at_the_end))
            if replayed and done % replayed == 0 and not losses:
                losses += _commands()
            for kind, what in losses:
                lost[kind].append(f"cut {number} after record {place}: {what}")
    return {
        "lost": lost,
        "replayed": done // replayed if replayed else 0,
        "records": len(records),
        "syncs": sum(record.kind == "f" for record in records),
        "acknowledged": {kind: len(said) for kind, said in acknowledged.items()},
        "differs": _differences(disk.seen(), end),
    }


def _differences(seen: Mapping[str, bytes | None], end: Path) -> list[str]:
    """Return the paths at which the records do not lead to what is there."""
    real = {
        str(path.relative_to(end)): None if path.is_dir() else path.read_bytes() for path in end.rglob("*")
    }
    paths = {path for path in {*seen, *real} if not path.endswith(tuple(MEMORY))}
    missing = object()
    return sorted(path for path in paths if seen.get(path, missing) != real.get(path, missing))


def _write(folder: Path, state: Mapping[str, bytes | None]) -> None:
    """Make the folder what is on the disk after a cut."""
    from django.db import connection

    connection.close()
    shutil.rmtree(folder)
    folder.mkdir()
    for path, content in state.items():
        if content is None:
            (folder / path).mkdir()
        elif not path.endswith(tuple(MEMORY)):
            (folder / path).write_bytes(content)


class _EndOfDay:
    """What is there when the day is over and nothing was lost."""

    def __init__(self, folder: Path, records: Sequence[Record]) -> None:
        with closing(sqlite3.connect(folder / DATABASE)) as database:
            self.rows = {table: _rows(database, table) for table in APPEND_ONLY}
        self.key = (folder / "var/secret_key").read_bytes()
        said = [json.loads(record.data) for record in records if record.kind == "A"]
        self.exported = [one["digests"] for one in said if one["kind"] == "folder"]


def _rows(database: sqlite3.Connection, table: str) -> Rows:
    query = f"SELECT id, {APPEND_ONLY[table]} FROM {table}"  # noqa: S608  (our own tables)
    return {row[0]: row for row in database.execute(query)}


def _losses(folder: Path, acknowledged: Acknowledged, end: _EndOfDay) -> Iterator[tuple[str, str]]:
    """Yield the kind of each loss and what was lost."""
    try:
        with closing(sqlite3.connect(folder / DATABASE)) as database:
            database.execute("PRAGMA synchronous=OFF")  # nothing of this has to last
            found = [row[0] for row in database.execute("PRAGMA integrity_check")]
            found += [f"foreign key {row}" for row in database.execute("PRAGMA foreign_key_check")]
            rows = {table: _rows(database, table) for table in APPEND_ONLY}
    except sqlite3.DatabaseError as error:
        yield "database", str(error)
        return
    if found != ["ok"]:
        yield "database", str(found[:3])
        return
    for table, those in rows.items():
        if wrong := [key for key, row in those.items() if end.rows[table].get(key) != row]:
            yield "database", f"{table}: {wrong[:3]} never were like this"
    yield from _key(folder, acknowledged, end)
    yield from _pages(acknowledged)
    yield from _money(acknowledged)
    yield from _imports(acknowledged)
    yield from _uploads(folder, acknowledged)
    yield from _versions(acknowledged)
    yield from _folder(folder / OUT, acknowledged, end)


def _key(folder: Path, acknowledged: Acknowledged, end: _EndOfDay) -> Iterator[tuple[str, str]]:
    """What was signed with the key (sessions, workers' tokens) is worth nothing without it."""
    path = folder / "var/secret_key"
    if path.exists() and path.read_bytes() != end.key:
        yield "key", "it is another one, or not complete"
    elif acknowledged.get("start") and not path.exists():
        yield "key", "there is none"


def _pages(acknowledged: Acknowledged) -> Iterator[tuple[str, str]]:
    from django.db.models import Count

    from annotation.models import Assignment

    found = Assignment.objects.filter(state="submitted").annotate(count=Count("judgments"))
    counts = dict(found.values_list("pk", "count"))
    there = {str(page): count for page, count in counts.items()}
    for said in acknowledged.get("page", ()):
        if there.get(said["page"]) != said["accepted"]:
            yield "page", f"{said['page']}: {there.get(said['page'])} of {said['accepted']} judgments"


def _money(acknowledged: Acknowledged) -> Iterator[tuple[str, str]]:
    from workflows.money.models import LedgerEntry

    kinds = Counter(LedgerEntry.objects.values_list("kind", flat=True))
    tokens = set(LedgerEntry.objects.values_list("token", flat=True))
    earned = max((said["entries"] for said in acknowledged.get("earned", ())), default=0)
    bonuses = {f"earn:part:{said['page']}" for said in acknowledged.get("bonus", ())}
    paid = sum(said["entries"] for said in acknowledged.get("paid", ()))
    if kinds["earn"] < earned + len(bonuses) or not bonuses <= tokens:
        yield "money", f"{kinds['earn']} of {earned} + {len(bonuses)} earnings"
    if kinds["payroll"] < paid:
        yield "money", f"{kinds['payroll']} of {paid} payments"


def _imports(acknowledged: Acknowledged) -> Iterator[tuple[str, str]]:
    """Imported rows are there, and whatever row names a picture has it."""
    from django.core.files.storage import default_storage

    from annotation.models import Image, Project

    names = set(Project.objects.values_list("name", flat=True))
    for said in acknowledged.get("project", ()):
        if said["name"] not in names:
            yield "import", f"project {said['name']}"
    for project in (FLOWERS, BIRDS):
        given = pictures(project)
        images = {image.name: image for image in Image.objects.filter(project__name=project)}
        for image in images.values():
            try:
                content = default_storage.open(str(image.file)).read()
            except OSError as error:
                yield "picture", f"{image.file.name}: {error}"
                continue
            if content != given[image.name]:
                yield "picture", f"{image.file.name}: another content"
        if any(said["project"] == project for said in acknowledged.get("import", ())):
            complete = [image for image in images.values() if image.file and image.captions.count() == 2]
            if len(complete) != len(captions(project)):
                yield "import", f"{len(complete)} images of {project}"


def _uploads(folder: Path, acknowledged: Acknowledged) -> Iterator[tuple[str, str]]:
    """An upload stays until it is imported, and what was unpacked of it is complete or absent."""
    from workflows.jobs.models import Job
    from workflows.jobs.upload_storage import stored_files

    jobs = list(Job.objects.filter(kind=Job.Kind.IMPORT))
    if len(jobs) < len(acknowledged.get("upload", ())):
        yield "upload", "no job"
    for job in jobs:
        upload = job.options["upload"]
        if job.state != Job.State.DONE:
            try:
                (stored,) = stored_files(upload)["corpus"]
                content = stored.open().read()
            except Exception as error:  # noqa: BLE001  (whatever it is, the upload cannot be imported)
                yield "upload", f"{upload}: {error!r}"
                continue
            said = acknowledged.get("upload")
            if said and hashlib.sha256(content).hexdigest() != said[0]["sha256"]:
                yield "upload", f"{upload}: another content"
            unpacked = folder / "var/fetched" / upload
            if unpacked.is_dir() and (missing := _missing(unpacked / "corpus/set")):
                yield "unpacked", f"{upload}: {missing[:3]}"


def _missing(corpus: Path) -> list[str]:
    files: dict[str, bytes] = {
        f"Sentences/{stem}.txt": text.encode() for stem, text in captions(FLOWERS).items()
    }
    files |= {f"images/{name}": content for name, content in pictures(FLOWERS).items()}
    return [
        path
        for path, content in files.items()
        if not (corpus / path).is_file() or (corpus / path).read_bytes() != content
    ]


def _versions(acknowledged: Acknowledged) -> Iterator[tuple[str, str]]:
    from django.core.files.storage import default_storage

    from workflows.jobs.models import Snapshot

    versions = list(Snapshot.objects.all())
    known = {version.job_id for version in versions}
    for said in acknowledged.get("version", ()):
        if said["job"] not in known:
            yield "version", f"version {said['version']}"
    for version in versions:
        try:
            content = default_storage.open(str(version.file)).read()
            compared = default_storage.open(version.digests["file"]).read()
        except OSError as error:
            yield "version", f"{version}: {error}"
            continue
        if hashlib.sha256(content).hexdigest() != version.sha256 or len(compared) != version.digests["bytes"]:
            yield "version", f"{version}: another content"


def _folder(out: Path, acknowledged: Acknowledged, end: _EndOfDay) -> Iterator[tuple[str, str]]:
    """A folder of an export is complete or absent.

    Between the two renames that replace it, the earlier one is in a hidden folder beside it.
    """
    named = out / "flowers"
    places = [named, *out.glob(".flowers.*.old/flowers")]
    complete = [place for place in places if place.is_dir() and digests(place) in end.exported]
    if named.is_dir() and named not in complete:
        yield "folder", "not complete"
    if acknowledged.get("folder") and not complete:
        yield "folder", "neither the old one nor the new one"


def _commands() -> Iterator[tuple[str, str]]:
    from django.core.management import CommandError, call_command

    for command in ("verify_state", "verify_ledger"):
        said = io.StringIO()
        try:
            call_command(command, stdout=said, stderr=said)
        except CommandError as error:
            yield command, f"{error}: {said.getvalue()[:300]}"


if __name__ == "__main__":
    *folders, cuts_, seed_, replayed_ = sys.argv[1:]
    django.setup()
    found = judge(*map(Path, folders), cuts=int(cuts_), seed=int(seed_), replayed=int(replayed_))
    json.dump(found, sys.stdout)
