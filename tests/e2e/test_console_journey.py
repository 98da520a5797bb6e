"""A researcher's whole way in the browser, from an empty database to a downloaded data set.

Only the crowd works without a browser, with the links that the console has made for it.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import FilePayload, Page, expect

from annotation.domain.geometry import Box
from annotation.formats.registry import READERS
from annotation.models import Batch, Decision, Project
from simulation.characters import Character
from simulation.crowd import Crowd
from simulation.selectors import load_truth, progress
from simulation.truth import Truth
from tests.e2e.axe import check_accessible
from tests.e2e.conftest import StartSite
from tests.e2e.researcher import log_in
from tests.e2e.scenes import picture
from tests.shared import ROOT

IMAGES = 2
"""Images in the batch: enough to show everything, and few enough to be annotated within seconds."""
WORKERS = 6
PATIENCE = 60_000
"""Milliseconds for a job, since a worker process has to start it first."""


def _published() -> Path | None:
    """Return the folder of the real sample, if it is there."""
    shared = Path(os.environ.get("GROUNDCREW_SHARED") or ROOT.parent / "shared")
    sample = shared / "data" / "entities_sample"
    return sample if sample.is_dir() else None


def _archive() -> bytes:
    """Return an archive of the real sample, as somebody would pack it, or of drawn pictures without it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        if sample := _published():
            for path in sorted(path for path in sample.rglob("*") if path.is_file()):
                archive.write(path, path.relative_to(sample.parent))
        else:
            for name in ("1", "2", "3"):
                said = "[/EN#1/people A man] sits with [/EN#2/animals a dog] .\n"
                archive.writestr(f"drawn/Sentences/{name}.txt", said * 3)
                archive.writestr(f"drawn/images/{name}.jpg", picture())
    return buffer.getvalue()


def _with_boxes(truth: Truth) -> Truth:
    """Give the first chain of each image a box, since the sample comes without boxes."""
    images = {}
    for image, spans in truth.images.items():
        first = min(chain.id for chain in spans.values())
        boxed = {
            span: replace(chain, boxes=(Box(20, 20, 120, 140),)) if chain.id == first else chain
            for span, chain in spans.items()
        }
        images[image] = boxed
    return replace(truth, images=images)


def _import(page: Page) -> None:
    page.get_by_role("link", name="Make the first one").click()
    page.get_by_label("Name").fill("journey")
    page.get_by_role("button", name="Make the project").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Import")
    check_accessible(page)
    file = FilePayload(name="sample.zip", mimeType="application/zip", buffer=_archive())
    page.get_by_label("Upload").set_input_files(file)
    page.get_by_label("Keep its chains and boxes as known answers").check()
    page.get_by_role("button", name="Check first").click()
    expect(page.get_by_role("heading", name="What would happen")).to_be_visible(timeout=PATIENCE)
    assert not Project.objects.get().images.exists()
    check_accessible(page)
    page.get_by_role("button", name="Import now").click()
    expect(page.get_by_role("heading", name="What happened")).to_be_visible(timeout=PATIENCE)
    assert Project.objects.get().images.exclude(file="").count() >= IMAGES


def _launch(page: Page) -> None:
    page.get_by_role("link", name="Make a batch").click()
    page.get_by_role("link", name="A few people I know").click()
    page.get_by_label("Name", exact=True).fill("first")
    page.locator('select[name="take"]').select_option("number")
    page.locator('input[name="number"]').fill(str(IMAGES))
    page.get_by_role("button", name="Make the draft").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Launch")
    page.get_by_role("button", name="Launch").click()
    expect(page.get_by_text("is launched").first).to_be_visible()


def _links(page: Page) -> list[str]:
    """Return tokens of workers from the links that the page shows."""
    page.get_by_role("navigation", name="journey").get_by_role("link", name="Batches").click()
    page.get_by_role("link", name="Links to first").click()
    page.get_by_label("How many workers").fill(str(WORKERS))
    page.get_by_role("button", name="Make links").click()
    lines = page.get_by_label("One name and link per line").input_value().splitlines()
    assert len(lines) == WORKERS
    return [line.partition("#token=")[2] for line in lines]


def _decide_one(page: Page, url: str) -> None:
    """Look at a finished chain, and say why it stays as it is."""
    batch = Batch.objects.get()
    page.goto(f"{url}/admin/review/?project={batch.project_id}&batch={batch.pk}")
    page.get_by_label("Check a sample of").fill("1")
    page.get_by_role("button", name="Draw sample").click()
    page.get_by_role("link", name="Open", exact=True).first.click()
    if page.locator("#id_boxes").input_value().strip():
        page.get_by_label("What happens next").select_option("done")
    else:
        page.get_by_label("What happens next").select_option("nonvisual")
        page.get_by_label("Why there is no box").select_option("nobndbox")
    page.get_by_label("Why", exact=True).fill("Looked at it")
    page.get_by_role("button", name="Decide", exact=True).click()
    expect(page.get_by_text("Decided about")).to_be_visible()


def _export(page: Page, url: str, folder: Path) -> None:
    page.goto(f"{url}/admin/projects/{Project.objects.get().pk}/exports/")
    check_accessible(page)
    page.get_by_label("Format").select_option("flickr30k-entities")
    page.get_by_label("Batch").select_option("first")
    page.get_by_role("button", name="Export").click()
    page.get_by_role("link", name="Version 1").click(timeout=PATIENCE)
    expect(page.get_by_role("heading", level=1)).to_have_text("Version 1")
    check_accessible(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    content = Path(download.value.path()).read_bytes()
    assert download.value.suggested_filename == "journey-v1-flickr30k-entities.zip"
    expect(page.get_by_text(hashlib.sha256(content).hexdigest())).to_be_visible()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        archive.extractall(folder)  # our own archive, into a folder of this test


def test_from_an_empty_database_to_a_data_set_that_was_taken_home(
    start_site: StartSite, page: Page, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    site = start_site(GROUNDCREW_SWEEP_SECONDS="1")
    page.set_default_timeout(PATIENCE)
    Project.objects.all().delete()  # the project that the site comes with
    log_in(page, f"{site.url}/admin/")
    _import(page)
    _launch(page)
    tokens = _links(page)
    truth = _with_boxes(load_truth("journey"))
    crowd = Crowd(site.url, tokens, WORKERS, truth, [Character()] * WORKERS)
    tally = crowd.run(lambda: progress("journey"), bar=False)
    _decide_one(page, site.url)
    _export(page, site.url, tmp_path / "taken")
    manifest = json.loads((tmp_path / "taken" / "about" / "manifest.json").read_bytes())
    assert (manifest["counts"]["images"], manifest["batch"]) == (IMAGES, "first")
    records = list(READERS["flickr30k-entities"](tmp_path / "taken"))
    assert all(getattr(record, "chains", ()) for record in records) and len(records) == IMAGES
    assert manifest["counts"]["boxes"] >= 1
    provenance = (tmp_path / "taken" / "provenance.jsonl").read_text().splitlines()
    resting_on = {
        one for line in provenance for chain in json.loads(line)["chains"] for one in chain["decisions"]
    }
    assert resting_on == {Decision.objects.get(kind="chain").pk}
    kind = "real" if _published() else "drawn"
    record_property("figure", f"the {kind} sample, in the browser: {tally.judgments} judgments to a data set")
