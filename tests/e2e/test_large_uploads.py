"""An archive that is too large for one request: the line fails, the page is loaded again, and it goes on."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from annotation.models import Image, Project
from tests.e2e.axe import check_accessible
from tests.e2e.conftest import StartSite
from tests.e2e.researcher import log_in
from tests.e2e.watch import Watch
from tests.workflows.jobs.jobs_made import ENTITIES

PATIENCE = 60_000
PIECE_BYTES = 1_000_000
PIECES = 3
"""Of the archive: two whole ones, and a smaller one."""


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "set.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for name, content in ENTITIES.items():
            packed.writestr(name, content)
        packed.writestr("set/README.txt", random.Random(0).randbytes(int(2.1 * PIECE_BYTES)))
    return path


@contextmanager
def line(page: Page, answers: dict[int, list[str]]) -> Iterator[list[int]]:
    """Yield the numbers of the pieces that reach the server.

    `answers` says what becomes of the tries before: "lost", "reply lost", or "proxy" for an error of a proxy.
    """
    arrived: list[int] = []

    def handle(route: Route) -> None:
        number = int(route.request.url.rpartition("piece=")[2])
        left = answers.get(number, [])
        happens = left.pop(0) if left else ""
        if happens == "lost":
            route.abort("connectionreset")
        elif happens == "proxy":
            route.fulfill(status=502, body="<h1>Bad gateway</h1>", content_type="text/html")
        elif happens == "reply lost":
            route.fetch()
            arrived.append(number)
            route.abort("connectionreset")
        else:
            arrived.append(number)
            route.continue_()

    page.route("**/uploads/*/?file=*", handle)
    try:
        yield arrived
    finally:
        page.unroute("**/uploads/*/?file=*")


def test_a_large_archive_goes_on_after_failures_and_a_reload(
    shared_site: StartSite, page: Page, archive: Path, watch: Watch
) -> None:
    watch.allow("ERR_CONNECTION_RESET", "502", "ERR_FAILED")
    site = shared_site(GROUNDCREW_SWEEP_SECONDS="1", GROUNDCREW_PIECE_BYTES=str(PIECE_BYTES))
    project = Project.objects.create(name="large")
    address = f"{site.url}/admin/projects/{project.pk}/import/"
    log_in(page, address)
    field = page.get_by_label("Upload", exact=True)
    button = page.get_by_role("button", name="Import now")
    status = page.locator("[data-sending-said]")

    with line(page, {0: ["proxy"], 1: ["lost"] * 9}) as arrived:
        field.set_input_files(archive)
        button.click()
        expect(status).to_contain_text(
            "The connection was lost. What has arrived stays. Trying", timeout=PATIENCE
        )
        expect(page.get_by_text("1.0 MB of 2.1 MB")).to_be_visible()
        expect(button).to_be_disabled()
        check_accessible(page)
        page.get_by_role("button", name="Try now").click()
        expect(status).to_contain_text("Trying again")
        page.goto(address)  # still without a line: otherwise the next try would arrive
    assert arrived == [0]

    with line(page, {1: ["reply lost"]}) as arrived:
        field.set_input_files(archive)
        button.click()
        expect(page.get_by_role("heading", name="What happened")).to_be_visible(timeout=PATIENCE)
    assert arrived == [1, 1, 2]
    assert set(Image.objects.filter(project=project).values_list("name", flat=True)) == {"a.jpg", "b.jpg"}


def test_a_researcher_stops_and_a_refusal_says_why(
    shared_site: StartSite, page: Page, archive: Path, watch: Watch
) -> None:
    watch.allow("422", "ERR_CONNECTION_RESET")
    site = shared_site(GROUNDCREW_SWEEP_SECONDS="1", GROUNDCREW_PIECE_BYTES=str(PIECE_BYTES))
    project = Project.objects.create(name="stopped")
    log_in(page, f"{site.url}/admin/projects/{project.pk}/import/")
    button = page.get_by_role("button", name="Import now")
    wrong = page.locator("[data-sending-wrong]")

    with line(page, {1: ["lost"] * 9}) as arrived:
        page.get_by_label("Upload", exact=True).set_input_files(archive)
        button.click()
        expect(page.locator("[data-sending-said]")).to_contain_text("Trying again in", timeout=PATIENCE)
        page.get_by_role("button", name="Stop").click()
        expect(wrong).to_contain_text("What has arrived stays for a day")
        expect(button).to_be_enabled()
        check_accessible(page)
        page.get_by_role("button", name="Take all files out").click()
    assert arrived == [0]

    packed = archive.rename(archive.with_suffix(".jpg"))
    page.get_by_label("Upload", exact=True).set_input_files(
        {"name": "a.csv", "mimeType": "text/csv", "buffer": b"x"}
    )
    page.get_by_label("Pictures").set_input_files(packed)
    button.click()
    expect(wrong).to_contain_text("set.jpg: is neither a photograph")
    expect(button).to_be_enabled()
