"""The web server is killed at the worst moments and comes back on its port: no answer is lost or doubled."""

from __future__ import annotations

import os
import signal
import time

import httpx
import pytest
from django.db import transaction
from playwright.sync_api import Page

from annotation.models import Judgment, Worker
from tests.e2e.keeping import (
    NO,
    SUBMISSION,
    UNREACHED,
    YES,
    LostReplies,
    answer_all,
    at_overview,
    delivered,
    press,
    ready_for_no_network,
    requests_to,
    saved,
    sending,
    start,
)
from tests.e2e.site import Site, wait_for
from tests.e2e.watch import Watch
from tests.e2e.working import question

START_SECONDS = 30
MAX_WAIT_MS = 70_000
"""It is longer than the time between two tries, which grows with the time that the server was away."""


@pytest.fixture(autouse=True)
def expected(watch: Watch) -> None:
    watch.allow(UNREACHED)


def test_the_server_is_killed_in_the_middle_of_a_page(site: Site, page: Page) -> None:
    start(page, site, items=4)
    ready_for_no_network(page)
    press(page, 1, 4, "y")
    question(page, 2, 4)
    kill_web(site)
    press(page, 2, 4, "n")
    saved(page)
    page.close()
    start_web(site)
    page = page.context.new_page()
    page.goto(site.worker_link("link"))
    press(page, 3, 4, "y")
    question(page, 4, 4)
    kill_web(site)
    page.keyboard.press("n")
    at_overview(page)
    page.keyboard.press("Enter")
    sending(page)
    start_web(site)
    delivered(page, site, [YES, NO, YES, NO], patience_ms=MAX_WAIT_MS)


@pytest.mark.both_databases
def test_the_server_is_killed_while_it_takes_a_submission(site: Site, page: Page) -> None:
    """It first waits for a lock before the commit, and is killed there.

    At the next try it is killed after the commit.
    """
    start(page, site, items=2)
    answer_all(page, "yn")
    sent = requests_to(page.context, "/submission")
    with transaction.atomic():
        list(Worker.objects.select_for_update().filter(pk=site.worker().pk))
        with page.expect_request(SUBMISSION):
            page.keyboard.press("Enter")
        page.wait_for_timeout(300)
        kill_web(site)
    said_nothing = Judgment.objects.filter(worker=site.worker())
    assert not said_nothing.exists()
    lost = LostReplies(then=lambda: kill_web(site))
    page.route(SUBMISSION, lost)
    start_web(site)
    wait_for(page, lambda: site.server.processes["web"].poll() is not None)
    start_web(site)
    delivered(page, site, [YES, NO], patience_ms=MAX_WAIT_MS)
    assert lost.replies[0].status == 201 and len(sent) >= 3


def kill_web(site: Site) -> None:
    """Kill the web server and all its processes by SIGKILL, whatever they are doing."""
    web = site.server.processes["web"]
    os.killpg(web.pid, signal.SIGKILL)
    web.wait()


def start_web(site: Site) -> None:
    """Start the killed web server again with the same command, and so on the same port.

    Wait until it is well.
    """
    site.server.processes["web"] = site.server.start("web")
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            if httpx.get(f"{site.url}/healthz").status_code == 200:
                return
        except httpx.TransportError:
            assert time.monotonic() < end, f"the web server is not back within {START_SECONDS} seconds"
        site.server.check()
        time.sleep(0.05)
