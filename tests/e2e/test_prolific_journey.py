"""A small data set through Prolific's emulator, until it is exported and paid.

Workers follow its links there and back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.domain.answers import Stage
from simulation.emulators.prolific.server import Emulator
from simulation.emulators.prolific.world import PROJECT, TOKEN
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
from tests.e2e.turking import ICON
from tests.e2e.watch import Watch
from workflows.platforms.accounts import ProlificAccount
from workflows.platforms.provider import Environment

PARTICIPANTS = tuple(f"{number:024x}" for number in range(1, 7))


@pytest.fixture
def prolific(settings: Any) -> Iterator[Emulator]:
    with Emulator() as emulator:
        settings.PROLIFIC = ProlificAccount(
            emulator.url, Environment.EMULATOR, TOKEN, project=PROJECT, site=emulator.url
        )
        yield emulator


@pytest.fixture
def site(prolific: Emulator, settings: Any, transactional_db: None, tmp_path: Path) -> Iterator[Site]:
    env = {
        "GROUNDCREW_PROLIFIC_ENDPOINT": prolific.url,
        "GROUNDCREW_PROLIFIC_TOKEN": TOKEN,
        "GROUNDCREW_PROLIFIC_PROJECT": PROJECT,
        "GROUNDCREW_PROLIFIC_SITE": prolific.url,
    }
    with site_known_before(settings, tmp_path / "logs", **env) as site:
        yield site


@pytest.mark.nightly("test_crowd_frames goes back by the link, the journey by MTurk goes through all stages")
def test_all_stages_go_by_prolific_s_links_to_the_export(
    site: Site,
    prolific: Emulator,
    new_context: NewContext,
    watch: Watch,
    tmp_path: Path,
    record_property: Any,
) -> None:
    watch.allow(ICON)
    batch = launch(site, "prolific", "GBP")
    page = new_context(viewport={"width": 1280, "height": 1000}).new_page()
    pages = go_through(batch, "prolific", PARTICIPANTS, lambda who: _work(page, prolific, who))
    check_paid(batch, pages, "prolific", prolific.url)
    books = prolific.world.books
    rewards, fees = books.paid("reward"), sum(one.fee for one in books.entries)
    assert rewards == REWARD * pages
    assert all(one.code for one in prolific.world.submissions.values() if one.status == "APPROVED")
    check_exported(batch, tmp_path / "export")
    record_property("figure", f"{pages} pages by Prolific's links; {rewards} pence and {fees} of fees agree")


def _work(page: Page, prolific: Emulator, who: str) -> Stage | None:
    """Take a place and do its page. Return its stage, or None if there is nothing for this participant."""
    page.goto(f"{prolific.url}/participants/{who}")
    studies = page.get_by_role("listitem").get_by_role("link")
    if not studies.count():
        return None
    studies.first.click()
    page.wait_for_url("**/work/crowd/**")
    found = re.search("/work/crowd/([a-z]+)/.*SESSION_ID=([0-9a-f]+)", page.url)
    assert found
    stage, key = Stage(found[1]), found[2]
    if not do_page(page, page, mouse(page), stage, key):
        page.goto(f"{prolific.url}/participants/{who}")
        back = page.get_by_role("button", name="Return")
        back.click()
        expect(back).to_have_count(0)
        return None
    page.wait_for_url("**/submissions/complete?cc=*", timeout=SLOW)
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert prolific.world.submission(key).status == "AWAITING REVIEW"
    return stage
