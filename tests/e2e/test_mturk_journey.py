"""A small data set through Mechanical Turk's emulator, until it is exported and paid.

Workers use frames of another site.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.domain.answers import Stage
from simulation.emulators.mturk.handle import Handle
from simulation.emulators.mturk.run import emulator
from tests.e2e.conftest import NewContext
from tests.e2e.journeying import (
    REWARD,
    SLOW,
    check_exported,
    check_paid,
    do_page,
    go_through,
    launch,
    mouse,
    site_known_before,
)
from tests.e2e.site import Site
from tests.e2e.turking import ICON, InFrame, frame_of, mturk
from tests.e2e.watch import Watch
from workflows.platforms.accounts import MTurkAccount
from workflows.platforms.provider import Environment

WORKERS = ("A1ADA", "A2BOB", "A3CLEO", "A4DAN", "A5EVE")


@pytest.fixture
def turk(settings: Any) -> Iterator[Handle]:
    with emulator(seed=7) as turk:
        settings.MTURK = MTurkAccount(
            endpoint=turk.url,
            environment=Environment.EMULATOR,
            key_id=turk.account.key_id,
            secret=turk.account.secret,
            queue_url=turk.queue_url,
            submit_origins=(turk.url,),
        )
        for name in WORKERS:
            turk.worker(name, approved=1000, rejected=5, country="US")
        yield turk


@pytest.fixture
def site(turk: Handle, settings: Any, transactional_db: None, tmp_path: Path) -> Iterator[Site]:
    env = {"GROUNDCREW_MTURK_QUEUE_URL": turk.queue_url, **mturk(turk)}
    with site_known_before(settings, tmp_path / "logs", **env) as site:
        yield site


def test_all_stages_go_through_frames_of_mturk_to_the_export(
    site: Site,
    turk: Handle,
    new_context: NewContext,
    watch: Watch,
    tmp_path: Path,
    record_property: Any,
) -> None:
    watch.allow(ICON)
    batch = launch(site, "mturk", "USD")
    page = new_context(viewport={"width": 1280, "height": 1000}).new_page()
    page.goto(turk.url)
    expect(page.get_by_label("Worker ID")).to_be_visible()
    pages = go_through(batch, "mturk", WORKERS, lambda worker: _work(page, turk, worker))
    check_paid(batch, pages, "mturk", turk.url)
    books = turk.books()
    assert books["rewards"] == REWARD * pages
    check_exported(batch, tmp_path / "export")
    told = f"{pages} pages through MTurk's frames; {books['rewards']} cents and {books['fees']} of fees agree"
    record_property("figure", told)


def _work(page: Page, turk: Handle, worker: str) -> Stage | None:
    """Take a HIT and do its page. Return its stage, or None if there is nothing for this worker."""
    if not turk.worker(worker).groups():
        return None
    page.goto(f"{turk.url}/worker?workerId={worker}")
    page.get_by_role("button", name="Accept").first.click()
    page.wait_for_url("**/mturk/work?*")
    frame = frame_of(page)
    frame.wait_for_url("**/work/crowd/**")
    found = re.search("/work/crowd/([a-z]+)/.*assignmentId=([A-Z0-9]+)", frame.url)
    assert found
    stage, key = Stage(found[1]), found[2]
    if not do_page(page, frame, mouse(InFrame(page, frame)), stage, key):
        page.get_by_role("button", name="Return").click()
        page.wait_for_url("**/worker?*")
        return None
    frame.get_by_text("Your work was submitted").wait_for(timeout=SLOW)
    return stage
