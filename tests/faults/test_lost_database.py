"""A database that is lost in silence, or a web process that hangs with locks, stops nobody for long."""

from __future__ import annotations

import os
import random
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import httpx
import psutil
import pytest
from django.db import connection, transaction

from annotation.models import Assignment, Item, Judgment, Project
from benchmarks.dispatch.annotators import answer
from config.processes.waits import PAGES
from config.serve import Server
from scripts.fault_drill.partition import NoPartitionError, forgotten
from scripts.fault_drill.proxy import Proxy, passing
from tests.factories import make_running, make_worker
from tests.services import services_of_test
from tests.workflows.threads import at_once
from workflows.api.authentication import make_token

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow("waits until connections are given up"),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="a file is not lost in silence"),
]
HEALED_AFTER = 10
REPLY_SECONDS = 60
CAPTIONS = [["man", "dog"], ["man", "dog"], ["man", "dog"]]


@dataclass
class Hand:
    """A worker who sends each request again until it is taken, as the pages do."""

    url: str
    token: str
    rng: random.Random
    slowest: float = 0.0
    accepted: int = 0
    statuses: set[int] = field(default_factory=set)

    def post(self, path: str, body: object, *, tries: int = 30) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"}
        for _ in range(tries):
            begun = time.monotonic()
            reply = httpx.post(f"{self.url}/api/v1/{path}", json=body, headers=headers, timeout=90)
            self.slowest = max(self.slowest, time.monotonic() - begun)
            self.statuses.add(reply.status_code)
            if reply.status_code < 400:
                return reply
            assert reply.status_code == 503, reply.text
            time.sleep(0.5)
        raise AssertionError(f"{path} was refused {tries} times")

    def work(self) -> bool:
        """Claim a page and submit it. Return False if there is none."""
        reply = self.post("assignments", {"stage": None})
        if reply.status_code == 204:
            return False
        self.submit(reply.json())
        return True

    def submit(self, page: dict[str, object]) -> None:
        items: list[dict[str, object]] = page["items"]  # type: ignore[assignment]
        answers = [
            {"item": item["item"], "answer": answer(str(page["stage"]), item["question"], self.rng)}  # type: ignore[arg-type]
            for item in items
        ]
        receipt = self.post(f"assignments/{page['id']}/submission", {"answers": answers}).json()
        self.accepted += receipt["accepted"]


@contextmanager
def reached_through_a_proxy() -> Iterator[tuple[Proxy, str]]:
    """Yield a proxy before the test database, and the database's address there."""
    part = {key: str(connection.settings_dict[key]) for key in ("USER", "PASSWORD", "HOST", "PORT", "NAME")}
    port = int(part["PORT"] or 5432)
    in_folder = part["HOST"].startswith("/")
    proxy = Proxy(f"{part['HOST']}/.s.PGSQL.{port}" if in_folder else port)
    with passing(proxy):
        user = ":".join(quote(part[key], safe="") for key in ("USER", "PASSWORD") if part[key])
        yield proxy, f"postgres://{user}@127.0.0.1:{proxy.port}/{part['NAME']}"


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("iptables") is None,
    reason="NOT RUN: only root can drop packets, with iptables",
)
def test_after_a_silent_loss_that_heals_all_requests_are_replied_to(tmp_path: Path) -> None:
    batch = make_running(CAPTIONS, images=120)
    lost, over = threading.Event(), threading.Event()
    with reached_through_a_proxy() as (proxy, url), ExitStack() as stack:
        site = services_of_test(tmp_path / "logs", DATABASE_URL=url, GRANIAN_WORKERS="2")
        server = stack.enter_context(site)
        hands = [_hand(server, batch.project, number) for number in range(6)]

        def keep_working(hand: Hand) -> int:
            """Return how many answers were accepted since the loss."""
            before = 0
            while not over.is_set():
                if not hand.work():
                    time.sleep(0.2)
                if not lost.is_set():
                    before = hand.accepted
            return hand.accepted - before

        def lose() -> int:
            try:
                time.sleep(3)
                with forgotten(proxy.port):
                    lost.set()
                    time.sleep(HEALED_AFTER)
                time.sleep(REPLY_SECONDS / 2)
            finally:
                over.set()
            return 0

        try:
            since = at_once([*(lambda hand=hand: keep_working(hand) for hand in hands), lose])
        except NoPartitionError as error:
            pytest.skip(f"NOT RUN: packets cannot be dropped here: {error}")
        assert sum(since) > 0, "work goes on"
        assert max(hand.slowest for hand in hands) < REPLY_SECONDS
        assert Judgment.objects.count() == sum(hand.accepted for hand in hands)
        ready = httpx.get(f"{server.url}/readyz").json()
        assert ready["checks"]["threads"]["ok"] and ready["checks"]["database"]["ok"]


def test_a_web_process_that_is_stopped_with_locks_keeps_them_for_so_long_only(tmp_path: Path) -> None:
    batch = make_running(CAPTIONS)
    Item.objects.update(needed=3)
    with ExitStack() as stack:
        # Each has a folder of its own, since two beats cannot share the file of their schedule.
        sites = [
            stack.enter_context(
                services_of_test(tmp_path / name / "logs", GROUNDCREW_VAR=str(tmp_path / name))
            )
            for name in ("stopped", "other")
        ]
        mine, colleague = (_hand(site, batch.project, number) for number, site in enumerate(sites))
        pages = [hand.post("assignments", {"stage": "link"}).json() for hand in (mine, colleague)]
        first, second = (set(one.items) for one in Assignment.objects.all())
        assert first & second, "they judge the same links"
        web = psutil.Process(sites[0].processes["web"].pid).children(recursive=True)
        sending = threading.Thread(target=mine.submit, args=(pages[0],))
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                # The submission has its rows by then, and waits for the table.
                cursor.execute("LOCK TABLE annotation_judgment IN SHARE MODE")
                sending.start()
                _until_somebody_waits_for("annotation_judgment")
                for process in web:
                    process.send_signal(signal.SIGSTOP)
            begun = time.monotonic()
            colleague.submit(pages[1])
            waited = time.monotonic() - begun
        finally:
            for process in web:
                process.send_signal(signal.SIGCONT)
            sending.join()
        assert 503 in colleague.statuses, "the locks were in the way at first"
        assert waited < PAGES.idle + 3 * PAGES.lock
        assert colleague.accepted == len(pages[1]["items"])
        assert mine.accepted == len(pages[0]["items"]), "and the stopped one's are taken when it goes on"
        assert Judgment.objects.count() == mine.accepted + colleague.accepted


def _hand(server: Server, project: Project, number: int) -> Hand:
    worker = make_worker(project, f"hand-{number}")
    return Hand(server.url, make_token(worker), random.Random(number))


def _until_somebody_waits_for(table: str) -> None:
    end = time.monotonic() + PAGES.lock
    with connection.cursor() as cursor:
        while time.monotonic() < end:
            cursor.execute(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = %s::regclass"
                " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
                [table],
            )
            if cursor.fetchone()[0]:
                return
            time.sleep(0.02)
    raise AssertionError(f"the submission does not wait for {table}")
